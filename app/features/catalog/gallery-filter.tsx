/** The gallery's search, filters and order: a form that asks for another address, and with script does so by itself. */
import Search from 'lucide-react/icons/search'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import { useEffect, useRef, type FormEvent } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import css from './gallery-filter.module.css'
import type { Gallery } from './gallery.server.ts'

/** Milliseconds after the last letter. */
const PAUSE = 300

export function GalleryFilter({ chosen, count, links }: Pick<Gallery, 'chosen' | 'count' | 'links'>) {
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
    // The letters of one search are one step back.
    void navigate(address, { state, preventScrollReset: true, replace: state === 'typed' && asked === 'typed' && !isBack })
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
  const { typed, unreadable, chips } = links
  return (
    <form ref={form} role="search" aria-label="Pieces" className={css.form} onChange={change} onSubmit={send} autoComplete="off">
      {chosen === 'favourites' && <input type="hidden" name="favorites" />}
      <div className={css.search}>
        <input
          className="input"
          type="search"
          name="q"
          aria-label="Search pieces"
          placeholder="Search pieces"
          enterKeyHint="search"
          maxLength={200}
          defaultValue={typed.text}
        />
        <button className="icon-button" aria-label="Search">
          <Search aria-hidden size={20} />
        </button>
      </div>
      <details ref={panel} className={css.filter} open={unreadable.from || unreadable.to || undefined}>
        <summary className={css.summary}>
          <SlidersHorizontal aria-hidden size={18} />
          Filter
          {chips.length > 0 && (
            <span className={css.badge}>
              {chips.length}
              <span className="unseen"> active</span>
            </span>
          )}
        </summary>
        <div className={css.panel}>
          <fieldset>
            <legend>Price</legend>
            <div className={css.prices}>
              <PriceField name="from" label="From" typed={typed.from} isUnreadable={unreadable.from} />
              <PriceField name="to" label="To" typed={typed.to} isUnreadable={unreadable.to} />
            </div>
          </fieldset>
          <fieldset>
            <legend>Show only</legend>
            <Choice name="sale" value="on" isChosen={links.isOnSale} label="On sale" />
            <Choice name="available" value="on" isChosen={links.isAvailable} label="Available" />
          </fieldset>
          {links.colors.length > 0 && (
            <fieldset className={css.colors}>
              <legend>Colors</legend>
              {links.colors.map(({ id, name, placeholder, isChosen }) => (
                <Choice key={id} name="color" value={id} isChosen={isChosen} label={name} swatch={placeholder ?? ''} />
              ))}
            </fieldset>
          )}
        </div>
      </details>
      <label className={css.sort}>
        <span>Sort by</span>
        <select className="input" name="sort" defaultValue={links.sort}>
          {links.sorts.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <button className={`button ${css.apply}`}>{count === 1 ? 'Show 1 piece' : `Show ${count} pieces`}</button>
    </form>
  )
}

type PriceProps = { name: string; label: string; typed: string; isUnreadable: boolean }

function PriceField({ name, label, typed, isUnreadable }: PriceProps) {
  const problem = `${name}-problem`
  return (
    <label>
      {label}
      <input
        className="input"
        name={name}
        inputMode="decimal"
        maxLength={20}
        placeholder="$"
        defaultValue={typed}
        aria-invalid={isUnreadable || undefined}
        aria-describedby={isUnreadable ? problem : undefined}
      />
      {isUnreadable && (
        <span className="error" id={problem}>
          A price looks like 25 or 12.50
        </span>
      )}
    </label>
  )
}

type ChoiceProps = { name: string; value: string; isChosen: boolean; label: string; swatch?: string }

function Choice({ name, value, isChosen, label, swatch }: ChoiceProps) {
  return (
    <label className={css.choice}>
      <input type="checkbox" name={name} value={value} defaultChecked={isChosen} />
      {swatch !== undefined && <span className={css.swatch} style={{ backgroundImage: `url("${swatch}")` }} />}
      {label}
    </label>
  )
}
