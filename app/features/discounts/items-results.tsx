/** The items found, as a grid of boxes to tick (DISC-32 to DISC-41). */
import { Link, useSearchParams } from 'react-router'
import type { ItemCard } from '#app/features/catalog/catalog.ts'
import { Price } from '#app/features/money/price.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { COLUMNS, type ItemSearch } from './item-search.ts'
import { ITEMS_FORM } from './items-panel.tsx'
import css from './discounts.module.css'

type Props = { items: ItemCard[]; search: ItemSearch; selected: string[]; onSelect: (ids: string[]) => void }

export function ItemsResults({ items, search, selected, onSelect }: Props) {
  const [params] = useSearchParams()
  const layout = (columns: number) => {
    const next = new URLSearchParams(params)
    next.set('columns', String(columns))
    return `?${next}`
  }
  if (items.length === 0) return <p className={css.empty}>No items are found.</p>
  return (
    <>
      <div className={css.above}>
        <label className={css.check}>
          <input
            type="checkbox"
            checked={selected.length === items.length}
            onChange={(event) => onSelect(event.currentTarget.checked ? items.map((item) => item.id) : [])}
          />
          Select All
        </label>
        <span className="soft tabular">{`${selected.length} of ${items.length} selected`}</span>
        <nav className={css.layout} aria-label="Columns">
          {COLUMNS.map((columns) => (
            <Link
              key={columns}
              to={layout(columns)}
              preventScrollReset
              replace
              aria-label={columns === 1 ? '1 column' : `${columns} columns`}
              aria-current={columns === search.columns ? 'true' : undefined}
            >
              {columns}
            </Link>
          ))}
        </nav>
      </div>
      <ul className={css.grid} role="list" data-columns={search.columns}>
        {items.map((item) => (
          <li key={item.id}>
            <label className={css.item}>
              {item.picture ? (
                <Picture className={css.itemPicture} picture={item.picture} alt="" sizes="(min-width: 769px) 24rem, 45vw" />
              ) : (
                <span className={css.itemPicture} />
              )}
              <span className={css.itemWords}>
                <input
                  type="checkbox"
                  form={ITEMS_FORM}
                  name="item"
                  value={item.id}
                  checked={selected.includes(item.id)}
                  onChange={(event) =>
                    onSelect(event.currentTarget.checked ? [...selected, item.id] : selected.filter((id) => id !== item.id))
                  }
                />
                <span>
                  <span className={css.itemName}>{item.name}</span>
                  <Price cents={item.priceCents} discount={item.discount} />
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
    </>
  )
}
