import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { Plus } from '#ui/owner-icons.tsx'
import type { Credit } from '#credits/credit.ts'
import type { Cents } from '#pricing/money.ts'
import { useMoney } from '#pricing/use-money.ts'
import { ActionForm, SubmitButton, usePageForm } from '#ui/action-form.tsx'
import { InputField, TextareaField } from '#ui/form-fields.tsx'
import type { ActionResult } from '#ui/action-result.ts'
import { UnsavedInputDialog } from '#ui/unsaved-changes-dialog.tsx'
import { MAX_LINE_TEXT, MAX_OFFER_LINES, MAX_QUANTITY } from './offer.ts'
import type { OfferFormDefaults } from './offer-form.server.ts'
import { offerFormTexts as texts } from './owner-texts.ts'
import {
  type LineValues,
  type OfferValues,
  readOfferForm,
  typedDeposit,
  typedTotal,
} from './offer-values.ts'
import css from './offer-form.module.css'
import { creditFormTexts } from '#credits/owner-texts.ts'

export type OfferFormResult = ActionResult & { values?: OfferValues }

type OfferPageProps = Omit<OfferFormDefaults, 'orderId'> & {
  orderPath: string
  answer: OfferFormResult | undefined
}

export function OfferPage({
  customer,
  orderPath,
  credits,
  depositPercent,
  leftOut,
  values: loaded,
  answer,
}: OfferPageProps) {
  // A live update must not change the id and the first values of the form.
  const [firstValues] = useState(loaded)
  const values = answer?.values ?? firstValues
  const [typed, setTyped] = useState({ values, form: values })
  const currentValues = typed.values === values ? typed.form : values
  const total = typedTotal(currentValues, credits)
  const form = usePageForm(answer)
  const main = useRef<HTMLElement>(null)
  useLineFocus(main, values.lines)
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
      <ActionForm
        form={form}
        preventScrollReset={false}
        className="grid gap-4"
        fields={{ id: values.id }}
        noValidate
        onInput={({ currentTarget }) =>
          setTyped({ values, form: readOfferForm(new FormData(currentTarget)) })
        }
      >
        {/* Enter clicks the first button, which must not add or remove a line. */}
        <button
          className="sr-only"
          tabIndex={-1}
          aria-hidden="true"
        />
        <OfferLines
          lines={values.lines}
          errors={answer?.errors}
        />
        <OfferTerms
          values={values}
          credits={credits}
          depositPercent={depositPercent}
        />
        <OfferSum
          total={total}
          deposit={typedDeposit(currentValues, total, depositPercent)}
        />
        <SubmitButton>{form.isPending ? texts.sending : texts.send}</SubmitButton>
      </ActionForm>
      <UnsavedInputDialog
        root={main}
        isRefused={answer?.values !== undefined}
      />
    </main>
  )
}

function useLineFocus(main: RefObject<HTMLElement | null>, lines: readonly LineValues[]) {
  const lineCount = useRef(lines.length)
  useEffect(() => {
    const change = lines.length - lineCount.current
    lineCount.current = lines.length
    if (change === 0) return
    const selector = change > 0 ? 'input[name=name]' : 'button[name=add]'
    Array.from(main.current!.querySelectorAll<HTMLElement>(selector)).at(-1)?.focus()
  }, [main, lines])
}

type OfferLinesProps = { lines: LineValues[]; errors: OfferFormResult['errors'] }

const OfferLines = ({ lines, errors }: OfferLinesProps) => (
  <>
    {errors?.lines && (
      <p
        className="error"
        role="alert"
      >
        {errors.lines}
      </p>
    )}
    {lines.map((line, index) => (
      <OfferLineFields
        key={`${lines.length}-${index}`}
        line={line}
        index={index}
        errors={errors}
      />
    ))}
    {lines.length < MAX_OFFER_LINES && (
      <SubmitButton
        className={`button quiet ${css.add}`}
        name="add"
        value="line"
      >
        <Plus
          size={20}
          aria-hidden
        />{' '}
        {texts.add}
      </SubmitButton>
    )}
  </>
)

type OfferTermsProps = Pick<OfferPageProps, 'values' | 'credits' | 'depositPercent'>

