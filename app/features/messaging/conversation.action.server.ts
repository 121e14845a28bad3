import { z } from 'zod'
import type { RequestInfo, AppServices, User } from '#app/services/context.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { done, refused, type ActionOutcome } from '#app/ui/action-result.ts'
import {
  closeOrder,
  completeSale,
  removeOrderItem,
  reopenOrder,
} from '#app/features/orders/owner-actions.server.ts'
import { deleteConversation } from './delete-conversation.server.ts'
import { handleHoldAction } from '#app/features/holds/hold.action.server.ts'
import { handleUndoAction } from '#app/features/orders/undo-sale.action.server.ts'
import { orderActionTexts as texts, saleErrorTexts } from '#app/features/orders/owner-texts.ts'
import type { SendRefusal } from '#app/features/orders/order.ts'
import { messageTexts } from '#app/features/orders/texts.ts'
import { formatMoney } from '#app/features/pricing/money.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { tooManyRequests, tooMuchAtOnce } from '#app/services/rate-limits.server.ts'
import { markRead, sendMessage } from './conversations.server.ts'
import { MAX_MESSAGE_PICTURES, namesOfPictures } from './message-images.ts'
import { conversationTexts } from './owner-texts.ts'
import { messageImageTexts } from './texts.ts'
import { deleteUnsentUploads, uploadMessageImage } from './message-images.server.ts'

const text = z.string().default('')
const confirm = z.literal('Yes')
const OwnerAction = z.discriminatedUnion('intent', [
  z.object({ intent: z.literal('send'), message: text, messageId: text, pictures: text }),
  z.object({ intent: z.literal('read'), seq: z.coerce.number().int() }),
  z.object({ intent: z.literal('close'), confirm }),
  z.object({ intent: z.literal('reopen') }),
  z.object({ intent: z.literal('delete'), confirm }),
  z.object({
    intent: z.literal('complete'),
    itemId: text,
    price: text,
    otherPrice: z.string().optional(),
  }),
  z.object({ intent: z.literal('remove'), itemId: text, confirm }),
])

const refusalStatus = (refusal: string) =>
  refusal === 'not-found'
    ? 404
    : refusal.endsWith('failed')
      ? 500
      : refusal === 'too-long'
        ? 422
        : 409

export async function handleConversationAction(
  app: AppServices,
  owner: User,
  orderId: string,
  form: FormData,
): Promise<ActionOutcome> {
  const handled =
    (await handleUndoAction(app, form)) ?? (await handleHoldAction(app, orderId, form))
  if (handled) return handled
  const input = OwnerAction.safeParse(Object.fromEntries(form))
  if (!input.success) return refused(400, { error: conversationTexts.formNotRead })
  const act = input.data
  switch (act.intent) {
    case 'send': {
      const sent = await sendMessageForm(app, owner, orderId, form, null)
      return sent.ok ? done() : refused(sent.status, { field: 'message', error: sent.error })
    }
    case 'read':
      await tryWrite(app.log, 'messages could not be marked as read', () =>
        markRead(app, owner, orderId, act.seq),
      )
      return done()
    case 'close': {
      const closed = await closeOrder(app, owner, orderId)
      return closed.ok
        ? done(texts.closed)
        : refused(refusalStatus(closed.refusal), { toasts: [texts.notClosed(closed.refusal)] })
    }
    case 'reopen': {
      const opened = await reopenOrder(app, owner, orderId)
      return opened.ok
        ? done(texts.reopened)
        : refused(refusalStatus(opened.refusal), { toasts: [texts.notReopened(opened.refusal)] })
    }
    case 'delete': {
      const deleted = await deleteConversation(app, owner, orderId)
      return deleted.ok
        ? done(texts.deleted)
        : refused(refusalStatus(deleted.refusal), { toasts: [texts.notDeleted(deleted.refusal)] })
    }
    case 'remove': {
      const removed = await removeOrderItem(app, owner, orderId, act.itemId)
      return removed.ok
        ? done()
        : refused(refusalStatus(removed.refusal), { error: texts.notRemoved(removed.refusal) })
    }
    case 'complete':
      return complete(app, orderId, {
        itemId: act.itemId,
        price: act.price,
        isOtherPrice: act.otherPrice !== undefined,
      })
  }
}

