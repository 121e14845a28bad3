/** Puts the selected items on sale, or ends their sale (DISC-42 to DISC-53). */
import { useState, type ReactNode } from 'react'
import { useFetcher } from 'react-router'
import type { Discount } from '#app/features/money/money.ts'
import type { Answer } from '#app/ui/answer.ts'
import { Ask } from '#app/ui/ask.tsx'
import { BackField, useHasScript } from '#app/ui/back-field.tsx'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import { DiscountFields } from './discount-fields.tsx'
import { applyQuestion, readTypedDiscount, removeQuestion } from './discount-texts.ts'
import css from './discounts.module.css'

/** The form to which the boxes of the results belong. */
export const ITEMS_FORM = 'items-panel'

export function ItemsPanel({ selected }: { selected: string[] }) {
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const hasScript = useHasScript()
  const [type, setType] = useState<Discount['type']>('amount')
  const [value, setValue] = useState('')
  const discount = readTypedDiscount(type, value)
  const ask = (intent: string) => (yesNo: ReactNode) => (
    <fetcher.Form method="post">
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="type" value={type} />
      <input type="hidden" name="value" value={value} />
      {selected.map((id) => (
        <input type="hidden" name="item" value={id} key={id} />
      ))}
      {yesNo}
    </fetcher.Form>
  )
  return (
    <div className={css.panel} role="group" aria-label="Discount of the selected items">
      {/* The questions have forms of their own, so fields and boxes belong to this one by its id. */}
      <fetcher.Form method="post" id={ITEMS_FORM}>
        <BackField />
      </fetcher.Form>
      <DiscountFields
        prefix="items"
        form={ITEMS_FORM}
        type={type}
        value={value}
        {...(hasScript ? { onType: setType, onValue: setValue } : {})}
        error={fetcher.data?.field === 'value' ? fetcher.data.error : undefined}
      />
      {/* A refusal needs no question: the form is sent as it is and the server says what is missing. */}
      <div className={css.buttons}>
        {discount && selected.length > 0 ? (
          <Ask className="button" label="Apply" question={applyQuestion(selected.length, discount)}>
            {ask('items-apply')}
          </Ask>
        ) : (
          <button className="button" form={ITEMS_FORM} name="intent" value="items-apply">
            Apply
          </button>
        )}
        {selected.length > 0 ? (
          <Ask label="Remove Discount" question={removeQuestion(selected.length)}>
            {ask('items-remove')}
          </Ask>
        ) : (
          <button className="button danger" form={ITEMS_FORM} name="intent" value="items-remove">
            Remove Discount
          </button>
        )}
      </div>
      <noscript>
        <label className={css.check}>
          <input type="checkbox" form={ITEMS_FORM} name="confirm" value="Yes" />
          Yes, do it
        </label>
      </noscript>
    </div>
  )
}
