import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation, useBeforeUnload, useBlocker, type Location } from 'react-router'
import type { Difference } from './item-input.ts'
import { Choices } from '#app/ui/question.tsx'
import css from './item-notes.module.css'
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

/** Works without script too: one button sends the form once more, one link leaves it. */
export function ConflictNote({ differences, revision, onTake }: ConflictProps) {
  const { pathname, search } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [revision])
  return (
    <section className={`notice ${css.conflict}`} aria-labelledby="item-conflict">
      <h3 id="item-conflict" ref={heading} tabIndex={-1}>
        This item was changed meanwhile
      </h3>
      <p>Nothing is saved yet. This differs:</p>
      <dl>
        {differences.map(({ label, yours, stored }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <span className="soft">Yours: </span>
              {yours || '–'}
            </dd>
            <dd>
              <span className="soft">Stored: </span>
              {stored || '–'}
            </dd>
          </div>
        ))}
      </dl>
      <div className="cluster">
        <button className="button" name="keep" value={revision}>
          Keep mine
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
          Take the stored one
        </Link>
      </div>
    </section>
  )
}

type LeaveProps = {
  isChanged: () => boolean
  canKeep: () => boolean
  /** she leaves; `isKept` false: what stands in the form is to be thrown away */
  onLeave: (isKept: boolean) => void
}

/** Add New Item: the form begins anew, though the address may be the same. */
export const FRESH = { isFresh: true }
/** Saved or deleted: nothing is left behind that could be lost. */
export const DONE = { isDone: true }

/** With and without the slash at the end it is the same form. */
const placeOf = ({ pathname }: Pick<Location, 'pathname'>) => pathname.replace(/\/$/, '')
const readState = ({ state }: Pick<Location, 'state'>) => state as { isFresh?: boolean; isDone?: boolean } | null
export const isFresh = (location: Pick<Location, 'state'>): boolean => readState(location)?.isFresh === true

export function LeavePrompt({ isChanged, canKeep, onLeave }: LeaveProps) {
  const box = useRef<HTMLDialogElement>(null)
  const here = useLocation()
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const isLeaving = placeOf(currentLocation) !== placeOf(nextLocation) || (historyAction !== 'POP' && isFresh(nextLocation))
    const isDone = historyAction !== 'POP' && readState(nextLocation)?.isDone === true
    return isLeaving && !isDone && isChanged()
  })
  const isAsking = blocker.state === 'blocked'
  useEffect(() => {
    if (isAsking) box.current?.showModal()
    else box.current?.close()
  }, [isAsking])
  // Beyond the shop only the browser can ask.
  useBeforeUnload((event) => isChanged() && event.preventDefault())
  // Not the browser's: on the way back that one has gone ahead already.
  const isThrownAway = isAsking && placeOf(blocker.location) === placeOf(here)
  const isKept = !isThrownAway && canKeep()
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
        Leave without saving?
      </p>
      <p id="leave-effect" className="soft">
        {isKept ? 'Your changes wait in this browser. They are back when you open this form again.' : 'Your changes will be lost.'}
      </p>
      <Choices>
        <button
          type="button"
          className="button danger"
          onClick={() => {
            onLeave(isKept)
            blocker.proceed?.()
          }}
        >
          Leave
        </button>
        <button type="button" className="button" autoFocus onClick={() => blocker.reset?.()}>
          Stay
        </button>
      </Choices>
    </dialog>
  )
}
