import { useEffect, useLayoutEffect, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import css from './gallery-filter.module.css'
import type { Gallery } from './gallery.server.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { keepPanel } from '#app/ui/message-panel-url.ts'
import { useSearchNavigation } from '#app/ui/use-search-navigation.ts'
import { colorName } from './catalog.ts'
import { galleryFilterTexts as texts } from './gallery-texts.ts'

const DEBOUNCE_MS = 300

export function GalleryFilter({
  chosen,
  count,
  colors,
  links,
}: Pick<Gallery, 'chosen' | 'count' | 'colors' | 'links'>) {
  const form = useRef<HTMLFormElement>(null)
  const panel = useRef<HTMLDetailsElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const openSearch = useSearchNavigation()
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  const locationState: unknown = location.state
  // The fields keep the typed values until the visitor presses Back or Forward, or follows a link.
  const latest = useRef({ key: location.key, sort: links.sort })
  useEffect(() => {
    if (
      latest.current.key !== location.key &&
      (isBack || (locationState !== 'typed' && locationState !== 'chosen'))
    ) {
      clearTimeout(typing.current)
      form.current?.reset()
      form.current?.querySelectorAll('select').forEach((select) => void (select.value = links.sort))
    }
    latest.current = { key: location.key, sort: links.sort }
  }, [location.key, locationState, isBack, links.sort])
  useEffect(() => () => clearTimeout(typing.current), [])

  function apply(state: 'typed' | 'chosen') {
    clearTimeout(typing.current)
    const fields = [...new FormData(form.current!)].filter(
      (field): field is [string, string] => field[1] !== '',
    )
    const query = new URLSearchParams(fields).toString()
    const plain =
      query === '' ? links.plain : links.plain + (links.plain.includes('?') ? '&' : '?') + query
    openSearch(keepPanel(plain, location.search), state)
  }
  // The timer calls the function of the latest rendering, because the previous search may have arrived after the last key press.
  const applyLatest = useRef(apply)
  useLayoutEffect(() => {
    applyLatest.current = apply
  })
  function change({ target }: FormEvent) {
    clearTimeout(typing.current)
    if (target instanceof HTMLInputElement && target.type !== 'checkbox')
      typing.current = setTimeout(() => applyLatest.current('typed'), DEBOUNCE_MS)
    else apply('chosen')
  }
  function send(event: FormEvent) {
    event.preventDefault()
    apply('typed')
    if (panel.current) panel.current.open = false
    // On a phone the page scrolls to the list, because the keyboard and the filters cover the list.
    const list = form.current!.parentElement!
    if (matchMedia('(max-width: 48em)').matches) {
      list.focus({ preventScroll: true })
      list.scrollIntoView()
    }
  }
  const { filterCount, prices } = links
  const { symbol } = useCurrency()
  // The filter panel is open at first only if the URL contains an invalid price.
  const [isOpen] = useState(prices.some(({ problem }) => problem !== null))
  return (
    <form
      ref={form}
      role="search"
      action="#pieces"
      aria-label={texts.form}
      className={`stack ${css.form}`}
      onChange={change}
      onSubmit={send}
      autoComplete="off"
    >
      {chosen === 'favorites' && (
        <input
          type="hidden"
          name="favorites"
        />
      )}
      <p>
        <input
          className="input"
          type="search"
          name="q"
          aria-label={texts.searchPieces}
          placeholder={texts.searchPieces}
          enterKeyHint="search"
          maxLength={200}
          defaultValue={links.text}
        />
        <button
          className="icon-button"
          aria-label={texts.search}
        />
      </p>
      <details
        ref={panel}
        open={isOpen}
      >
        <summary>
          {texts.filter}{' '}
          {filterCount > 0 && (
            <b>
              {filterCount}
              <span className="visually-hidden">{texts.active}</span>
            </b>
          )}
        </summary>
        <div>
          <fieldset>
            <legend>{texts.price}</legend>
            {prices.map(({ name, label, typed, problem }) => (
              <p
                key={name}
                className="field"
              >
                <label htmlFor={name}>{label}</label>
                <input
                  className="input"
                  id={name}
                  name={name}
                  inputMode="decimal"
                  maxLength={20}
                  placeholder={symbol}
                  defaultValue={typed}
                  aria-invalid={problem !== null}
                  aria-describedby={`${name}-problem`}
                />
                <span
                  className="error"
                  id={`${name}-problem`}
                  aria-live="polite"
                >
                  {problem}
                </span>
              </p>
            ))}
          </fieldset>
          <fieldset>
            <legend>{texts.showOnly}</legend>
            <label>
              <input
                type="checkbox"
                name="sale"
                defaultChecked={links.isOnSale}
              />
              {texts.onSale}
            </label>
            <label>
              <input
                type="checkbox"
                name="available"
                defaultChecked={links.isAvailable}
              />
              {texts.available}
            </label>
          </fieldset>
          {colors.length > 0 && (
            <fieldset>
              <legend>{texts.colors}</legend>
              {colors.map((color) => (
                <label key={color.id}>
                  <input
                    type="checkbox"
                    name="color"
                    value={color.id}
                    defaultChecked={links.colorIds.includes(color.id)}
                  />
                  <i style={{ backgroundImage: color.swatch }} />
                  {colorName(color)}
                </label>
              ))}
            </fieldset>
          )}
        </div>
      </details>
      <label>
        <span>{texts.sortBy}</span>
        <select
          className="input"
          name="sort"
          defaultValue={links.sort}
        >
          {links.sorts.map(({ value, label }) => (
            <option
              key={value}
              value={value}
            >
              {label}
            </option>
          ))}
        </select>
      </label>
      <button className="button">{texts.show(count)}</button>
    </form>
  )
}
