/** "Items Discount" (DISC-18 to DISC-57): search above, results and the panel for the selected ones below. */
import { useState } from 'react'
import { Form, useLocation } from 'react-router'
import type { Category, ItemCard } from '#app/features/catalog/catalog.ts'
import { COMPARISONS, type ItemSearch } from './item-search.ts'
import { ItemsPanel } from './items-panel.tsx'
import { ItemsResults } from './items-results.tsx'
import css from './discounts.module.css'

type Props = { categories: Category[]; items: ItemCard[]; search: ItemSearch }

export function ItemsDiscount({ categories, items, search }: Props) {
  const { categoryId, comparison, isOnSale, name, price } = search
  // A new search makes the fields anew and clears the selection (S-123); the layout alone does not.
  const searched = JSON.stringify([isOnSale, name, comparison, price, categoryId])
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
      <Results items={items} search={search} key={`results ${searched} ${useResets()}`} />
    </section>
  )
}

/** Reset clears the selection even where the address stays as it was. */
const useResets = (): string => {
  const { search, key } = useLocation()
  return /^\?columns=\d$/.test(search) ? key : ''
}

function Results({ items, search }: { items: ItemCard[]; search: ItemSearch }) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  // What another tab has deleted meanwhile is no longer selected.
  const selected = items.filter((item) => ticked.has(item.id)).map((item) => item.id)
  return (
    <>
      <Form id="reset-search" preventScrollReset>
        <input type="hidden" name="columns" value={search.columns} />
      </Form>
      <ItemsResults items={items} search={search} selected={selected} onSelect={(ids) => setTicked(new Set(ids))} />
      <ItemsPanel selected={selected} />
    </>
  )
}
