import type { Db, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { shownName, type Receipt } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { newSecretId } from '#app/platform/ids.ts'

export type TicketCreated = { ok: true; id: string; isNew: boolean } | { ok: false; refusal: 'not-found' | 'no-email' }

/**
 * TESTI-26 to TESTI-30, S-114: the receipt's ticket, made now if it has none. `receiptKey`: its tag, or the sale's id where it has no tag.
 * Its id nobody can guess (S-139); who finds the link still has to know the buyer's e-mail (S-043). When it is new, 'tickets' and 'sales' have changed.
 */
export async function giveTicket(tx: Tx, receiptKey: string, now: number): Promise<TicketCreated> {
  const receipt = await findReceipt(tx, receiptKey)
  if (!receipt) return { ok: false, refusal: 'not-found' }
  if (receipt.buyerEmail === '') return { ok: false, refusal: 'no-email' }
  const ticket = {
    id: newSecretId(),
    receiptTag: receiptKey,
    writerId: receipt.buyerid,
    writerName: receipt.buyerName,
    writerEmail: receipt.buyerEmail,
    writerPhotoURL: receipt.buyerPhotoURL,
    testimony: '',
    isAvailable: 1,
    isValidated: 0,
    showOnPage: 0,
    createdAt: now,
  } as const
  // The tag is unique: of two prints at once one makes the ticket and the other finds it.
  const made = await tx
    .insertInto('testimonies')
    .values(ticket)
    .onConflict((conflict) => conflict.column('receiptTag').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return { ok: true, id: await bringUpToDate(tx, receipt), isNew: false }
  await tx.insertInto('testimonyItems').values(itemsOf(ticket.id, receipt)).execute()
  const act = { at: now, actor: ADMIN_ID, act: 'create-ticket', subject: receiptKey, name: shownName(receipt) } as const
  await recordAct(tx, { ...act, detail: { ticket: ticket.id } })
  return { ok: true, id: ticket.id, isNew: true }
}

/** S-114: until it is written, the ticket names all that was sold with the receipt, also what came after its first printing. Gives its id. */
async function bringUpToDate(tx: Tx, receipt: Receipt): Promise<string> {
  // Written to, so that nobody writes the testimony meanwhile.
  const ticket = await tx
    .updateTable('testimonies')
    .set({ receiptTag: receipt.key })
    .where('receiptTag', '=', receipt.key)
    .returning(['id', 'isAvailable'])
    .executeTakeFirstOrThrow()
  if (ticket.isAvailable === 0) return ticket.id
  const known = await tx.selectFrom('testimonyItems').select('position').where('testimonyId', '=', ticket.id).execute()
  // Sales are only ever added (S-131).
  if (known.length === receipt.items.length) return ticket.id
  await tx.deleteFrom('testimonyItems').where('testimonyId', '=', ticket.id).execute()
  await tx.insertInto('testimonyItems').values(itemsOf(ticket.id, receipt)).execute()
  return ticket.id
}

const itemsOf = (testimonyId: string, { items }: Receipt) =>
  items.map((item, position) => ({
    testimonyId,
    position,
    itemId: item.id,
    name: item.name,
    priceCents: item.price,
    salePriceCents: item.salePrice,
  }))

/** The id of the ticket that was printed with this receipt before; null: none yet. */
export async function findTicketOf(db: Db, receiptKey: string): Promise<string | null> {
  const found = await db.selectFrom('testimonies').select('id').where('receiptTag', '=', receiptKey).executeTakeFirst()
  return found?.id ?? null
}
