import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { undoSaleTexts as texts } from './owner-texts.ts'
import { cancelSale, undoSale } from './undo-sale.server.ts'

/** Handles the forms that undo or cancel a sale. The conversation page and the Sales screen contain these forms. Returns null for any other form. */
export async function handleUndoAction(
  app: AppServices,
  form: FormData,
): Promise<ActionOutcome | null> {
  const intent = formText(form, 'intent')
  if (intent !== 'undo-sale' && intent !== 'cancel-sale') return null
  if (intent === 'cancel-sale' && formText(form, 'confirm') !== 'Yes')
    return refused(409, { toasts: [texts.notConfirmed] })
  const taken = await (intent === 'undo-sale' ? undoSale : cancelSale)(
    app,
    formText(form, 'saleId'),
  )
  if (taken.ok) return done(intent === 'undo-sale' ? texts.undone : texts.canceled)
  return refused(taken.refusal === 'failed' ? 500 : 409, { toasts: [texts.refused[taken.refusal]] })
}
