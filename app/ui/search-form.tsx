import { type ReactNode, useEffect, useRef } from 'react'
import { Form, useLocation, useNavigationType } from 'react-router'
import { Search } from './icons.tsx'
import { formTexts } from './form-texts.ts'
import { useSearchNavigation } from './use-search-navigation.ts'

type SearchFormProps = {
  among: string
  label: string
  placeholder?: string
  text: string
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
}: SearchFormProps) {
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
        <Search size={20} />
      </button>
    </Form>
  )
}

const DEBOUNCE_MS = 250

function useDebouncedSearch(text: string, addressOf: (typed: string) => string) {
  const { key } = useLocation()
  const isBack = useNavigationType() === 'POP'
  const openSearch = useSearchNavigation()
  const input = useRef<HTMLInputElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The typed text stays while the field has the focus, until the visitor presses Back or Forward.
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = text
  }, [text])
  const shownKey = useRef(key)
  useEffect(() => {
    if (isBack && key !== shownKey.current) {
      clearTimeout(typing.current)
      input.current!.value = text
    }
    shownKey.current = key
  }, [key, isBack, text])
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
