import { z } from 'zod'
import type { AppServices } from '#app/services/context.ts'
import { type ActionOutcome, done, refused } from '#app/ui/action-result.ts'
import { undoSaleTexts as texts } from './owner-texts.ts'
import { cancelSale, undoSale } from './undo-sale.server.ts'

const UndoForm = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('undo-sale'), saleId: z.string() }),
  z.object({ intent: z.literal('cancel-sale'), saleId: z.string(), confirm: z.literal('Yes') }),
])

/** The conversation and the Sales screen share these forms. null: the form is not one of them. */
export async function handleUndoAction(app: AppServices, form: FormData): Promise<ActionOutcome | null> {
  const input = UndoForm.safeParse(Object.fromEntries(form))
  if (!input.success) return null
  const { intent, saleId } = input.data
  const taken = await (intent === 'undo-sale' ? undoSale : cancelSale)(app, saleId)
  if (taken.ok) return done(intent === 'undo-sale' ? texts.undone : texts.canceled)
  return refused(taken.refusal === 'failed' ? 500 : 409, { toasts: [texts.refused[taken.refusal]] })
}
