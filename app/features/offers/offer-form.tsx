import { useEffect, useRef, useState } from 'react'
import { Form, Link, useNavigation } from 'react-router'
import { Plus } from '#app/ui/icons.tsx'
import { CreditFields } from '#app/features/credits/credit-fields.tsx'
import type { Credit } from '#app/features/credits/credit.ts'
import { depositOf } from '#app/features/payments/payment.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { Field, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import type { ActionResult } from '#app/ui/action-result.ts'
import { UnsavedInputDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { MAX_LINE_TEXT, MAX_OFFER_LINES, MAX_QUANTITY } from './offer.ts'
import { offerFormTexts as texts } from './owner-texts.ts'
import { type LineValues, type OfferValues, readOfferForm, typedTotal } from './offer-values.ts'
import css from './offer-form.module.css'

export type OfferFormResult = ActionResult & { values?: OfferValues }

type Props = {
  customer: string
  orderPath: string
  /** The customer's unused credits, the oldest first. */
  credits: Credit[]
  /** the deposit in percent, or 0 */
  depositPercent: number
  /** the names of the pieces of the open offer that cannot be offered again */
  leftOut: string[]
  values: OfferValues
  answer: OfferFormResult | undefined
}

const noErrors: Record<string, string> = {}

export function OfferPage({
  customer,
  orderPath,
  credits,
  depositPercent,
  leftOut,
  values: loaded,
  answer,
}: Props) {
  // The form keeps its id and its first values when a live update loads the page's data again. [S-450]
  const [first] = useState(loaded)
  const values = answer?.values ?? first
  const errors = answer?.errors ?? noErrors
  const [typed, setTyped] = useState({ values, form: values })
  const total = typedTotal(typed.values === values ? typed.form : values, credits)
  const isPending = useNavigation().formMethod === 'POST'
  const main = useRef<HTMLElement>(null)
  useFocusFirstInvalid(main, errors)
  // After "Add a line", the name of the new line gets the focus. After "Remove line", the button "Add a line" gets it.
  const lineCount = useRef(values.lines.length)
  useEffect(() => {
    const change = values.lines.length - lineCount.current
    lineCount.current = values.lines.length
    const next = change > 0 ? 'input[name=name]' : change < 0 ? 'button[name=add]' : null
    if (next) [...main.current!.querySelectorAll<HTMLElement>(next)].at(-1)?.focus()
  }, [values.lines])
  return (
    <main
      className="page"
      id="main"
      ref={main}
    >
      <p>
        <Link
          className="tap"
          to={orderPath}
        >
          {texts.back}
        </Link>
      </p>
      <h1>{texts.title(customer)}</h1>
      <p className="intro">{texts.intro}</p>
      {leftOut.length > 0 && <p role="status">{texts.leftOut(leftOut)}</p>}
      <Form
        method="post"
        className="stack"
        noValidate
        onInput={({ currentTarget }) =>
          setTyped({ values, form: readOfferForm(new FormData(currentTarget)) })
        }
      >
        {/* Enter clicks the first button of a form. This hidden button is the first, so that Enter does not add or remove a line. */}
        <button
          className="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
        />
        <input
          type="hidden"
          name="id"
          value={values.id}
        />
        {errors.lines && (
          <p
            className="error"
            role="alert"
          >
            {errors.lines}
          </p>
        )}
        {values.lines.map((line, at) => (
          // After a line was added or removed, the fields get the values of their new lines.
          <OfferLineFields
            key={`${values.lines.length}-${at}`}
            line={line}
            at={at}
            errors={errors}
          />
        ))}
        {values.lines.length < MAX_OFFER_LINES && (
          <button
            className={`button quiet ${css.add}`}
            name="add"
            value="line"
            aria-disabled={isPending}
          >
            <Plus
              size={20}
              aria-hidden
            />{' '}
            {texts.add}
          </button>
        )}
        <div className={`card ${css.fields} ${css.terms}`}>
          <Field
            label={texts.shipping}
            name="shipping"
            error={errors.shipping}
          >
            {(tied) => (
              <input
                {...tied}
                inputMode="decimal"
                autoComplete="off"
                defaultValue={values.shipping}
              />
            )}
          </Field>
          <Field
            label={texts.readyBy}
            name="readyBy"
            error={errors.readyBy}
          >
            {(tied) => (
              <input
                {...tied}
                type="date"
                defaultValue={values.readyBy}
              />
            )}
          </Field>
          <Field
            label={texts.validUntil}
            name="validUntil"
            error={errors.validUntil}
          >
            {(tied) => (
              <input
                {...tied}
                type="date"
                defaultValue={values.validUntil}
              />
            )}
          </Field>
          <label className={`check ${css.wide}`}>
            <input
              type="checkbox"
              name="isShipped"
              defaultChecked={values.isShipped}
            />
            {texts.isShipped}
          </label>
          <CreditFields
            credit={credits[0] ?? null}
            values={values}
            error={errors.creditCode}
            className={css.wide}
          />
          <Field
            label={texts.message}
            name="message"
            error={errors.message}
            className={`field ${css.wide}`}
          >
            {(tied) => (
              <textarea
                {...tied}
                rows={3}
                defaultValue={values.message}
              />
            )}
          </Field>
        </div>
        <OfferSum
          total={total}
          depositPercent={depositPercent}
        />
        <button
          className="button"
          aria-disabled={isPending}
        >
          {isPending ? texts.sending : texts.send}
        </button>
      </Form>
      <UnsavedInputDialog
        root={main}
        isRefused={answer?.values !== undefined}
      />
    </main>
  )
}

/** Without JavaScript, the sum is that of the stored values. The server computes the sum of the offer itself. */
function OfferSum({ total, depositPercent }: { total: number | null; depositPercent: number }) {
  const currency = useCurrency()
  const money = (cents: number | null) => (cents === null ? '–' : formatMoney(cents, currency))
  return (
    <p
      className="strong flush"
      role="status"
    >
      {texts.total(money(total))}
      {depositPercent > 0 &&
        ` · ${texts.deposit(money(total && depositOf(total, depositPercent)))}`}
    </p>
  )
}

function OfferLineFields({
  line,
  at,
  errors,
}: {
  line: LineValues
  at: number
  errors: Record<string, string>
}) {
  const [isIncluded, setIncluded] = useState(line.isIncluded)
  const error = (field: string) => errors[`${field}-${at}`]
  return (
    <fieldset
      className={`card ${css.fields}`}
      data-left-out={!isIncluded || undefined}
    >
      <legend className="visually-hidden">{texts.line(at + 1)}</legend>
      <input
        type="hidden"
        name="itemId"
        value={line.itemId}
      />
      {line.itemId === '' ? (
        <Field
          label={texts.name}
          name="name"
          error={error('name')}
          className={`field ${css.wide}`}
        >
          {(tied) => (
            <input
              {...tied}
              autoComplete="off"
              maxLength={MAX_LINE_TEXT}
              defaultValue={line.name}
            />
          )}
        </Field>
      ) : (
        <label className={`check ${css.wide}`}>
          <input
            type="hidden"
            name="name"
            value={line.name}
          />
          <input
            type="checkbox"
            name="include"
            value={line.itemId}
            checked={isIncluded}
            onChange={(event) => setIncluded(event.currentTarget.checked)}
            aria-label={`${texts.include}: ${line.name}`}
          />
          <strong>{line.name}</strong>
        </label>
      )}
      <Field
        label={texts.price}
        name="price"
        error={error('price')}
      >
        {(tied) => (
          <input
            {...tied}
            inputMode="decimal"
            autoComplete="off"
            defaultValue={line.price}
          />
        )}
      </Field>
      <Field
        label={texts.quantity}
        name="quantity"
        error={error('quantity')}
      >
        {(tied) => (
          <input
            {...tied}
            type="number"
            min={1}
            max={MAX_QUANTITY}
            defaultValue={line.quantity}
          />
        )}
      </Field>
      <Field
        label={texts.color}
        name="color"
        error={error('color')}
      >
        {(tied) => (
          <input
            {...tied}
            autoComplete="off"
            maxLength={MAX_LINE_TEXT}
            defaultValue={line.color}
          />
        )}
      </Field>
      <Field
        label={texts.notes}
        name="notes"
        error={error('notes')}
      >
        {(tied) => (
          <input
            {...tied}
            autoComplete="off"
            maxLength={MAX_LINE_TEXT}
            defaultValue={line.notes}
          />
        )}
      </Field>
      {line.itemId === '' && (
        <button
          className={`button quiet ${css.remove}`}
          name="remove"
          value={at}
          aria-label={texts.removeLine(at + 1)}
        >
          {texts.remove}
        </button>
      )}
    </fieldset>
  )
}
