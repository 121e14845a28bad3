/** Looks for items in the owner's list: a form that asks for another address, and with script does so while she types. */
import { Search } from 'lucide-react'
import { Form, useLocation } from 'react-router'
import { useTypedSearch } from '#app/ui/use-typed-search.ts'
import type { ListView } from './item-list.ts'
import { listQuery } from './item-list.ts'
import css from './item-list.module.css'

export function ItemSearch({ view }: { view: ListView }) {
  const { pathname } = useLocation()
  const { input, look, lookSoon } = useTypedSearch(view.text, (text) => pathname + listQuery({ ...view, text, page: 1 }))
  return (
    <Form
      role="search"
      aria-label="Items"
      className={css.search}
      action={pathname}
      onSubmit={(event) => {
        event.preventDefault()
        look()
      }}
    >
      <input
        ref={input}
        className="input"
        type="search"
        name="q"
        aria-label="Search items"
        placeholder="Search items"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        defaultValue={view.text}
        onChange={lookSoon}
      />
      {view.folds.map(({ categoryId, page }) => (
        <input key={categoryId} type="hidden" name="open" value={`${page}~${categoryId}`} />
      ))}
      <button className="icon-button" aria-label="Search">
        <Search size={20} aria-hidden />
      </button>
    </Form>
  )
}