/** If a write fails, a toast says which write failed. If the sale is refused for another reason, an error next to the item says why. [S-086, S-088] */
async function complete(
  app: AppServices,
  orderId: string,
  form: Parameters<typeof completeSale>[2],
): Promise<ActionOutcome> {
  const sold = await completeSale(app, orderId, form)
  if (sold.ok) return done(...texts.sold)
  if (sold.refusal === 'differs')
    return refused(409, {
      field: 'price',
      error: texts.otherPrice(formatMoney(sold.agreedCents, app.currency)),
    })
  if (sold.refusal === 'bad-price') return refused(422, { field: 'price', error: texts.badPrice })
  const { toast, error } = saleErrorTexts[sold.refusal]
  return refused(refusalStatus(sold.refusal), { toasts: [toast], ...(error && { error }) })
}

/** The result has no `error` if the database could not store the message. [CHAT-14] */
type SendFormResult = { ok: true } | { ok: false; status: number; error?: string }

const refusals: Record<SendRefusal, { status: number; error: string }> = {
  'not-found': { status: 404, error: messageTexts.notSent },
  closed: { status: 409, error: messageTexts.orderClosed },
  'no-reply': { status: 409, error: messageTexts.noReply },
  'too-long': { status: 422, error: messageTexts.tooLong },
  'too-many-pictures': { status: 422, error: messageImageTexts.tooMany },
  'pictures-lost': { status: 422, error: messageImageTexts.lost },
}

type UploadResult = { ok: true; ids: string[] } | { ok: false; status: number; error: string }

/** Stores the message of a form with its images. `info` limits the uploads of a customer. For the owner, who has no limit, `info` is null. */
export async function sendMessageForm(
  app: AppServices,
  user: User,
  orderId: string,
  form: FormData,
  info: RequestInfo | null,
): Promise<SendFormResult> {
  const uploaded = await uploadFiles(app, user, form, info)
  if (!uploaded.ok) return uploaded
  const pictures = [...namesOfPictures({ pictures: formText(form, 'pictures') }), ...uploaded.ids]
  const seen = Number(formText(form, 'seen'))
  const message = {
    message: formText(form, 'message'),
    messageId: formText(form, 'messageId'),
    pictures,
    seen,
  }
  const sent = await tryWrite(app.log, 'a message could not be sent', () =>
    sendMessage(app, user, orderId, message),
  )
  // Deletes the uploads of this form if no message uses them, for example because the message was refused.
  await deleteUnsentUploads(app, user, uploaded.ids)
  if (sent.ok) return sent
  return sent.refusal === 'failed'
    ? { ok: false, status: 500 }
    : { ok: false, ...refusals[sent.refusal] }
}

/** Stores the files of a form that was sent without JavaScript. If one file is refused, none of the files is stored. */
async function uploadFiles(
  app: AppServices,
  user: User,
  form: FormData,
  info: RequestInfo | null,
): Promise<UploadResult> {
  const files = form
    .getAll('files')
    .filter((file) => file instanceof File && (file.size > 0 || file.name !== ''))
  if (files.length > MAX_MESSAGE_PICTURES)
    return { ok: false, status: 422, error: messageImageTexts.tooMany }
  const ids: string[] = []
  for (const file of files) {
    const limited = info && (await limitUpload(app, info, user))
    const done = limited
      ? ({ state: 'error', text: limited.error } as const)
      : await uploadMessageImage(app, user, file).catch((error: unknown) => {
          app.log.error('an image of a message could not be stored', error)
          return { state: 'error', text: messageImageTexts.failed } as const
        })
    if (done.state === 'uploaded') ids.push(done.id)
    if (done.state !== 'error') continue
    await deleteUnsentUploads(app, user, ids)
    return { ok: false, status: limited ? 429 : 422, error: done.text }
  }
  return { ok: true, ids }
}

/** Returns an error if the user must wait before the next upload, or null if the upload is allowed. The owner has no limit. [S-174, S-237] */
export async function limitUpload(
  { rateLimits }: Pick<AppServices, 'rateLimits'>,
  info: RequestInfo,
  user: User,
) {
  if (user.role === 'admin') return null
  const seconds = await rateLimits.secondsToWait('picture', {
    address: info.clientAddress,
    account: user.id,
  })
  return seconds > 0 ? tooManyRequests(info, seconds, tooMuchAtOnce) : null
}
