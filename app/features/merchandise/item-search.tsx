/** Looks for items in the owner's list. */
import { TypedSearch } from '#app/ui/typed-search.tsx'
import type { ListView } from './item-list.ts'
import { listQuery } from './item-list.ts'
import css from './item-list.module.css'

export function ItemSearch({ view }: { view: ListView }) {
  return (
    <TypedSearch
      among="Items"
      label="Search items"
      text={view.text}
      queryOf={(text) => listQuery({ ...view, text, page: 1 })}
      className={css.search}
    >
      {view.folds.map(({ categoryId, page }) => (
        <input key={categoryId} type="hidden" name="open" value={`${page}~${categoryId}`} />
      ))}
    </TypedSearch>
  )
}
