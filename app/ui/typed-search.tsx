/** A search that answers while one types: a form that asks for another address, and with script does so a moment after the last letter. */
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { Form, useLocation } from 'react-router'
import { useTypedSearch } from './use-typed-search.ts'

type Props = {
  /** what is looked through: "Items" */
  among: string
  /** name of the field: "Search items" */
  label: string
  placeholder?: string
  /** what the address looks for now */
  text: string
  /** the query of the address that looks for a text */
  queryOf: (text: string) => string
  className: string | undefined
  /** hidden fields: what else the address says */
  children?: ReactNode
}

export function TypedSearch({ among, label, placeholder = label, text, queryOf, className, children }: Props) {
  const { pathname } = useLocation()
  const { input, look, lookSoon } = useTypedSearch(text, (typed) => pathname + queryOf(typed))
  return (
    <Form
      role="search"
      aria-label={among}
      className={className}
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
        aria-label={label}
        placeholder={placeholder}
        enterKeyHint="search"
        autoComplete="off"
        maxLength={200}
        defaultValue={text}
        onChange={lookSoon}
      />
      {children}
      <button className="icon-button" aria-label="Search">
        <Search size={20} aria-hidden />
      </button>
    </Form>
  )
}
