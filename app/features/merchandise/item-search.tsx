/** Looks for items in the owner's list: a form that asks for another address, and with script does so while she types. */
import { useEffect, useRef } from 'react'
import { Search } from 'lucide-react'
import { Form, useLocation, useNavigate } from 'react-router'
import type { ListView } from './item-list.ts'
import { listQuery } from './item-list.ts'
import css from './item-list.module.css'

/** Milliseconds after the last letter. */
const PAUSE = 250

export function ItemSearch({ view }: { view: ListView }) {
  const { pathname, state } = useLocation()
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The field is the browser's while she types in it; an address that came otherwise (Back, Clear) sets it anew.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = view.text
  }, [view.text])
  // The clock is outside React.
  useEffect(() => () => clearTimeout(typing.current), [])

  function look() {
    clearTimeout(typing.current)
    const asked = pathname + listQuery({ ...view, text: input.current?.value ?? '', page: 1 })
    // All letters of one search are one step back.
    const isTyping = state === 'typed'
    void navigate(asked, { state: 'typed', replace: isTyping, preventScrollReset: true })
  }
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
        onChange={() => {
          clearTimeout(typing.current)
          typing.current = setTimeout(look, PAUSE)
        }}
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
