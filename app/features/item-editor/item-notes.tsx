import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation, useBeforeUnload, useBlocker, type Location } from 'react-router'
import type { Difference } from './item-form.ts'
import { DialogActions } from '#app/ui/dialog-button.tsx'
import css from './item-notes.module.css'
import { itemConflictTexts as texts, leaveTexts } from './texts.ts'
import dialog from '#app/ui/dialog.module.css'

type NoteProps = { children: ReactNode; role?: 'status' | 'alert'; act?: { label: string; onClick: () => void } }

export const Note = ({ children, role, act }: NoteProps) => (
  <div className="notice cluster" role={role}>
    <p className={css.text}>{children}</p>
    {act && (
      <button type="button" className="button quiet" onClick={act.onClick}>
        {act.label}
      </button>
    )}
  </div>
)

type ConflictProps = { differences: Difference[]; revision: number; onTake: () => void }

/** Works without JavaScript: a button sends the form again, a link discards it. */
export function ConflictBanner({ differences, revision, onTake }: ConflictProps) {
  const { pathname, search } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [revision])
  return (
    <section className={`notice ${css.conflict}`} aria-labelledby="item-conflict">
      <h3 id="item-conflict" ref={heading} tabIndex={-1}>
        {texts.title}
      </h3>
      <p>{texts.hint}</p>
      <dl>
        {differences.map(({ label, yours, stored }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="soft">{texts.yours}</span>
              {yours || '–'}
            </dd>
            <dd>
              <span className="soft">{texts.stored}</span>
              {stored || '–'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="cluster">
        <button className="button" name="keep" value={revision}>
          {texts.keepMine}
        </button>
        <Link
          className="button quiet"
          to={pathname + search}
          reloadDocument
          onClick={(event) => {
            event.preventDefault()
            onTake()
          }}
        >
          {texts.useStored}
        </Link>
      </div>
    </section>
  )
}

type UnsavedChangesProps = {
  isChanged: () => boolean
  canKeep: () => boolean
  /** `hasDraft` false: the form's content will be lost */
  onLeave: (hasDraft: boolean) => void
}

/** Add New Item starts an empty form, even if the URL stays the same. */
export const FRESH_STATE = { isFresh: true }
/** The item was saved or deleted, so leaving the page loses nothing. */
export const DONE_STATE = { isDone: true }

/** A URL with and without a trailing slash means the same form. */
const normalizedPath = ({ pathname }: Pick<Location, 'pathname'>) => pathname.replace(/\/$/, '')
const readState = ({ state }: Pick<Location, 'state'>) => state as { isFresh?: boolean; isDone?: boolean } | null
export const isFresh = (location: Pick<Location, 'state'>): boolean => readState(location)?.isFresh === true

export function UnsavedChangesDialog({ isChanged, canKeep, onLeave }: UnsavedChangesProps) {
  const box = useRef<HTMLDialogElement>(null)
  const here = useLocation()
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving = normalizedPath(currentLocation) !== normalizedPath(nextLocation) || (historyAction !== 'POP' && isFresh(nextLocation))
    const isDone = historyAction !== 'POP' && readState(nextLocation)?.isDone === true
    return isLeaving && !isDone && isChanged()
  })
  const isAsking = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsking) box.current?.showModal()
    else box.current?.close()
  }, [isAsking])
  // When the owner leaves the shop, only the browser can ask her.
  useBeforeUnload((event) => isChanged() && event.preventDefault())
  // After Back, the browser's URL has already changed.
  const isThrownAway = isAsking && normalizedPath(blocker.location) === normalizedPath(here)
  const hasDraft = !isThrownAway && canKeep()
  return (
    <dialog
      ref={box}
      className={`card ${dialog.dialog}`}
      aria-labelledby="leave-question"
      aria-describedby="leave-effect"
      onCancel={(event) => {
        event.preventDefault()
        blocker.reset?.()
      }}
    >
      <p id="leave-question" className={`large ${dialog.question}`}>
        {leaveTexts.question}
      </p>
      <p id="leave-effect" className="soft">
        {hasDraft ? leaveTexts.isKept : leaveTexts.isLost}
      </p>
      <DialogActions>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            onLeave(hasDraft)
            blocker.proceed?.()
          }}
        >
          {leaveTexts.leave}
        </button>
        <button type="button" className="button" autoFocus onClick={() => blocker.reset?.()}>
          {leaveTexts.stay}
        </button>
      </DialogActions>
    </dialog>
  )
}
