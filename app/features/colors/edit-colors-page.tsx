/** The owner's colours (COLOR-01 to COLOR-18): a form for a new one, a filter, and the grid. */
import { useEffect, useRef, useState } from 'react'
import { useFetcher } from 'react-router'
import { Plus } from '#app/ui/icons.tsx'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { Field } from '#app/ui/form-fields.tsx'
import type { Color } from '#app/features/catalog/catalog.ts'
import type { Answer } from '#app/ui/answer.ts'
import { PictureField } from '#app/features/images/picture-field.tsx'
import { ColorCard } from './color-card.tsx'
import { type ColorFilter, type ColorUses, EVERY_COLOR, LONGEST_NAME, NO_USES, filterColors } from './color-fields.ts'
import css from './edit-colors-page.module.css'

type Props = { colors: Color[]; uses: ReadonlyMap<string, ColorUses> }

/** Fewer are seen at a glance. */
const FILTERED_FROM = 9

export function EditColorsPage({ colors, uses }: Props) {
  const hasScript = useHasScript()
  const [filter, setFilter] = useState(EVERY_COLOR)
  const shown = filterColors(colors, filter)
  return (
    <main className="page" id="main">
      <h1>Colors</h1>
      <AddColor isOpen={colors.length === 0} onAdded={() => setFilter(EVERY_COLOR)} />
      {hasScript && colors.length >= FILTERED_FROM && <Filter colors={colors} filter={filter} onChange={setFilter} />}
      {colors.length === 0 && <p className="soft">No colors yet. Add the first one above.</p>}
      <p className={shown.length === 0 && colors.length > 0 ? 'soft' : 'unseen'} role="status">
        {shown.length === 0 && colors.length > 0 ? 'No color is like that.' : filter === EVERY_COLOR ? '' : countText(shown.length)}
      </p>
      <ul className={`stack ${css.grid}`} role="list">
        {shown.map((color) => (
          <ColorCard key={color.id} color={color} uses={uses.get(color.id) ?? NO_USES} />
        ))}
      </ul>
    </main>
  )
}

const countText = (count: number) => (count === 1 ? '1 color' : `${count} colors`)

type FilterProps = { colors: Color[]; filter: ColorFilter; onChange: (filter: ColorFilter) => void }

function Filter({ colors, filter, onChange }: FilterProps) {
  const choices = [
    ['all', 'All', colors.length],
    ['low', 'Low stock', colors.filter(({ isLowOnStock }) => isLowOnStock).length],
    ['gone', 'Not available', colors.filter(({ isAvailable }) => !isAvailable).length],
  ] as const
  return (
    <div className={`stack ${css.filter}`} role="search" aria-label="Colors">
      <input
        className="input"
        type="search"
        aria-label="Find a color"
        placeholder="Find a color"
        value={filter.words}
        onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
      />
      <div className="choices" role="group" aria-label="Show">
        {choices.map(([only, label, count]) => (
          <button key={only} type="button" aria-pressed={filter.only === only} onClick={() => onChange({ ...filter, only })}>
            {label} <span className="tabular">{count}</span>
          </button>
        ))}
      </div>
    </div>
  )
}

export function AddColor({ isOpen, onAdded }: { isOpen: boolean; onAdded: () => void }) {
  const fetcher = useFetcher<Answer>()
  const form = useRef<HTMLFormElement>(null)
  const name = useRef<HTMLInputElement>(null)
  const [added, setAdded] = useState('')
  const [opensFirst] = useState(isOpen)
  const { data, state } = fetcher
  const error = (field: string) => (data?.field === field ? data.error : undefined)
  // A file field keeps its file until the document's form is reset; then the next colour can be typed.
  useEffect(() => {
    if (!data?.ok) return
    setAdded(name.current?.value.trim() ?? '')
    form.current?.reset()
    name.current?.focus()
    onAdded()
    // oxlint-disable-next-line exhaustive-deps -- once for each answer
  }, [data])
  const isBusy = state !== 'idle'
  return (
    <details className={`card fold gap-below ${css.add}`} open={opensFirst}>
      <summary className={css.summary}>
        <Plus size={20} aria-hidden />
        <h2 id="add-color">Add Color</h2>
      </summary>
      <fetcher.Form ref={form} method="post" encType="multipart/form-data" className={`stack ${css.form}`} aria-labelledby="add-color">
        <BackField />
        <Field label="Name" name="name" id="color-name" error={error('name')}>
          {(tied) => <input {...tied} ref={name} maxLength={LONGEST_NAME} autoComplete="off" />}
        </Field>
        <PictureField label="Image" error={error('file')} />
        <p className={`cluster flush ${css.end}`}>
          <button className="button" name="intent" value="add" aria-disabled={isBusy}>
            {isBusy ? 'Adding…' : 'Add Color'}
          </button>
          <span className="soft" role="status">
            {!isBusy && data?.ok && added && `${added} is added`}
          </span>
        </p>
      </fetcher.Form>
    </details>
  )
}
