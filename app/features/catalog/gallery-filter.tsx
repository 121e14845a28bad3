import { useEffect, useLayoutEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { useLocation, useNavigationType } from 'react-router'
import css from './gallery-filter.module.css'
import type { Gallery } from './gallery.server.ts'
import { useCurrency } from '#pricing/currency-context.ts'
import { keepPanel } from '#ui/message-panel-url.ts'
import { useSearchNavigation } from '#ui/use-search-navigation.ts'
import { colorName } from './catalog.ts'
import { galleryFilterTexts as texts } from './gallery-texts.ts'

const DEBOUNCE_MS = 300

type GalleryFilterProps = Pick<Gallery, 'view' | 'count' | 'colors' | 'links'>

export function GalleryFilter({ view, count, colors, links }: GalleryFilterProps) {
  const { form, panel, change, send } = useFilterForm(links)
  return (
    <form
      ref={form}
      role="search"
      action="#pieces"
      aria-label={texts.form}
      className={`grid gap-4 ${css.form}`}
      onChange={change}
      onSubmit={send}
      autoComplete="off"
    >
      {view === 'favorites' && (
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
      <FilterPanel
        panel={panel}
        colors={colors}
        links={links}
      />
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

function useFilterForm(links: Gallery['links']) {
  const form = useRef<HTMLFormElement>(null)
  const panel = useRef<HTMLDetailsElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const openSearch = useSearchNavigation()
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  const locationState: unknown = location.state
  // The fields keep the typed values until the visitor presses Back or Forward, or follows a link.
  const latestKey = useRef(location.key)
  useEffect(() => {
    const isOfForm = !isBack && (locationState === 'typed' || locationState === 'chosen')
    if (latestKey.current !== location.key && !isOfForm) {
      clearTimeout(typing.current)
      form.current?.reset()
      form.current?.querySelectorAll('select').forEach((select) => void (select.value = links.sort))
    }
    latestKey.current = location.key
  }, [location.key, locationState, isBack, links.sort])
  useEffect(() => () => clearTimeout(typing.current), [])

  function apply(state: 'typed' | 'chosen') {
    clearTimeout(typing.current)
    const fields = [...new FormData(form.current!)].filter(
      (field): field is [string, string] => field[1] !== '',
    )
    const query = new URLSearchParams(fields).toString()
    const separator = links.plain.includes('?') ? '&' : '?'
    const url = query === '' ? links.plain : links.plain + separator + query
    openSearch(keepPanel(url, location.search), state)
  }
  // The timer must call the latest `apply`, because an earlier search may end before it fires.
  const applyLatest = useRef(apply)
  useLayoutEffect(() => {
    applyLatest.current = apply
  })
  function change({ target }: FormEvent) {
    clearTimeout(typing.current)
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') {
      typing.current = setTimeout(() => applyLatest.current('typed'), DEBOUNCE_MS)
    } else apply('chosen')
  }
  function send(event: FormEvent) {
    event.preventDefault()
    apply('typed')
    if (panel.current) panel.current.open = false
    const list = form.current!.parentElement!
    if (matchMedia('(max-width: 48em)').matches) {
      list.focus({ preventScroll: true })
      list.scrollIntoView()
    }
  }
  return { form, panel, change, send }
}

type FilterPanelProps = Pick<GalleryFilterProps, 'colors' | 'links'> & {
  panel: RefObject<HTMLDetailsElement | null>
}

function FilterPanel({ panel, colors, links }: FilterPanelProps) {
  const { filterCount, prices } = links
  const [isOpen] = useState(prices.some(({ problem }) => problem !== null))
  return (
    <details
      ref={panel}
      open={isOpen}
    >
      <summary>
        {texts.filter}{' '}
        {filterCount > 0 && (
          <b>
            {filterCount}
            <span className="sr-only">{texts.active}</span>
          </b>
        )}
      </summary>
      <div>
        <PriceFields prices={prices} />
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
  )
}

function PriceFields({ prices }: Pick<Gallery['links'], 'prices'>) {
  const { symbol } = useCurrency()
  return (
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
            aria-invalid={problem !== null || undefined}
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
  )
}
