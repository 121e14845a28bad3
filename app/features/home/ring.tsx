/** Home's ring of category circles: the chosen one turns to the front and fills the centre, which leads to its gallery (HOME-01 to HOME-04). */
import { useState, type MouseEvent } from 'react'
import { href, Link } from 'react-router'
import { quickLink } from '#app/ui/quick-link.ts'
import { Picture } from '#app/ui/picture.tsx'
import css from './ring.module.css'
import { placeOnRing, turnTo, type ShowcaseView } from './showcase.ts'

const CENTRE = '(min-width: 769px) 17rem, 11rem'

/** `first`: the category that the address asks for; otherwise the first record is chosen (S-020). */
export function Ring({ records, first }: { records: ShowcaseView[]; first: string | null }) {
  const degs = placeOnRing(records)
  const asked = records.findIndex((record) => record.categoryId === first)
  const start = Math.max(0, asked)
  const [{ index, turn }, setChosen] = useState({ index: start, turn: degs[start] ?? 0 })
  const chosen = records[index] ?? records[0]
  if (!chosen) return null
  const choose = (wanted: number) => (event: MouseEvent) => {
    // The link does it without script; with it the ring turns at once. A new tab stays a new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ index: wanted, turn: turnTo(turn, degs[wanted] ?? 0) })
  }
  return (
    <section className={`stack anchor ${css.showcase}`} aria-label="Categories">
      <div className={`anchor ${css.ring}`} style={{ '--turn': `${-turn}deg`, '--count': Math.max(8, records.length) }}>
        <ul className="bare-list">
          {records.map((record, at) => (
            <li key={record.id} className={css.place} style={{ '--deg': `${degs[at]}deg` }}>
              <Link
                to={`?category=${encodeURIComponent(record.categoryId)}`}
                replace
                preventScrollReset
                onClick={choose(at)}
                aria-current={record === chosen ? 'true' : undefined}
                aria-label={record.categoryTitle}
                title={record.categoryTitle}
                className={`in-middle fill undecorated raised round ${css.circle}`}
              >
                {record.picture ? (
                  // The chosen one stands in the centre too: one file for both.
                  <Picture picture={record.picture} alt="" sizes={record === chosen ? CENTRE : '5rem'} className={`fill ${css.picture}`} />
                ) : (
                  record.categoryTitle.slice(0, 1)
                )}
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={href('/gallery/:categoryid?', { categoryid: chosen.categoryId })}
          {...quickLink}
          className={`raised round ${css.centre}`}
          aria-label={`See ${chosen.categoryTitle} in the gallery`}
        >
          {chosen.picture && (
            <Picture key={chosen.id} picture={chosen.picture} alt="" sizes={CENTRE} isNext className={`fill ${css.picture}`} />
          )}
        </Link>
      </div>
      <p className={`centered-text flush ${css.caption}`} aria-live="polite">
        <span className={css.title}>{chosen.title}</span>
        <span className="soft small">{chosen.categoryTitle}</span>
      </p>
    </section>
  )
}
