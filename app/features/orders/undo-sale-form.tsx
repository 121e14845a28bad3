import { invoiceNumber } from '#conversation/invoice-number.ts'
import { useMoney } from '#pricing/use-money.ts'
import { ActionForm, SubmitButton, type FormState } from '#ui/action-form.tsx'
import { ConfirmForm } from '#ui/confirm-form.tsx'
import { undoSaleTexts as texts } from './owner-texts.ts'
import type { SaleUndo } from './sale-undo.server.ts'

type UndoSaleFormProps = {
  sale: { id: string; item: string }
  undo: SaleUndo
  form: FormState
  action: string
  asksFirst?: boolean
}

export function UndoSaleForm({ sale, undo, form, action, asksFirst = false }: UndoSaleFormProps) {
  const money = useMoney()
  if (undo.invoice !== null) {
    return (
      <ConfirmForm
        form={form}
        action={action}
        fields={{ intent: 'cancel-sale', saleId: sale.id }}
        className="button quiet"
        question={cancelQuestion(sale.item, undo, money)}
        label={texts.cancel}
        ariaLabel={texts.cancelSale(sale.item)}
      />
    )
  }
  const fields = { intent: 'undo-sale', saleId: sale.id }
  if (asksFirst) {
    return (
      <ConfirmForm
        form={form}
        action={action}
        fields={fields}
        className="button quiet"
        question={texts.confirmUndo(sale.item, money(undo.cents), undo.piece)}
        label={texts.undo}
        ariaLabel={texts.undoSale(sale.item)}
      />
    )
  }
  return (
    <ActionForm
      form={form}
      action={action}
      fields={fields}
    >
      <SubmitButton
        className="button quiet"
        aria-label={texts.undoSale(sale.item)}
        data-uncovered
      >
        {texts.undo}
      </SubmitButton>
    </ActionForm>
  )
}

function cancelQuestion(item: string, undo: SaleUndo, money: ReturnType<typeof useMoney>) {
  const { invoice, cents, piece, paidCents, creditCents } = undo
  const { number, shippingCents } = invoice!
  const shipping = shippingCents > 0 ? texts.returnedShipping(money(0), money(shippingCents)) : ''
  const agreement = {
    paid: paidCents > 0 ? money(paidCents) : null,
    credit: creditCents > 0 ? money(creditCents) : null,
  }
  return (
    texts.confirmCancel(item, invoiceNumber(number), texts.returned(money(cents)) + shipping) +
    texts.piece(piece, agreement)
  )
}
