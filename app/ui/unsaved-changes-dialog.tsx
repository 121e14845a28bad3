import { type RefObject, useEffect, useRef } from 'react'
import { useLocation, useBeforeUnload, useBlocker, type Location } from 'react-router'
import { DialogActions } from './dialog-button.tsx'
import css from './dialog.module.css'
import { leaveTexts } from './form-texts.ts'

export const FRESH_STATE = { isFresh: true }
export const DONE_STATE = { isDone: true }

const normalizedPath = ({ pathname }: Location) => pathname.replace(/\/$/, '')
const readState = ({ state }: Pick<Location, 'state'>) =>
  state as { isFresh?: boolean; isDone?: boolean } | null
export const isFresh = (location: Pick<Location, 'state'>) => readState(location)?.isFresh === true

type UnsavedInputProps = { root: RefObject<HTMLElement | null>; isRefused: boolean }

export const UnsavedInputDialog = ({ root, isRefused }: UnsavedInputProps) => (
  <UnsavedChangesDialog isChanged={() => isRefused || hasUnsavedInput(root.current)} />
)

type UnsavedChangesProps = {
  isChanged: () => boolean
  canKeep?: () => boolean
  onLeave?: (hasDraft: boolean) => void
}

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
  useBeforeUnload((event) => isChanged() && event.preventDefault())
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
        className={`text-lg ${css.question}`}
      >
        {leaveTexts.question}
      </p>
      <p
        id="leave-effect"
        className="text-soft"
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

/** Ignores passwords and codes, because the browser may have filled them in. */
export const hasUnsavedInput = (root: ParentNode | null) =>
  [
    ...(root?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
      'input[name], textarea[name]',
    ) ?? []),
  ].some((field) => {
    if (field.type === 'file') return field.value !== ''
    if (field.type === 'password' || field.autocomplete === 'one-time-code') return false
    if (field instanceof HTMLInputElement && ['checkbox', 'radio'].includes(field.type)) {
      return field.checked !== field.defaultChecked
    }
    return field.value.trim() !== field.defaultValue.trim()
  })
