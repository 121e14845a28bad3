import { useEffect, useId, useState } from 'react'
import { Link } from 'react-router'
import { discountTag } from '#app/features/pricing/money.ts'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, stockHint, type Color, type Item } from './catalog.ts'
import css from './item-colors.module.css'
import { chosenColor, PICTURE_ID, pictureWearing, searchOf, type Shown, takesOver } from './shown-picture.ts'

type Props = { item: Item; shown: Shown; show: (wanted: Shown) => void }

export function ItemColors({ item, shown, show }: Props) {
  // Escape sends a tooltip away, also from under a resting pointer; the next colour shows its own again.
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => {
    // A pointer that hovers has no focus: the key goes to the document.
    const hush = (event: KeyboardEvent) => event.key === 'Escape' && setQuiet(true)
    document.addEventListener('keydown', hush)
    return () => document.removeEventListener('keydown', hush)
  }, [])
  if (item.colors.length === 0) return null
  const chosen = chosenColor(item.pictures, shown)
  const speak = () => setQuiet(false)
  return (
    <section aria-labelledby="colors-used">
      <h2 id="colors-used" className={`strong ${css.title}`}>
        Colors Used
      </h2>
      <ul className={`wrap ${css.colors}`} data-quiet={isQuiet || undefined}>
        {item.colors.map((color) => (
          <li key={color.id} className={`anchor ${css.color}`}>
            <ColorChip
              color={color}
              isChosen={color.id === chosen}
              speak={speak}
              choose={() => {
                show({ index: pictureWearing(item.pictures, color.id), colorId: color.id })
                // On a phone the picture may have gone out of sight above.
                document.getElementById(PICTURE_ID)?.scrollIntoView({ block: 'nearest' })
              }}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type ChipProps = { color: Color; isChosen: boolean; choose: () => void; speak: () => void }

function ColorChip({ color, isChosen, choose, speak }: ChipProps) {
  const tip = useId()
  const hint = stockHint(color)
  return (
    <>
      <Link
        to={searchOf({ index: 0, colorId: color.id })}
        onClick={(event) => takesOver(event) && choose()}
        onPointerEnter={speak}
        onFocus={speak}
        className={`tap undecorated ${css.chip}`}
        aria-current={isChosen ? 'true' : undefined}
        aria-describedby={hint ? tip : undefined}
      >
        <span className={`rigid raised round ${css.swatch}`} data-gone={!color.isAvailable || undefined}>
          {color.picture && <Picture picture={color.picture} alt="" sizes="2rem" />}
        </span>
        <span>{colorName(color)}</span>
        {color.discount && <span className={`small strong unbroken round ${css.tag}`}>{discountTag(color.discount)}</span>}
        {hint && <span className={`rigid round ${css.dot}`} data-gone={!color.isAvailable || undefined} aria-hidden="true" />}
      </Link>
      {hint && (
        <span role="tooltip" id={tip} className={`centered-text small raised ${css.tip}`}>
          {colorName(color)}: {hint}
        </span>
      )}
    </>
  )
}
