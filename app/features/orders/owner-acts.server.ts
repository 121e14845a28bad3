/** The owner's forms of the messages screen: from the posted intent to the specified texts. */
import { z } from 'zod'
import type { Shop, User } from '#app/platform/context.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { completeSale } from './complete-sale.server.ts'
import { closeOrder, deleteConversation, markRead, removeOrderItem } from '#app/features/conversations/conversations.server.ts'
import { sendMessageForm } from '#app/features/conversations/send-message-form.server.ts'
import * as texts from './order-texts.ts'

const text = z.string().default('')
const confirm = z.literal('Yes')
const OwnerAct = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('send'), message: text, messageId: text, pictures: text }),
  z.object({ intent: z.literal('read'), seq: z.coerce.number().int() }),
  z.object({ intent: z.literal('close'), confirm }),
  z.object({ intent: z.literal('delete'), confirm }),
  z.object({ intent: z.literal('complete'), itemId: text, price: text }),
  z.object({ intent: z.literal('remove'), itemId: text, confirm }),
])

type Acted = { answer: Answer; status: number }
const done = (...toasts: string[]): Acted => ({ answer: { ok: true, toasts }, status: 200 })
const refused = (status: number, answer: Omit<Answer, 'ok'> = {}): Acted => ({ answer: { ok: false, ...answer }, status })
const statusOf = (refusal: string) =>
  refusal === 'not-found' ? 404 : refusal.endsWith('failed') ? 500 : refusal === 'too-long' ? 422 : 409

/** MSG-06, MSG-07, MSG-09 to MSG-15, MSG-20 to MSG-22, MSG-24 to MSG-36 */
export async function actOnConversation(shop: Shop, owner: User, orderId: string, form: FormData): Promise<Acted> {
  const input = OwnerAct.safeParse(Object.fromEntries(form))
  if (!input.success) return refused(400, { error: 'This form could not be read.' })
  const act = input.data
  switch (act.intent) {
    case 'send': {
      const sent = await sendMessageForm(shop, owner, orderId, form, null)
      return sent.ok ? done() : refused(sent.status, { field: 'message', error: sent.error })
    }
    case 'read':
      await attempt(shop.log, 'messages could not be marked as read', () => markRead(shop, owner, orderId, act.seq))
      return done()
    case 'close': {
      const closed = await closeOrder(shop, owner, orderId)
      return closed.ok ? done(texts.ORDER_CLOSED) : refused(statusOf(closed.refusal), { toasts: [texts.closeError(closed.refusal)] })
    }
    case 'delete': {
      const deleted = await deleteConversation(shop, owner, orderId)
      return deleted.ok ? done(texts.RECORD_DELETED) : refused(statusOf(deleted.refusal), { toasts: [texts.deleteError(deleted.refusal)] })
    }
    case 'remove': {
      const removed = await removeOrderItem(shop, owner, orderId, act.itemId)
      return removed.ok ? done() : refused(statusOf(removed.refusal), { error: texts.removeError(removed.refusal) })
    }
    case 'complete':
      return complete(shop, orderId, act.itemId, act.price)
  }
}

/** S-086, S-088: one transaction writes both. Each error text stands for the write that failed; a refusal concerns the item's state. */
async function complete(shop: Shop, orderId: string, itemId: string, price: string): Promise<Acted> {
  const sold = await completeSale(shop, orderId, itemId, price)
  if (sold.ok) return done(...texts.SALE_TOASTS)
  if (sold.refusal === 'bad-price') return refused(422, { field: 'price', error: texts.BAD_PRICE })
  const { toast, error } = texts.saleErrors[sold.refusal]
  return refused(statusOf(sold.refusal), { toasts: [toast], ...(error && { error }) })
}
