/** "Items Discount" (DISC-18 to DISC-57): search above, results and the panel for the selected ones below. */
import { useState } from 'react'
import { Form, useLocation } from 'react-router'
import type { Category, ItemCard } from '#app/features/catalog/catalog.ts'
import type { Offer } from './discount-texts.ts'
import { COMPARISONS, termsOf, type ItemSearch } from './item-search.ts'
import { ItemsPanel } from './items-panel.tsx'
import { ItemsResults } from './items-results.tsx'
import { nothingTicked, stillThere } from './ticked.ts'
import css from './discounts.module.css'

type Found = { items: ItemCard[]; total: number; search: ItemSearch; offer: Offer | null }
type Props = Found & { categories: Category[] }

export function ItemsDiscount({ categories, ...found }: Props) {
  const { search } = found
  const { categoryId, comparison, isOnSale, name, price } = search
  // A new search makes the fields anew and clears the selection (S-123); the layout alone does not.
  const searched = termsOf(search)
  return (
    <section className={`card ${css.part}`} aria-labelledby="items-discount">
      <h2 id="items-discount">Items Discount</h2>
      <Form className={css.search} role="search" aria-label="Items" preventScrollReset key={`form ${searched}`}>
        <input type="hidden" name="columns" value={search.columns} />
        <label className={`${css.check} ${css.wide}`}>
          <input type="checkbox" name="sale" defaultChecked={isOnSale} />
          Select Items on Sale
        </label>
        <div className={css.field}>
          <label htmlFor="search-name">Name</label>
          <input className="input" id="search-name" name="name" type="search" defaultValue={name} autoComplete="off" />
        </div>
        <div className={`${css.field} ${css.short}`}>
          <label htmlFor="search-compare">Comparison</label>
          <select className="input" id="search-compare" name="compare" defaultValue={comparison}>
            {COMPARISONS.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </select>
        </div>
        <div className={`${css.field} ${css.short}`}>
          <label htmlFor="search-price">Price</label>
          <input className="input tabular" id="search-price" name="price" inputMode="decimal" defaultValue={price} autoComplete="off" />
        </div>
        <div className={css.field}>
          <label htmlFor="search-category">Category</label>
          <select className="input" id="search-category" name="category" defaultValue={categoryId}>
            <option value="">All Categories</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.title}
              </option>
            ))}
          </select>
        </div>
        <div className={css.buttons}>
          <button className="button">Search</button>
          <button className="button quiet" form="reset-search">
            Reset
          </button>
        </div>
      </Form>
      <Results {...found} key={`results ${searched} ${useResets()}`} />
    </section>
  )
}

/** Reset clears the selection even where the address stays as it was. */
const useResets = (): string => {
  const { search, key } = useLocation()
  return /^\?columns=\d(&parts=\d+)?$/.test(search) ? key : ''
}

function Results({ items, total, search, offer }: Found) {
  const [chosen, setChosen] = useState(nothingTicked)
  const ticked = stillThere(chosen, items)
  // The panel sticks within the results only, never over the search.
  return (
    <div>
      <Form id="reset-search" preventScrollReset>
        <input type="hidden" name="columns" value={search.columns} />
      </Form>
      <ItemsResults items={items} total={total} search={search} ticked={ticked} onTick={setChosen} />
      <ItemsPanel ticked={ticked} offer={offer} />
    </div>
  )
}
