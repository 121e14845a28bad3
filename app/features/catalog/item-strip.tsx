/** A strip of items, each leading to its page (ITEM-21 to ITEM-24). */
import { useId } from 'react'
import type { ItemCard } from './catalog.ts'
import { ItemCardView } from './item-card.tsx'
import css from './item-strip.module.css'

/** `note`: a sentence under the title, or in place of the items when there are none. */
export function ItemStrip({ title, items, note }: { title: string; items: ItemCard[]; note?: string }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={css.section}>
      <h2 id={id} className={css.title}>
        {title}
      </h2>
      {note && <p className="soft">{note}</p>}
      {items.length > 0 && (
        <ul className={css.strip}>
          {items.map((item) => (
            <li key={item.id}>
              <ItemCardView item={item} sizes="11rem" heading="h3" />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
