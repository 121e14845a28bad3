import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { Field } from '#app/ui/form-fields.tsx'
import type { Credit, CreditValues } from './credit.ts'
import { creditFormTexts as texts } from './owner-texts.ts'

/** `credit` is the customer's oldest unused credit, or null. */
type Props = {
  credit: Credit | null
  values: CreditValues
  error: string | undefined
  className: string | undefined
}

/** Fields of the offer form with which the owner uses a credit. She ticks the customer's oldest credit, or types the code of another credit of this customer. [AGREE-64] */
export function CreditFields({ credit, values, error, className = '' }: Props) {
  const currency = useCurrency()
  return (
    <>
      {credit && (
        <label
          key={credit.code}
          className={`check ${className}`}
        >
          <input
            type="checkbox"
            name="credit"
            value={credit.code}
            defaultChecked={values.credit === credit.code}
          />
          <span>{texts.use(formatMoney(credit.cents, currency), credit.code)}</span>
        </label>
      )}
      <Field
        label={texts.code}
        name="creditCode"
        error={error}
        hint={texts.hint}
        className={`field ${className}`}
      >
        {(tied) => (
          <input
            {...tied}
            autoComplete="off"
            autoCapitalize="characters"
            maxLength={20}
            defaultValue={values.creditCode}
          />
        )}
      </Field>
    </>
  )
}
