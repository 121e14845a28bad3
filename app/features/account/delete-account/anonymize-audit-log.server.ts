/** Removes a deleted customer from the audit log. */
import type { LeavingUser } from './delete-account.server.ts'
import type { Tx } from '#db/schema.ts'
import { auditSearchText, parseAuditDetail } from '#app/services/audit-log.server.ts'
import { deleteAccountTexts } from '#app/features/account/texts.ts'

/** Audit events of these actions contain the customer's name in the column `name`. Other audit events contain her name only in the column `detail`. */
const actionsNamingPerson = new Set([
  'close-order',
  'reopen-order',
  'delete-conversation',
  'remove-order-item',
  'send-offer',
  'request-change-offer',
  'accept-offer',
  'withdraw-offer',
  'replace-offer',
  'expire-offer',
  'cancel-offer',
  'record-payment',
  'take-back-payment',
  'give-address',
  'ship-parcel',
  'correct-tracking',
  'confirm-arrival',
  'earn-credit',
  'move-credit',
  'use-credit',
  'release-credit',
  'hold-item',
  'release-item',
  'end-hold',
  'create-ticket',
  'offer-ticket',
  'number-invoice',
  'validate-testimony',
  'show-testimony',
  'hide-testimony',
])

const personalDetails = new Set(['buyer', 'to'])

/** Keeps the audit events, but removes everything from them that identifies the deleted customer. `subjects` contains the ids of her receipts, testimonies and emails. */
export async function anonymizeAuditLog(
  tx: Tx,
  { id, goneId }: LeavingUser,
  subjects: readonly string[],
): Promise<void> {
  const all = [id, ...subjects]
  for (let from = 0; from < all.length; from += 500) {
    const rows = await tx
      .selectFrom('audit')
      .select(['seq', 'act', 'subject', 'name', 'detail'])
      .where('subject', 'in', all.slice(from, from + 500))
      .execute()
    for (const { seq, act, subject, name, detail } of rows) {
      const isHers = actionsNamingPerson.has(act)
      const cleaned = Object.fromEntries(
        Object.entries(parseAuditDetail(detail)).map(([key, value]) => [
          key,
          personalDetails.has(key) ? deleteAccountTexts.deletedName : value,
        ]),
      )
      const said = isHers ? deleteAccountTexts.deletedName : name
      const words = auditSearchText(
        [said, isHers ? cleaned.item : deleteAccountTexts.deletedName]
          .filter((word) => typeof word === 'string')
          .join(' '),
      )
      const row = {
        subject: subject === id ? goneId : subject,
        name: said,
        words,
        detail: JSON.stringify(cleaned),
      }
      await tx.updateTable('audit').set(row).where('seq', '=', seq).execute()
    }
  }
}
