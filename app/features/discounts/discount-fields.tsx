/** Type and value of a discount. */
import type { Discount } from '#app/features/money/money.ts'
import css from './discounts.module.css'

type Props = {
  prefix: string
  /** id of the form they belong to where they do not stand in it */
  form?: string
  type: Discount['type']
  value: string
  error?: string | undefined
}

/** DISC-03: "Amount" or "Percent". */
export function DiscountFields({ prefix, form, type, value, error }: Props) {
  const id = (name: string) => `${prefix}-${name}`
  return (
    <>
      <div className={css.field}>
        <label htmlFor={id('type')}>Discount type</label>
        <select className="input" id={id('type')} name="type" form={form} defaultValue={type}>
          <option value="amount">Amount</option>
          <option value="percent">Percent</option>
        </select>
      </div>
      <div className={css.field}>
        <label htmlFor={id('value')}>Value</label>
        <input
          className="input tabular"
          id={id('value')}
          name="value"
          form={form}
          inputMode="decimal"
          placeholder={form ? 'Value' : undefined}
          autoComplete="off"
          defaultValue={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? id('error') : undefined}
        />
      </div>
      {error && (
        <p className={`error ${css.wide}`} id={id('error')} role="alert">
          {error}
        </p>
      )}
    </>
  )
}
