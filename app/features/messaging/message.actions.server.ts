import { z } from 'zod'
import {
  type ActionTable,
  confirmed,
  formAction,
  refusalTable,
  refusedBy,
} from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { AppServices, RequestInfo, User } from '#services/context.ts'
import { done, refused } from '#ui/action-result.ts'
import type { OwnerContext } from '#conversation/conversation.server.ts'
import { messageTexts } from '#conversation/texts.ts'
import { orderActionTexts, orderReasonTexts } from '#orders/owner-texts.ts'
import { deleteUnsentUploads, uploadFiles } from './images/message-images.server.ts'
import { namesOfImages } from './images/message-images.ts'
import { deleteConversation, markRead, sendMessage } from './messages.server.ts'
import { messageImageTexts } from './texts.ts'

export const messageActions: ActionTable<OwnerContext> = {
  send: ({ app, owner, orderId }, form) => handleMessageForm(app, owner, orderId, form, null),
  read: ({ app, owner, orderId }, form) => handleReadForm(app, owner, orderId, form),
  delete: confirmed(
    formAction({
      schema: z.object({}),
      run: ({ app, orderId }) => deleteConversation(app, orderId),
      success: orderActionTexts.deleted,
      refusals: refusalTable(orderReasonTexts, (reason) => ({
        toasts: [orderActionTexts.notDeleted(reason)],
      })),
    }),
  ),
}

export async function handleReadForm(
  app: AppServices,
  user: User,
  orderId: string,
  form: FormData,
) {
  await markRead(app, user, orderId, Number(formText(form, 'seq')))
  return done()
}

const field = 'message'
const sendRefusals = {
  'not-found': { status: 404, field, error: messageTexts.notSent },
  closed: { status: 409, field, error: messageTexts.orderClosed },
  'no-reply': { status: 409, field, error: messageTexts.noReply },
  'too-long': { status: 422, field, error: messageTexts.tooLong },
  'too-many-images': { status: 422, field, error: messageImageTexts.tooMany },
  'images-lost': { status: 422, field, error: messageImageTexts.lost },
  failed: { status: 500, field },
}

export async function handleMessageForm(
  app: AppServices,
  user: User,
  orderId: string,
  form: FormData,
  info: RequestInfo | null,
) {
  const uploaded = await uploadFiles(app, user, form, info)
  if (!uploaded.ok) return refused(uploaded.status, { field, error: uploaded.error })
  const result = await sendMessage(app, user, orderId, {
    message: formText(form, 'message'),
    messageId: formText(form, 'messageId'),
    images: [...namesOfImages({ images: formText(form, 'images') }), ...uploaded.ids],
    seen: Number(formText(form, 'seen')),
  })
  await deleteUnsentUploads(app, user, uploaded.ids)
  return result.ok ? done() : refusedBy(sendRefusals, result)
}
