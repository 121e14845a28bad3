import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import css from './gallery-filter.module.css'
import type { Gallery } from './gallery.server.ts'
import { colorName, piecesText } from './catalog.ts'

const PAUSE = 300

export function GalleryFilter({ chosen, count, colors, links }: Pick<Gallery, 'chosen' | 'count' | 'colors' | 'links'>) {
  const form = useRef<HTMLFormElement>(null)
  const panel = useRef<HTMLDetailsElement>(null)
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined)
  const navigate = useNavigate()
  const location = useLocation()
  const isBack = useNavigationType() === 'POP'
  const asked: unknown = location.state
  // The fields belong to the browser while somebody types; an address that did not come from them sets them anew.
  const latest = useRef({ key: location.key, sort: links.sort })
  useEffect(() => {
    if (latest.current.key !== location.key && (isBack || (asked !== 'typed' && asked !== 'chosen'))) {
      clearTimeout(typing.current)
      form.current?.reset()
      form.current?.querySelectorAll('select').forEach((select) => void (select.value = links.sort))
    }
    latest.current = { key: location.key, sort: links.sort }
  }, [location.key, asked, isBack, links.sort])
  useEffect(() => () => clearTimeout(typing.current), [])

  function apply(state: 'typed' | 'chosen') {
    clearTimeout(typing.current)
    const fields = [...new FormData(form.current!)].filter((field): field is [string, string] => field[1] !== '')
    const query = new URLSearchParams(fields).toString()
    const address = query === '' ? links.plain : links.plain + (links.plain.includes('?') ? '&' : '?') + query
    // The letters of one search are one step back; what is shown already is none.
    const isSame = address === location.pathname + location.search
    void navigate(address, { state, preventScrollReset: true, replace: isSame || (state === 'typed' && asked === 'typed' && !isBack) })
  }
  function change({ target }: FormEvent) {
    clearTimeout(typing.current)
    if (target instanceof HTMLInputElement && target.type !== 'checkbox') typing.current = setTimeout(() => apply('typed'), PAUSE)
    else apply('chosen')
  }
  function send(event: FormEvent) {
    event.preventDefault()
    apply('typed')
    if (panel.current) panel.current.open = false
  }
  const { filterCount, prices } = links
  // Opens by itself only where the page begins with a problem; from then on it is the visitor's.
  const [isOpen] = useState(prices.some(({ problem }) => problem !== null))
  return (
    <form ref={form} role="search" aria-label="Pieces" className={`stack ${css.form}`} onChange={change} onSubmit={send} autoComplete="off">
      {chosen === 'favourites' && <input type="hidden" name="favorites" />}
      <p>
        <input
          className="input"
          type="search"
          name="q"
          aria-label="Search pieces"
          placeholder="Search pieces"
          enterKeyHint="search"
          maxLength={200}
          defaultValue={links.text}
        />
        <button className="icon-button" aria-label="Search" />
      </p>
      <details ref={panel} open={isOpen}>
        <summary>
          Filter{' '}
          {filterCount > 0 && (
            <b>
              {filterCount}
              <span className="unseen"> active</span>
            </b>
          )}
        </summary>
        <div>
          <fieldset>
            <legend>Price</legend>
            {prices.map(({ name, label, typed, problem }) => (
              <p key={name} className="field">
                <label htmlFor={name}>{label}</label>
                <input
                  className="input"
                  id={name}
                  name={name}
                  inputMode="decimal"
                  maxLength={20}
                  placeholder="$"
                  defaultValue={typed}
                  aria-invalid={problem !== null}
                  aria-describedby={`${name}-problem`}
                />
                <span className="error" id={`${name}-problem`} aria-live="polite">
                  {problem}
                </span>
              </p>
            ))}
          </fieldset>
          <fieldset>
            <legend>Show only</legend>
            <label>
              <input type="checkbox" name="sale" defaultChecked={links.isOnSale} />
              On sale
            </label>
            <label>
              <input type="checkbox" name="available" defaultChecked={links.isAvailable} />
              Available
            </label>
          </fieldset>
          {colors.length > 0 && (
            <fieldset>
              <legend>Colors</legend>
              {colors.map((color) => (
                <label key={color.id}>
                  <input type="checkbox" name="color" value={color.id} defaultChecked={links.colorIds.includes(color.id)} />
                  <i style={{ backgroundImage: color.swatch }} />
                  {colorName(color)}
                </label>
              ))}
            </fieldset>
          )}
        </div>
      </details>
      <label>
        Sort by
        <select className="input" name="sort" defaultValue={links.sort}>
          {links.sorts.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button className="button">Show {piecesText(count)}</button>
    </form>
  )
}
