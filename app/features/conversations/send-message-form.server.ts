/** A message as its form sends it, from either side: its text and its pictures, uploaded before or, without script, in the form itself. */
import type { Page, Shop, User } from '#app/platform/context.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import { textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { tooMuchAtOnce } from '#app/platform/wait-text.ts'
import { NOT_SENT } from '#app/features/orders/order-texts.ts'
import { CLOSED, NO_REPLY, TOO_LONG, type SendRefusal } from '#app/features/orders/order.ts'
import { sendMessage } from './conversations.server.ts'
import { MAX_MESSAGE_PICTURES, namesOfPictures, PICTURE_FAILED, PICTURES_LOST, TOO_MANY_PICTURES } from './message-pictures.ts'
import { deleteChatUploads, uploadChatPicture } from './message-pictures.server.ts'

/** CHAT-14: a write that failed has no text of its own. */
export type FormSent = { ok: true } | { ok: false; status: number; error?: string }

/** What stands beside a message that was refused. */
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
