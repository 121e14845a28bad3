/** A strip of items, each leading to its page (ITEM-21 to ITEM-24). */
import { memo, useId } from 'react'
import { Link } from 'react-router'
import type { ItemCard } from './catalog.ts'
import { ItemCardView } from './item-card.tsx'
import css from './item-strip.module.css'

type Props = {
  title: string
  items: ItemCard[]
  /** a sentence under the title, or in place of the items when there are none */
  note?: string
  /** how many favourites there are, when the strip holds only some of them */
  all?: number
}

/** It stays while another picture of the page's item is chosen. */
export const ItemStrip = memo(function ItemStrip({ title, items, note, all }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={css.section}>
      <div className={css.head}>
        <h2 id={id} className={css.title}>
          {title}
        </h2>
        {all && (
          <Link to="/gallery/?favorites" className={css.all}>
            {`See all ${all}`}
          </Link>
        )}
      </div>
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
})
