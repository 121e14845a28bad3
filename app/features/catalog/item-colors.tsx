/** The colours of an item: name, a tooltip about the stock, and a tag when the colour is on sale (ITEM-09 to ITEM-14). */
import { useId } from 'react'
import { discountTag } from '#app/features/money/money.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, stockHint, type Color } from './catalog.ts'
import css from './item-colors.module.css'

export function ItemColors({ colors }: { colors: Color[] }) {
  if (colors.length === 0) return null
  return (
    <section aria-labelledby="colors-used">
      <h2 id="colors-used" className={css.title}>
        Colors Used
      </h2>
      <ul className={css.colors}>
        {colors.map((color) => (
          <li key={color.id}>
            <ColorChip color={color} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ColorChip({ color }: { color: Color }) {
  const tip = useId()
  const hint = stockHint(color)
  const inside = (
    <>
      <span className={css.swatch} data-gone={!color.isAvailable || undefined}>
        {color.picture && <Picture picture={color.picture} alt="" sizes="2rem" />}
      </span>
      {colorName(color)}
      {color.discount && <span className={css.tag}>{discountTag(color.discount)}</span>}
    </>
  )
  if (!hint) return <span className={css.chip}>{inside}</span>
  return (
    // A button, so that a key, a finger and a pointer all reach the tooltip; Escape sends it away.
    <button
      type="button"
      className={css.chip}
      aria-describedby={tip}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur()
      }}
    >
      {inside}
      <span className={css.dot} data-gone={!color.isAvailable || undefined} aria-hidden="true" />
      <span role="tooltip" id={tip} className={css.tip}>
        {colorName(color)}: {hint}
      </span>
    </button>
  )
}
