import { useId, useRef, useState } from 'react'
import { href, Link } from 'react-router'
import { normalizeForSearch } from '#lib/text/normalize-for-search.ts'
import { SALE_METHODS, paymentMethodName } from '#sales/texts.ts'
import type { ActionResult } from '#ui/action-result.ts'
import { ActionForm, SubmitButton, usePageForm } from '#ui/action-form.tsx'
import { InputField } from '#ui/form-fields.tsx'
import { UnsavedInputDialog } from '#ui/unsaved-changes-dialog.tsx'
import { MAX_BUYER_NAME, MAX_PIECE_NAME } from './direct-sale.ts'
import type { readSaleForm } from './sale-form.server.ts'
import css from './market-stall.module.css'
import { addSaleTexts as texts } from './texts.ts'

export type SaleValues = {
  id: string
  piece: string
  price: string
  method: string
  day: string
  buyerName: string
}
export type AddSaleFormResult = ActionResult & { values?: SaleValues }

type AddSalePageProps = Awaited<ReturnType<typeof readSaleForm>> & {
  actionData: AddSaleFormResult | undefined
}

export function AddSalePage({ pieces, today, values: initial, actionData }: AddSalePageProps) {
  const form = usePageForm(actionData)
  const { answer } = form
  const values = answer?.values ?? initial
  const main = useRef<HTMLElement>(null)
  // The id stays when the page reloads its data, so a form that is sent twice adds one sale.
  const [firstId] = useState(initial.id)
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
        <ActionForm
          form={form}
          preventScrollReset={false}
          className={`card ${css.form}`}
          noValidate
          fields={{ id: answer?.values?.id ?? firstId }}
        >
          {answer?.error && (
            <p
              className="error mb-5"
              role="alert"
            >
              {answer.error}
            </p>
          )}
          <PieceFields
            pieces={pieces}
            values={values}
          />
          <MethodChoice
            chosen={values.method}
            error={answer?.errors?.method}
          />
          <InputField
            label={texts.day}
            name="day"
            type="date"
            max={today}
            defaultValue={values.day}
          />
          <InputField
            label={texts.buyer}
            name="buyerName"
            autoComplete="off"
            maxLength={MAX_BUYER_NAME}
            defaultValue={values.buyerName}
          />
          <SubmitButton>{form.isPending ? texts.sending : texts.send}</SubmitButton>
        </ActionForm>
        <UnsavedInputDialog
          root={main}
          isRefused={answer?.values !== undefined}
        />
      </div>
    </main>
  )
}

function PieceFields({ pieces, values }: Pick<AddSalePageProps, 'pieces' | 'values'>) {
  const listId = useId()
  const [typedName, setTypedName] = useState(values.piece)
  const piece = pieces.find(
    ({ name }) => normalizeForSearch(name) === normalizeForSearch(typedName.trim()),
  )
  return (
    <>
      <InputField
        label={texts.piece}
        name="piece"
        hint={texts.pieceHint}
        list={listId}
        autoComplete="off"
        maxLength={MAX_PIECE_NAME}
        defaultValue={values.piece}
        onChange={(event) => setTypedName(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {pieces.map(({ name, price }, index) => (
          <option
            value={name}
            key={index}
          >
            {price}
          </option>
        ))}
      </datalist>
      <InputField
        label={texts.price}
        name="price"
        hint={texts.priceHint}
        inputMode="decimal"
        autoComplete="off"
        placeholder={piece?.price}
        defaultValue={values.price}
      />
    </>
  )
}

type MethodChoiceProps = { chosen: string; error?: string | undefined }

export const MethodChoice = ({ chosen, error }: MethodChoiceProps) => (
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
