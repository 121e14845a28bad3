import { ActionForm, ConfirmForm, SubmitButton, type FormState } from '#ui/action-form.tsx'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { undoSaleTexts as texts } from './owner-texts.ts'

type UndoSaleFormProps = {
  sale: { id: string; item: string }
  invoice: number | null
  form: FormState
  action: string
}

export const UndoSaleForm = ({ sale, invoice, form, action }: UndoSaleFormProps) =>
  invoice === null ? (
    <ActionForm
      form={form}
      action={action}
      fields={{ intent: 'undo-sale', saleId: sale.id }}
    >
      <SubmitButton
        className="button quiet"
        aria-label={texts.undoSale(sale.item)}
        data-uncovered
      >
        {texts.undo}
      </SubmitButton>
    </ActionForm>
  ) : (
    <ConfirmForm
      form={form}
      action={action}
      fields={{ intent: 'cancel-sale', saleId: sale.id }}
      className="button quiet"
      question={texts.confirmCancel(sale.item, invoiceNumber(invoice))}
      label={texts.cancel}
      ariaLabel={texts.cancelSale(sale.item)}
    />
  )
