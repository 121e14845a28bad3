import { colorName } from '#catalog/catalog.ts'
import { splitColors } from '#catalog/joined-colors.ts'
import { colorChangeTexts } from './color-change-texts.ts'
import css from './color-change.module.css'

type ColorChangeProps = {
  colors: readonly { id: string; name: string }[]
  colorId: string
  isUnique: boolean
  requestedColor: string
}

/** An order has one line of a piece, so another color changes it. [S-490] */
export function ColorChange({ colors, isUnique, requestedColor, colorId }: ColorChangeProps) {
  const option = colors.find(({ id }) => id === colorId)
  if (!option || colorName(option) === requestedColor) return null
  const isIncluded = splitColors(requestedColor).includes(colorName(option))
  const change = colorChangeTexts.change(requestedColor, colorName(option))
  if (isUnique || isIncluded) return <p className="notice">{change}</p>
  return (
    <div className={`notice ${css.choice}`}>
      {(['changed', 'both'] as const).map((value) => (
        <label
          key={value}
          className="check"
        >
          <input
            type="radio"
            name="colors"
            value={value}
            defaultChecked={value === 'changed'}
          />
          {value === 'both' ? colorChangeTexts.oneOfEach : change}
        </label>
      ))}
    </div>
  )
}
