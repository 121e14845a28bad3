import { z } from 'zod'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { done, refused, type ActionResult } from '#app/ui/answer.ts'
import { closeOrder, completeSale, deleteConversation, removeOrderItem } from '#app/features/orders/owner-actions.server.ts'
import * as texts from '#app/features/orders/order.ts'
import { CLOSED, NOT_SENT, NO_REPLY, type SendRefusal, TOO_LONG } from '#app/features/orders/order.ts'
import { textOf } from '#app/platform/form.server.ts'
import { tooMany, tooMuchAtOnce } from '#app/platform/rate-limits.server.ts'
import { markRead, sendMessage } from './conversations.server.ts'
import { MAX_MESSAGE_PICTURES, PICTURES_LOST, PICTURE_FAILED, TOO_MANY_PICTURES, namesOfPictures } from './message-pictures.ts'
import { deleteChatUploads, uploadChatPicture } from './message-pictures.server.ts'

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

const statusOf = (refusal: string) =>
  refusal === 'not-found' ? 404 : refusal.endsWith('failed') ? 500 : refusal === 'too-long' ? 422 : 409

/** MSG-06, MSG-07, MSG-09 to MSG-15, MSG-20 to MSG-22, MSG-24 to MSG-36 */
export async function handleConversationAction(shop: Shop, owner: User, orderId: string, form: FormData): Promise<ActionResult> {
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
async function complete(shop: Shop, orderId: string, itemId: string, price: string): Promise<ActionResult> {
  const sold = await completeSale(shop, orderId, itemId, price)
  if (sold.ok) return done(...texts.SALE_TOASTS)
  if (sold.refusal === 'bad-price') return refused(422, { field: 'price', error: texts.BAD_PRICE })
  const { toast, error } = texts.saleErrors[sold.refusal]
  return refused(statusOf(sold.refusal), { toasts: [toast], ...(error && { error }) })
}

/** CHAT-14: a write that failed has no text of its own. */
type FormSent = { ok: true } | { ok: false; status: number; error?: string }

const refusals: Record<SendRefusal, { status: number; error: string }> = {
  'not-found': { status: 404, error: NOT_SENT },
  closed: { status: 409, error: CLOSED },
  'no-reply': { status: 409, error: NO_REPLY },
  'too-long': { status: 422, error: TOO_LONG },
  'too-many-pictures': { status: 422, error: TOO_MANY_PICTURES },
  'pictures-lost': { status: 422, error: PICTURES_LOST },
}

type Uploaded = { ok: true; ids: string[] } | { ok: false; status: number; error: string }

/** `page`: of the sender, for the limit of uploads; null: the owner's, who has none. */
export async function sendMessageForm(shop: Shop, user: User, orderId: string, form: FormData, page: Page | null): Promise<FormSent> {
  const uploaded = await uploadFiles(shop, user, form, page)
  if (!uploaded.ok) return uploaded
  const pictures = [...namesOfPictures({ pictures: textOf(form, 'pictures') }), ...uploaded.ids]
  const message = { message: textOf(form, 'message'), messageId: textOf(form, 'messageId'), pictures }
  const sent = await attempt(shop.log, 'a message could not be sent', () => sendMessage(shop, user, orderId, message))
  // Also after a retry of what is there already: what no message took goes.
  await deleteChatUploads(shop, user, uploaded.ids)
  if (sent.ok) return sent
  return sent.refusal === 'failed' ? { ok: false, status: 500 } : { ok: false, ...refusals[sent.refusal] }
}

/** Without script: all of them, or none. */
async function uploadFiles(shop: Shop, user: User, form: FormData, page: Page | null): Promise<Uploaded> {
  const files = form.getAll('files').filter((file) => file instanceof File && (file.size > 0 || file.name !== ''))
  if (files.length > MAX_MESSAGE_PICTURES) return { ok: false, status: 422, error: TOO_MANY_PICTURES }
  const ids: string[] = []
  for (const file of files) {
    const limited = page && (await limitUpload(shop, page, user))
    const done = limited
      ? ({ state: 'error', text: limited.error } as const)
      : await uploadChatPicture(shop, user, file).catch((error: unknown) => {
          shop.log.error('a picture of a message could not be stored', error)
          return { state: 'error', text: PICTURE_FAILED } as const
        })
    if (done.state === 'uploaded') ids.push(done.id)
    if (done.state !== 'error') continue
    await deleteChatUploads(shop, user, ids)
    return { ok: false, status: limited ? 429 : 422, error: done.text }
  }
  return { ok: true, ids }
}

/** S-174, S-237: null: she may send a picture; else how long she has to wait. The owner may always. */
export async function limitUpload({ limits }: Pick<Shop, 'limits'>, page: Page, user: User) {
  if (user.role === 'admin') return null
  const seconds = await limits.secondsToWait('picture', { address: page.clientAddress, account: user.id })
  return seconds > 0 ? tooMany(page, seconds, tooMuchAtOnce) : null
}
