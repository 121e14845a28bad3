import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import type { Difference } from './item-form.ts'
import css from './item-notes.module.css'
import { itemConflictTexts as texts } from './texts.ts'

type NoteProps = {
  children: ReactNode
  role?: 'status' | 'alert'
  act?: { label: string; onClick: () => void }
}

export const Note = ({ children, role, act }: NoteProps) => (
  <div
    className="notice cluster"
    role={role}
  >
    <p className={css.text}>{children}</p>
    {act && (
      <button
        type="button"
        className="button quiet"
        onClick={act.onClick}
      >
        {act.label}
      </button>
    )}
  </div>
)

type ConflictProps = { differences: Difference[]; revision: number; onTake: () => void }

/** Shows a conflict with a newer version of the item. Without JavaScript, a button sends the form again, and a link loads the stored item. */
export function ConflictBanner({ differences, revision, onTake }: ConflictProps) {
  const { pathname, search } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [revision])
  return (
    <section
      className={`notice ${css.conflict}`}
      aria-labelledby="item-conflict"
    >
      <h3
        id="item-conflict"
        ref={heading}
        tabIndex={-1}
      >
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
        <button
          className="button"
          name="keep"
          value={revision}
        >
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
