import { Link, useFetcher, useSearchParams } from 'react-router'
import { colorName, type Color } from '#app/features/catalog/catalog.ts'
import { discountTag } from '#app/features/pricing/money.ts'
import type { Answer } from '#app/ui/answer.ts'
import { BackField } from '#app/ui/back-field.tsx'
import { Field } from '#app/ui/form-fields.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { DiscountFields, UndoNotice } from './items-panel.tsx'
import { valueText, type Offer } from './discount-texts.ts'
import css from './discounts.module.css'

export function ColorsDiscount({ colors, offer }: { colors: Color[]; offer: Offer | null }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const [params] = useSearchParams()
  const chosen = colors.find((color) => color.id === params.get('color'))
  const onSale = colors.filter((color) => color.discount)
  const error = (field: string) => (fetcher.data?.field === field ? fetcher.data.error : undefined)
  const withColor = (id: string) => {
    const next = new URLSearchParams(params)
    next.set('color', id)
    return next
  }
  const isBusy = fetcher.state !== 'idle'
  return (
    <section className={`card gap-below ${css.part}`} aria-labelledby="colors-discount">
      <h2 id="colors-discount">Colors Discount</h2>
      <fetcher.Form method="post" className={css.fields}>
        <BackField />
        {/* Choosing in the strip loads the colour's values: the key makes the fields anew. */}
        <div className={`stack ${css.loaded}`} key={`${chosen?.id} ${chosen?.discount?.type} ${chosen?.discount?.value}`}>
          <Field label="Color" name="color" className={`stack slim ${css.field} ${css.wider}`} error={error('color')}>
            {(tied) => (
              <select {...tied} defaultValue={chosen?.id ?? ''}>
                <option value="">Select a color</option>
                {colors.map((color) => (
                  <option key={color.id} value={color.id}>
                    {colorName(color)}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <DiscountFields
            prefix="color"
            type={chosen?.discount?.type ?? 'percent'}
            value={chosen?.discount ? valueText(chosen.discount) : ''}
            error={error('value')}
          />
        </div>
        <div className={`cluster ${css.buttons}`}>
          <button className="button" name="intent" value="color-go" aria-disabled={isBusy}>
            Go
          </button>
          <button className="button quiet" name="intent" value="color-remove" aria-disabled={isBusy}>
            Remove
          </button>
        </div>
      </fetcher.Form>
      <div className={css.offer}>
        <UndoNotice offer={offer} />
      </div>
      <h3 className={css.stripTitle}>Colors on sale</h3>
      {onSale.length === 0 ? (
        <p className="soft">Empty</p>
      ) : (
        <ul className="cluster" role="list">
          {onSale.map((color) => (
            <li key={color.id}>
              <Link
                className={`row same-color undecorated round ${css.onSale}`}
                to={`?${withColor(color.id)}`}
                preventScrollReset
                replace
                aria-current={color.id === chosen?.id ? 'true' : undefined}
              >
                {color.picture && <Picture className={`photo ${css.swatch}`} picture={color.picture} alt="" sizes="3rem" />}
                <span>
                  {colorName(color)}
                  {color.discount && <span className={`small strong ${css.tag}`}>{discountTag(color.discount)}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
