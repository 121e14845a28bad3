import { useId, useRef, useState } from 'react'
import { Form, href, Link, useNavigation } from 'react-router'
import { normalizeForSearch } from '#app/lib/text/normalize-for-search.ts'
import { SALE_METHODS, paymentMethodName } from '#app/features/sales/payment-method.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { Field, useFocusFirstInvalid } from '#app/ui/form-fields.tsx'
import { UnsavedInputDialog } from '#app/ui/unsaved-changes-dialog.tsx'
import { MAX_BUYER_NAME, MAX_PIECE_NAME } from './direct-sale.ts'
import css from './market-stall.module.css'
import { addSaleTexts as texts } from './texts.ts'

/** The texts that the owner typed into the form "Add a sale". */
export type SaleValues = {
  id: string
  piece: string
  price: string
  method: string
  day: string
  buyerName: string
}
export type AddSaleFormResult = ActionResult & { values?: SaleValues }

type Props = {
  pieces: { name: string; price: string }[]
  today: string
  values: SaleValues
  answer: AddSaleFormResult | undefined
}

export function AddSalePage({ pieces, today, values, answer }: Props) {
  const main = useRef<HTMLElement>(null)
  const listId = useId()
  // The id of the sale stays the same when the page loads its data again, so that the shop adds only one sale if the form is sent twice.
  const [firstId] = useState(values.id)
  const [piece, setPiece] = useState(values.piece)
  const chosen = pieces.find(
    ({ name }) => normalizeForSearch(name) === normalizeForSearch(piece.trim()),
  )
  const isPending = useNavigation().formMethod === 'POST'
  const errors = answer?.errors ?? {}
  useFocusFirstInvalid(main, answer)
  return (
    <main
      className="page"
      id="main"
      ref={main}
    >
      <div className={css.sheet}>
        <p>
          <Link
            className="tap"
            to={href('/manage/sales')}
          >
            {texts.back}
          </Link>
        </p>
        <h1>{texts.title}</h1>
        <p className="intro">{texts.intro}</p>
        <Form
          method="post"
          className={`card ${css.form}`}
          noValidate
        >
          <input
            type="hidden"
            name="id"
            value={answer?.values?.id ?? firstId}
          />
          {answer?.error && (
            <p
              className="error gap-below"
              role="alert"
            >
              {answer.error}
            </p>
          )}
          <Field
            label={texts.piece}
            name="piece"
            error={errors.piece}
            hint={texts.pieceHint}
          >
            {(tied) => (
              <input
                {...tied}
                list={listId}
                autoComplete="off"
                maxLength={MAX_PIECE_NAME}
                defaultValue={values.piece}
                onChange={(event) => setPiece(event.currentTarget.value)}
              />
            )}
          </Field>
          <datalist id={listId}>
            {pieces.map(({ name, price }, at) => (
              <option
                value={name}
                key={at}
              >
                {price}
              </option>
            ))}
          </datalist>
          <Field
            label={texts.price}
            name="price"
            error={errors.price}
            hint={texts.priceHint}
          >
            {(tied) => (
              <input
                {...tied}
                inputMode="decimal"
                autoComplete="off"
                placeholder={chosen?.price}
                defaultValue={values.price}
              />
            )}
          </Field>
          <MethodChoice
            chosen={values.method}
            error={errors.method}
          />
          <Field
            label={texts.day}
            name="day"
            error={errors.day}
          >
            {(tied) => (
              <input
                {...tied}
                type="date"
                max={today}
                defaultValue={values.day}
              />
            )}
          </Field>
          <Field
            label={texts.buyer}
            name="buyerName"
            error={errors.buyerName}
          >
            {(tied) => (
              <input
                {...tied}
                autoComplete="off"
                maxLength={MAX_BUYER_NAME}
                defaultValue={values.buyerName}
              />
            )}
          </Field>
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
      </div>
    </main>
  )
}

export function MethodChoice({ chosen, error }: { chosen: string; error?: string | undefined }) {
  return (
    <fieldset className={css.methods}>
      <legend>{texts.method}</legend>
      {SALE_METHODS.map((method) => (
        <label
          className={css.method}
          key={method}
        >
          <input
            type="radio"
            name="method"
            value={method}
            defaultChecked={method === chosen}
          />
          {paymentMethodName(method)}
        </label>
      ))}
      {error && (
        <p
          className="error"
          role="alert"
        >
          {error}
        </p>
      )}
    </fieldset>
  )
}