function OfferTerms({ values, credits, depositPercent }: OfferTermsProps) {
  return (
    <div className={`card ${css.fields} ${css.terms}`}>
      <InputField
        label={texts.shipping}
        name="shipping"
        inputMode="decimal"
        autoComplete="off"
        defaultValue={values.shipping}
      />
      <InputField
        label={texts.depositField}
        name="deposit"
        hint={texts.depositHint(depositPercent)}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={values.deposit}
      />
      <InputField
        label={texts.readyBy}
        name="readyBy"
        type="date"
        defaultValue={values.readyBy}
      />
      <InputField
        label={texts.validUntil}
        name="validUntil"
        type="date"
        defaultValue={values.validUntil}
      />
      <label className={`check ${css.wide}`}>
        <input
          type="checkbox"
          name="isShipped"
          defaultChecked={values.isShipped}
        />
        {texts.isShipped}
      </label>
      <CreditFields
        credit={credits[0]}
        values={values}
      />
      <TextareaField
        label={texts.message}
        name="message"
        className={`field ${css.wide}`}
        rows={3}
        defaultValue={values.message}
      />
    </div>
  )
}

function CreditFields({ credit, values }: { credit: Credit | undefined; values: OfferValues }) {
  const money = useMoney()
  return (
    <>
      {credit && (
        <label
          key={credit.code}
          className={`check ${css.wide}`}
        >
          <input
            type="checkbox"
            name="credit"
            value={credit.code}
            defaultChecked={values.credit === credit.code}
          />
          <span>{creditFormTexts.use(money(credit.cents), credit.code)}</span>
        </label>
      )}
      <InputField
        label={creditFormTexts.code}
        name="creditCode"
        hint={creditFormTexts.hint}
        className={`field ${css.wide}`}
        autoComplete="off"
        autoCapitalize="characters"
        maxLength={20}
        defaultValue={values.creditCode}
      />
    </>
  )
}

type OfferSumProps = { total: Cents | null; deposit: Cents | null }

function OfferSum({ total, deposit }: OfferSumProps) {
  const money = useMoney()
  const amount = (cents: Cents | null) => (cents === null ? '–' : money(cents))
  return (
    <p
      className="font-semibold m-0"
      role="status"
    >
      {texts.total(amount(total))}
      {deposit !== 0 && ` · ${texts.deposit(amount(deposit))}`}
    </p>
  )
}

type OfferLineProps = {
  line: LineValues
  index: number
  errors: Record<string, string> | undefined
}

function OfferLineFields(props: OfferLineProps) {
  const { line, index } = props
  const [isIncluded, setIncluded] = useState(line.isIncluded)
  const text = { ...props, autoComplete: 'off', maxLength: MAX_LINE_TEXT }
  return (
    <fieldset
      className={`card ${css.fields}`}
      data-left-out={!isIncluded || undefined}
    >
      <legend className="sr-only">{texts.line(index + 1)}</legend>
      <input
        type="hidden"
        name="itemId"
        value={line.itemId}
      />
      {line.itemId === '' ? (
        <LineField
          {...text}
          name="name"
          className={`field ${css.wide}`}
        />
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
      <LineField
        {...props}
        name="price"
        inputMode="decimal"
        autoComplete="off"
      />
      <LineField
        {...props}
        name="quantity"
        type="number"
        min={1}
        max={MAX_QUANTITY}
      />
      <LineField
        {...text}
        name="color"
      />
      <LineField
        {...text}
        name="notes"
      />
      {line.itemId === '' && (
        <button
          className={`button quiet ${css.remove}`}
          name="remove"
          value={index}
          aria-label={texts.removeLine(index + 1)}
        >
          {texts.remove}
        </button>
      )}
    </fieldset>
  )
}

type LineFieldProps = OfferLineProps &
  ComponentProps<'input'> & { name: 'name' | 'price' | 'quantity' | 'color' | 'notes' }

const LineField = ({ line, index, errors, name, ...attributes }: LineFieldProps) => (
  <InputField
    label={texts[name]}
    name={name}
    error={errors?.[`${name}-${index}`]}
    {...attributes}
    defaultValue={line[name]}
  />
)
