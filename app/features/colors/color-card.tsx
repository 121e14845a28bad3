/** One colour of the owner's grid: its name, its two marks, and what else can be done with it. */
import { useFetcher } from 'react-router'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { ChangeColor } from './change-color.tsx'
import { colorMarks, type ColorMark, type ColorUses } from './color-fields.ts'
import css from './color-card.module.css'
import { DeleteColor } from './delete-color.tsx'

export function ColorCard({ color, uses }: { color: Color; uses: ColorUses }) {
  const deleting = useFetcher<Answer>()
  return (
    <li className={`card ${css.card}`} data-busy={deleting.state !== 'idle' || undefined}>
      {color.picture ? <Picture className={css.swatch} picture={color.picture} alt="" sizes="6rem" /> : <div className={css.swatch} />}
      <h2 className={css.name}>{colorName(color)}</h2>
      <div className={css.acts}>
        <ChangeColor color={color} />
        <DeleteColor color={color} uses={uses} Form={deleting.Form} />
      </div>
      <div className={css.marks}>
        <Mark color={color} mark="isAvailable" />
        <Mark color={color} mark="isLowOnStock" />
      </div>
    </li>
  )
}

/** COLOR-07, COLOR-08: written at once; while it is on its way the box shows what was asked for, afterwards what is stored (S-104). */
function Mark({ color, mark }: { color: Color; mark: ColorMark }) {
  const label = colorMarks[mark]
  const fetcher = useFetcher<Answer>()
  const isSet = fetcher.formData ? fetcher.formData.has('on') : color[mark]
  return (
    <fetcher.Form method="post" className={css.mark}>
      <BackField />
      <input type="hidden" name="intent" value="mark" />
      <input type="hidden" name="id" value={color.id} />
      <input type="hidden" name="mark" value={mark} />
      <label className={css.markLabel} data-warns={isSet === (mark === 'isLowOnStock') || undefined}>
        <input
          type="checkbox"
          name="on"
          aria-label={`${label} (${colorName(color)})`}
          checked={isSet}
          // At once: a box that waits for its turn jumps back for a moment.
          onChange={(event) => void fetcher.submit(event.currentTarget.form, { flushSync: true })}
        />
        {label}
      </label>
      <noscript>
        <button className="button quiet">Save</button>
      </noscript>
    </fetcher.Form>
  )
}
