import type { FetcherWithComponents } from 'react-router'
import { ConfirmForm, HiddenFields } from '#app/ui/form-fields.tsx'
import { invoiceNumber } from './order.ts'
import { undoSaleTexts as texts } from './owner-texts.ts'

type Props = {
  sale: { id: string; item: string }
  /** the invoice number of the receipt, or null if the invoice has no number yet */
  invoice: number | null
  form: FetcherWithComponents<unknown>
  action: string
}

/** The owner undoes a sale with one click. To cancel a sale with a numbered invoice, she must also confirm, because she cannot revert a cancellation. [S-301] */
export function UndoSaleForm({ sale, invoice, form: { Form, state }, action }: Props) {
  const isPending = state !== 'idle'
  return invoice === null ? (
    <Form
      method="post"
      action={action}
      preventScrollReset
    >
      <HiddenFields
        intent="undo-sale"
        saleId={sale.id}
      />
      <button
        className="button quiet"
        aria-label={texts.undoSale(sale.item)}
        aria-disabled={isPending}
        data-uncovered
      >
        {texts.undo}
      </button>
    </Form>
  ) : (
    <ConfirmForm
      form={Form}
      action={action}
      fields={{ intent: 'cancel-sale', saleId: sale.id }}
      className="button quiet"
      question={texts.confirmCancel(sale.item, invoiceNumber(invoice))}
      label={texts.cancel}
      ariaLabel={texts.cancelSale(sale.item)}
      isPending={isPending}
    />
  )
}
