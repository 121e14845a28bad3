/** The colours of one image; with many colours they can be searched (MERCH-19). */
import { useId, useState } from 'react'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { smallestUrl } from '#app/ui/picture.tsx'
import { fold } from '#app/platform/fold.ts'
import css from './edit-image-colors.module.css'

type Props = {
  id: string
  name: string
  colors: Color[]
  chosen: string[]
  /** of the image before it: photos of one piece often have the same */
  previous: string[]
  onChange: (chosen: string[]) => void
}

/** As many can be looked over at once. */
const FEW = 8

export function EditImageColors({ id, name, colors, chosen, previous, onChange }: Props) {
  const searchId = useId()
  const [search, setSearch] = useState('')
  const isMeant = (color: Color) => fold(colorName(color)).includes(fold(search.trim()))
  const isNone = !colors.some(isMeant)
  const hasOther = previous.some((color) => !chosen.includes(color))
  return (
    <details className={css.colors}>
      <summary>
        {`Colors (${chosen.length})`}
        <span className={css.chosen} aria-hidden>
          {colors
            .filter((color) => chosen.includes(color.id))
            .slice(0, 6)
            .map((color) => (
              <Swatch color={color} key={color.id} />
            ))}
        </span>
      </summary>
      {hasOther && (
        <button type="button" className={`button quiet ${css.same}`} onClick={() => onChange([...new Set([...chosen, ...previous])])}>
          Same as the image before
        </button>
      )}
      {colors.length > FEW && (
        <div className={css.search}>
          <label className="unseen" htmlFor={searchId}>{`Search the colors of ${name}`}</label>
          <input
            className="input"
            id={searchId}
            type="search"
            placeholder="Search colors"
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            // Enter would save the item.
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        </div>
      )}
      <div className={css.list} role="group" aria-label={`Colors of ${name}`}>
        {colors.map((color) => (
          // Hidden, not taken out: without script a form sends what it holds.
          <label className={css.color} key={color.id} hidden={!isMeant(color)}>
            <input
              type="checkbox"
              name={`color:${id}`}
              value={color.id}
              checked={chosen.includes(color.id)}
              onChange={(event) => onChange(event.currentTarget.checked ? [...chosen, color.id] : chosen.filter((one) => one !== color.id))}
            />
            <Swatch color={color} />
            {colorName(color)}
          </label>
        ))}
        {isNone && <p className="soft">{colors.length === 0 ? 'No colors yet' : 'No such color'}</p>}
      </div>
    </details>
  )
}

function Swatch({ color: { picture } }: { color: Color }) {
  return picture ? (
    <img className={css.swatch} src={smallestUrl(picture)} alt="" loading="lazy" decoding="async" />
  ) : (
    <span className={css.swatch} />
  )
}
