import { type ReactNode, useEffect, useRef } from 'react'
import { Form, useLocation, useNavigationType } from 'react-router'
import { Search } from './icons.tsx'
import { formTexts } from './form-texts.ts'
import { useSearchNavigation } from './use-search-navigation.ts'

type Props = {
  among: string
  label: string
  placeholder?: string
  text: string
  /** Returns the query string of the URL that searches for this text. */
  queryOf: (text: string) => string
  className: string | undefined
  children?: ReactNode
}

export function SearchForm({
  among,
  label,
  placeholder = label,
  text,
  queryOf,
  className,
  children,
}: Props) {
  const { pathname } = useLocation()
  const { input, searchNow, searchSoon } = useDebouncedSearch(
    text,
    (typed) => pathname + queryOf(typed),
  )
  return (
    <Form
      role="search"
      aria-label={among}
      className={className}
      action={pathname}
      onSubmit={(event) => {
        event.preventDefault()
        searchNow()
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
        onChange={searchSoon}
      />
      {children}
      <button
        className="icon-button"
        aria-label={formTexts.search}
      >
        <Search
          size={20}
          aria-hidden
        />
      </button>
    </Form>
  )
}

/** The search starts this many milliseconds after the last key press. */
const DEBOUNCE_MS = 250

function useDebouncedSearch(shown: string, addressOf: (text: string) => string) {
  const { key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const openSearch = useSearchNavigation()
  const input = useRef<HTMLInputElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  // While the field has the focus, the typed text stays in the field until the visitor presses Back or Forward. Otherwise the field shows the search text of the URL.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = shown
  }, [shown])
  const shownKey = useRef(key)
  useEffect(() => {
    if (isBack && key !== shownKey.current) {
      clearTimeout(typing.current)
      input.current!.value = shown
    }
    shownKey.current = key
  }, [key, isBack, shown])
  useEffect(() => () => clearTimeout(typing.current), [])

  const latest = useRef(searchNow)
  useEffect(() => {
    latest.current = searchNow
  })
  function searchNow() {
    clearTimeout(typing.current)
    openSearch(addressOf(input.current?.value ?? ''), 'typed')
  }
  const searchSoon = () => {
    clearTimeout(typing.current)
    typing.current = setTimeout(() => latest.current(), DEBOUNCE_MS)
  }
  return { input, searchNow, searchSoon }
}
