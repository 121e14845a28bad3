import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { Difference } from './item-input.ts'
import css from './item-notes.module.css'

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
  // The focus is the browser's.
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
