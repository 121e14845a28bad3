import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useBeforeUnload, useBlocker, type Location } from 'react-router'
import { DialogActions } from './dialog-button.tsx'
import css from './dialog.module.css'
import { hasUnsavedInput } from './has-unsaved-input.ts'
import { leaveTexts } from './leave-texts.ts'

type UnsavedChangesProps = {
  isChanged: () => boolean
  canKeep?: () => boolean
  /** `hasDraft` is false if the content of the form will be lost. */
  onLeave?: (hasDraft: boolean) => void
}

/** A link that passes this state to React Router opens an empty form, even if the URL stays the same. */
export const FRESH_STATE = { isFresh: true }
/** A navigation that passes this state to React Router shows no dialog, because the form's record was saved or deleted. */
export const DONE_STATE = { isDone: true }

/** Removes the trailing slash, because the URL shows the same form with and without a slash. */
const normalizedPath = ({ pathname }: Pick<Location, 'pathname'>) => pathname.replace(/\/$/, '')
const readState = ({ state }: Pick<Location, 'state'>) =>
  state as { isFresh?: boolean; isDone?: boolean } | null
export const isFresh = (location: Pick<Location, 'state'>): boolean =>
  readState(location)?.isFresh === true

type UnsavedInputProps = {
  root: RefObject<HTMLElement | null>
  /** True if the fields show values that the shop did not store, because it refused the form. */
  isRefused: boolean
}

/** Asks before the owner leaves a page on which she changed a field inside `root`. [OWN-31] */
export const UnsavedInputDialog = ({ root, isRefused }: UnsavedInputProps) => (
  <UnsavedChangesDialog isChanged={() => isRefused || hasUnsavedInput(root.current)} />
)

export function UnsavedChangesDialog({
  isChanged,
  canKeep = () => false,
  onLeave,
}: UnsavedChangesProps) {
  const box = useRef<HTMLDialogElement>(null)
  const here = useLocation()
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving =
      normalizedPath(currentLocation) !== normalizedPath(nextLocation) ||
      (historyAction !== 'POP' && isFresh(nextLocation))
    const isDone = historyAction !== 'POP' && readState(nextLocation)?.isDone === true
    return isLeaving && !isDone && isChanged()
  })
  const isAsking = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsking) box.current?.showModal()
    else box.current?.close()
  }, [isAsking])
  // When the owner closes the tab or opens another site, only the browser's own dialog can ask her.
  useBeforeUnload((event) => isChanged() && event.preventDefault())
  // The draft is lost if the link would open an empty form at the same URL.
  const isThrownAway = isAsking && normalizedPath(blocker.location) === normalizedPath(here)
  const hasDraft = !isThrownAway && canKeep()
  return (
    <dialog
      ref={box}
      className={`card ${css.dialog}`}
      aria-labelledby="leave-question"
      aria-describedby="leave-effect"
      onCancel={(event) => {
        event.preventDefault()
        blocker.reset?.()
      }}
    >
      <p
        id="leave-question"
        className={`large ${css.question}`}
      >
        {leaveTexts.question}
      </p>
      <p
        id="leave-effect"
        className="soft"
      >
        {hasDraft ? leaveTexts.isKept : leaveTexts.isLost}
      </p>
      <DialogActions>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            onLeave?.(hasDraft)
            blocker.proceed?.()
          }}
        >
          {leaveTexts.leave}
        </button>
        <button
          type="button"
          className="button"
          autoFocus
          onClick={() => blocker.reset?.()}
        >
          {leaveTexts.stay}
        </button>
      </DialogActions>
    </dialog>
  )
}
