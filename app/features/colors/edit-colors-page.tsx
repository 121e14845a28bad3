/** The owner's colours (COLOR-01 to COLOR-18): a form for a new one, a filter, and the grid. */
import { useState } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import type { Color } from '#app/features/catalog/catalog.ts'
import { AddColor } from './add-color.tsx'
import { ColorCard } from './color-card.tsx'
import { EVERY_COLOR, filterColors, type ColorFilter, NO_USES, type ColorUses } from './color-fields.ts'
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
      <h1 className={css.heading}>Colors</h1>
      <AddColor isOpen={colors.length === 0} onAdded={() => setFilter(EVERY_COLOR)} />
      {hasScript && colors.length >= FILTERED_FROM && <Filter colors={colors} filter={filter} onChange={setFilter} />}
      {colors.length === 0 && <p className="soft">No colors yet. Add the first one above.</p>}
      <p className={shown.length === 0 && colors.length > 0 ? 'soft' : 'unseen'} role="status">
        {shown.length === 0 && colors.length > 0 ? 'No color is like that.' : filter === EVERY_COLOR ? '' : countText(shown.length)}
      </p>
      <ul className={css.grid} role="list">
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
    <div className={css.filter} role="search" aria-label="Colors">
      <input
        className="input"
        type="search"
        aria-label="Find a color"
        placeholder="Find a color"
        value={filter.words}
        onChange={(event) => onChange({ ...filter, words: event.currentTarget.value })}
      />
      <div className={css.choices} role="group" aria-label="Show">
        {choices.map(([only, label, count]) => (
          <button
            key={only}
            type="button"
            className={css.choice}
            aria-pressed={filter.only === only}
            onClick={() => onChange({ ...filter, only })}
          >
            {label} <span className="tabular">{count}</span>
          </button>
        ))}
      </div>
    </div>
  )
}
