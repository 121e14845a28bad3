import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import type { ImageFiles } from '#app/lib/images/image-store.server.ts'
import { releaseHolds } from '#app/features/catalog/holds.server.ts'
import { deletePictureFiles, removePictureRows } from '#app/features/images/edit-images.server.ts'
import { releaseCredits } from '#app/features/offers/offers.server.ts'
import { picturesOfOrder } from '#app/features/orders/orders.server.ts'
import {
  orderCustomerName,
  type WriteOutcome,
  writeOrder,
} from '#app/features/orders/owner-actions.server.ts'

/** Deletes a conversation with its messages, images, read receipts and items, but not its sales. [MSG-20, S-083] */
export async function deleteConversation(
  app: Pick<AppServices, 'db' | 'live' | 'now' | 'log' | 'images'>,
  owner: User,
  orderId: string,
): Promise<WriteOutcome<'not-found' | 'failed'>> {
  let gone: ImageFiles[] = []
  let isReleased = false
  const done = await writeOrder<never>(
    app,
    orderId,
    'a conversation could not be deleted',
    async (tx, order, now) => {
      const pictures = await picturesOfOrder(tx, orderId)
      isReleased = await releaseHolds(tx, orderId)
      await releaseCredits(tx, order, now)
      await tx.deleteFrom('orders').where('id', '=', orderId).execute()
      await recordAuditEvent(tx, {
        at: now,
        actor: owner.id,
        act: 'delete-conversation',
        subject: orderId,
        name: orderCustomerName(order),
      })
      gone = await removePictureRows(tx, pictures)
      return null
    },
  )
  if (done.ok && isReleased) app.live.changed('catalog')
  if (done.ok) await deletePictureFiles(app, gone)
  return done
}
