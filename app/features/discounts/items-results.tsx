/** The items found, as a grid of boxes to tick (DISC-32 to DISC-41). */
import { Link, useLocation, useNavigation } from 'react-router'
import type { ItemCard } from '#app/features/catalog/catalog.ts'
import { Price } from '#app/features/money/price.tsx'
import { useHasScript } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { COLUMNS, PART_SIZE, type ItemSearch } from './item-search.ts'
import { ITEMS_FORM } from './items-panel.tsx'
import { allTicked, countTicked, isTicked, nothingTicked, tick, type Ticked } from './ticked.ts'
import css from './discounts.module.css'

type Props = { items: ItemCard[]; total: number; search: ItemSearch; ticked: Ticked; onTick: (ticked: Ticked) => void }

export function ItemsResults({ items, total, search, ticked, onTick }: Props) {
  const hasScript = useHasScript()
  const location = useLocation()
  const isBusy = useNavigation().state !== 'idle'
  const count = countTicked(ticked, total)
  const to = (name: string, value: number) => {
    const next = new URLSearchParams(location.search)
    next.set(name, String(value))
    return `?${next}`
  }
  if (total === 0) return <p className={css.empty}>No items are found.</p>
  return (
    <>
      <div className={css.above}>
        <label className={css.check}>
          <input
            type="checkbox"
            {...(hasScript ? {} : { name: 'all', form: ITEMS_FORM })}
            checked={count === total}
            onChange={(event) => onTick(event.currentTarget.checked ? allTicked : nothingTicked)}
          />
          Select All
        </label>
        <span className="soft tabular" role="status">{`${count} of ${total} selected`}</span>
        <nav className={css.layout} aria-label="Columns">
          {COLUMNS.map((columns) => (
            <Link
              key={columns}
              to={to('columns', columns)}
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
          <li key={item.id} className={css.found}>
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
                  checked={isTicked(ticked, item.id)}
                  onChange={(event) => onTick(tick(ticked, item.id, event.currentTarget.checked))}
                />
                <span className={css.itemText}>
                  <span className={css.itemName}>{item.name}</span>
                  <Price cents={item.priceCents} discount={item.discount} />
                </span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      {items.length < total && (
        <p className={css.more}>
          <Link
            className="button quiet"
            to={to('parts', search.parts + 1)}
            preventScrollReset
            replace
            aria-disabled={isBusy}
          >{`Show ${Math.min(PART_SIZE, total - items.length)} more`}</Link>
          <span className="soft tabular">{`${items.length} of ${total} shown`}</span>
        </p>
      )}
    </>
  )
}
