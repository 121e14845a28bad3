import { X } from '#ui/icons.tsx'
import css from './testimony-card.module.css'
import { testimonialsTexts as texts } from './texts.ts'
import type { ShownTestimony } from './testimonies.server.ts'
import { overflowingScreens, type TestimonyItem } from './testimony.ts'

export function TestimonyCard({
  testimony: { id, writerName, writerPhotoURL, testimony, items },
  onReading,
}: {
  testimony: ShownTestimony
  onReading?: (isReading: boolean) => void
}) {
  const overflow = onReading ? overflowingScreens(testimony) : 'nowhere'
  return (
    <article
      className={`card flex items-center text-center relative ${css.card}`}
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
      <div className={`flex items-center w-full ${css.middle}`}>
        <blockquote
          className={`m-0 ${css.text}`}
          dir="auto"
        >
          {testimony}
        </blockquote>
        {overflow !== 'nowhere' && (
          <>
            <button
              type="button"
              className={`tap font-semibold text-accent ${css.more}`}
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
                <X size={22} />
              </button>
              <p className={css.name}>{writerName}</p>
              <blockquote
                className={`m-0 ${css.text}`}
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

export function TestimonyItems({ items }: { items: TestimonyItem[] }) {
  if (items.length === 0) return null
  return (
    <ul
      role="list"
      className={`row justify-center ${css.items}`}
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
              <span className="sr-only">{texts.newTab}</span>
            </a>
          )}
        </li>
      ))}
    </ul>
  )
}
