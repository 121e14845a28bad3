/** What the item form says of itself: a draft that came back, a change elsewhere, an item that is gone, and the choice between two states (018). */
import { useEffect, useRef, type MouseEvent } from 'react'
import { Link, useLocation } from 'react-router'
import type { Difference } from './item-differences.ts'
import css from './item-notes.module.css'

export function DraftNote({ isOutdated, onDiscard }: { isOutdated: boolean; onDiscard: () => void }) {
  return (
    <div className={css.note} role="status">
      <p>
        Your unsaved changes are back.
        {isOutdated && ' The item was changed since; before anything is overwritten you will be asked.'}
      </p>
      <button type="button" className="button quiet" onClick={onDiscard}>
        Discard
      </button>
    </div>
  )
}

export const NewerNote = ({ onTake }: { onTake: () => void }) => (
  <div className={css.note} role="status">
    <p>This item was changed elsewhere meanwhile. Before anything is overwritten you will be asked.</p>
    <button type="button" className="button quiet" onClick={onTake}>
      Take the stored one
    </button>
  </div>
)

/** `hadItem`: it was open here when it was deleted. */
export const GoneNote = ({ hadItem }: { hadItem: boolean }) => (
  <div className={css.note} role="alert">
    <p>
      {hadItem
        ? 'This item was deleted meanwhile, and its images with it. What is typed here can still be saved as a new item, with images chosen anew.'
        : 'There is no such item any more. This form adds a new one.'}
    </p>
  </div>
)

/** Only until the shop is started again (S-163). */
export const NoCategoriesNote = () => (
  <div className={css.note}>
    <p>There are no categories yet, and every item needs one. The next start of the shop brings the first ones.</p>
  </div>
)

type ConflictProps = { differences: Difference[]; revision: number; onTake: () => void }

/** Works without script too: one button sends the form once more, one link leaves it. */
export function ConflictNote({ differences, revision, onTake }: ConflictProps) {
  const { pathname, search } = useLocation()
  const heading = useRef<HTMLHeadingElement>(null)
  // The focus is the browser's.
  useEffect(() => heading.current?.focus(), [revision])
  const take = (event: MouseEvent) => {
    event.preventDefault()
    onTake()
  }
  return (
    <section className={`${css.note} ${css.conflict}`} aria-labelledby="item-conflict">
      <h3 id="item-conflict" ref={heading} tabIndex={-1}>
        This item was changed meanwhile
      </h3>
      <p>Nothing is saved yet. This differs:</p>
      <dl className={css.differences}>
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
      <div className={css.choices}>
        <button className="button" name="keep" value={revision}>
          Keep mine
        </button>
        <Link className="button quiet" to={pathname + search} reloadDocument onClick={take}>
          Take the stored one
        </Link>
      </div>
    </section>
  )
}
