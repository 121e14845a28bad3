/** Home's grid of colours: twelve, or all of them after View All (HOME-11 to HOME-14, S-024, S-025). */
import ChevronDown from 'lucide-react/icons/chevron-down'
import { Form } from 'react-router'
import { colorName, stockHint, type Color } from '#app/features/catalog/catalog.ts'
import { Picture } from '#app/ui/picture.tsx'
import css from './home-colors.module.css'

export function HomeColors({ colors, isAll }: { colors: Color[]; isAll: boolean }) {
  if (colors.length === 0) return null
  return (
    <section id="colors" aria-labelledby="colors-title" className={css.section}>
      <h2 id="colors-title" className={css.title}>
        Look through our Available Colors
      </h2>
      <ul className={css.grid}>
        {colors.map((color) => (
          <li key={color.id} className={css.color} data-gone={!color.isAvailable || undefined}>
            <span className={css.swatch}>
              {color.picture && <Picture picture={color.picture} alt="" sizes="(min-width: 769px) 9rem, 28vw" />}
            </span>
            {colorName(color)}
            {stockHint(color) && <span className={css.hint}>{stockHint(color)}</span>}
          </li>
        ))}
      </ul>
      <Form method="get" action="/" preventScrollReset replace>
        <button className={`button quiet ${css.all}`} name={isAll ? undefined : 'colors'} value="all" aria-expanded={isAll}>
          View All
          <ChevronDown aria-hidden size={18} />
        </button>
      </Form>
    </section>
  )
}
