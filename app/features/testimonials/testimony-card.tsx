import { X } from '#app/ui/icons.tsx'
import css from './testimony-card.module.css'
import { testimonialsTexts as texts } from './texts.ts'
import { overflowingScreens, type ShownTestimony, type TestimonyItem } from './testimony.ts'

/** Without `onReading`, the card shows the full text. With `onReading`, a button opens a long text, and the card calls `onReading` when the text opens or closes. */
type Props = { testimony: ShownTestimony; onReading?: (isReading: boolean) => void }

export function TestimonyCard({
  testimony: { id, writerName, writerPhotoURL, testimony, items },
  onReading,
}: Props) {
  const overflow = onReading ? overflowingScreens(testimony) : 'nowhere'
  return (
    <article
      className={`card aligned centered-text anchor ${css.card}`}
      data-whole={!onReading || undefined}
    >
      <img
        className={`photo ${css.photo}`}
        src={writerPhotoURL}
        width={112}
        height={112}
        alt=""
        loading="lazy"
      />
      <h2 className={css.name}>{writerName}</h2>
      <div className={`aligned wide ${css.middle}`}>
        <blockquote
          className={`flush ${css.text}`}
          dir="auto"
        >
          {testimony}
        </blockquote>
        {overflow !== 'nowhere' && (
          <>
            <button
              type="button"
              className={`tap strong accented ${css.more}`}
              data-only={overflow === 'phone' ? 'phone' : undefined}
              popoverTarget={`${id}-whole`}
            >
              {texts.readAll}
            </button>
            <div
              popover="auto"
              id={`${id}-whole`}
              className={`card ${css.whole}`}
              role="dialog"
              aria-label={texts.whole(writerName)}
              tabIndex={-1}
              onToggle={(event) => {
                const isOpen = event.newState === 'open'
                // The focus moves to the opened text, so that the visitor can scroll the text with the keyboard.
                if (isOpen) event.currentTarget.focus()
                onReading?.(isOpen)
              }}
            >
              <button
                type="button"
                className={`icon-button ${css.close}`}
                popoverTarget={`${id}-whole`}
                aria-label={texts.close}
              >
                <X
                  size={22}
                  aria-hidden="true"
                />
              </button>
              <p className={css.name}>{writerName}</p>
              <blockquote
                className={`flush ${css.text}`}
                dir="auto"
              >
                {testimony}
              </blockquote>
            </div>
          </>
        )}
      </div>
      <TestimonyItems items={items} />
    </article>
  )
}

/** Lists the bought items as links that open in a new browser tab. A line that the owner typed in an offer has no page and therefore no link. [TESTI-08, TESTI-09, TESTI-20] */
export function TestimonyItems({ items }: { items: TestimonyItem[] }) {
  if (items.length === 0) return null
  return (
    <ul
      role="list"
      className={`cluster centered ${css.items}`}
      aria-label={texts.items}
    >
      {items.map(({ id, name }, index) => (
        <li key={`${id} ${index}`}>
          {id === '' ? (
            name
          ) : (
            <a
              className="tap"
              href={`/item/${encodeURIComponent(id)}/`}
              target="_blank"
              rel="noopener"
            >
              {name}
              <span className="visually-hidden">{texts.newTab}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
