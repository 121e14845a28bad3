/** What the shop must keep after somebody has left is kept without the person: sales, requests, the history (035). */
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '#db/tables.ts'
import { readDetail } from '#app/features/audit/history.server.ts'
import { fold } from '#app/platform/fold.ts'
import { PROOF } from '#app/platform/letter-code.ts'
import { GONE } from './leaving.ts'

/** `goneId`: what stands in the place of the uid from now on, so that the purchases of one person still belong together. */
export type Leaving = { id: string; email: string; goneId: string }

const holds = (column: string, text: string): RawBuilder<boolean> =>
  sql<boolean>`replace(${sql.ref(column)}, ${text}, '') <> ${sql.ref(column)}`

/** The records keep date, piece, prices, receipt and invoice number; gives the keys of her receipts. */
export async function forgetBuyer(tx: Tx, { id, goneId }: Leaving): Promise<string[]> {
  const sales = await tx
    .updateTable('sales')
    .set({ buyerId: goneId, buyerName: GONE, buyerEmail: '', buyerPhotoURL: '' })
    .where('buyerId', '=', id)
    .returning(['id', 'receiptTag'])
    .execute()
  await tx.updateTable('requests').set({ orderId: goneId }).where('orderId', '=', id).execute()
  return [...new Set(sales.map((sale) => sale.receiptTag || sale.id))]
}

/** Her words, name and photo are hers: written ones and tickets go. Gives their ids, and whether visitors saw one. */
export async function takeTestimonies(tx: Tx, { id }: Leaving): Promise<{ ids: string[]; wasShown: boolean }> {
  const gone = await tx.deleteFrom('testimonies').where('writerId', '=', id).returning(['id', 'showOnPage']).execute()
  return { ids: gone.map((row) => row.id), wasShown: gone.some((row) => row.showOnPage === 1) }
}

/** Letters that may name her without going to her. What she wrote by the contact page is no part of the account. */
const QUOTING = ['unread', PROOF, 'notice']

/** Of letters with a code (036): one may have gone to an address that is not hers yet. To be read before the account goes, as they go with it. */
export const listProofs = async (tx: Tx, id: string): Promise<string[]> =>
  (await tx.selectFrom('addressProofs').select('id').where('userId', '=', id).execute()).map((proof) => proof.id)

/**
 * Letters to her, sent or not, and those to the owner that quote her. `proofs`: ids of letters with a code. A letter to the owner that has not left is written anew for the others
 * in it: what was told by it counts as untold.
 */
export async function takeLetters(tx: Tx, { id, email }: Leaving, proofs: readonly string[]): Promise<string[]> {
  const told = tx.selectFrom('reminders').select('letterId').where('orderId', '=', id)
  const gone = await tx
    .deleteFrom('outbox')
    .where(({ or, eb }) =>
      or([
        sql<boolean>`lower("toAddress") = ${email}`,
        eb('id', 'in', told),
        ...(proofs.length > 0 ? [eb('id', 'in', proofs)] : []),
        eb.and([eb('kind', 'in', QUOTING), or([holds('text', id), holds('text', email)])]),
      ]),
    )
    .returning(['id', 'sentAt'])
    .execute()
  const unsent = gone.filter((letter) => letter.sentAt === null).map((letter) => letter.id)
  if (unsent.length > 0) await tx.deleteFrom('reminders').where('letterId', 'in', unsent).execute()
  return gone.map((letter) => letter.id)
}

/** Codes and links on their way to her, and what a move had to say about her. */
export async function takeTraces(tx: Tx, { id, email }: Leaving): Promise<void> {
  await sql`delete from "verification" where ${holds('value', id)} or ${holds('identifier', id)} or lower("identifier") = ${email}`.execute(
    tx,
  )
  const moves = await tx
    .selectFrom('imports')
    .select(['id', 'report'])
    .where(({ or }) => or([holds('report', id), holds('report', email)]))
    .execute()
  for (const move of moves) {
    const lines = move.report.split('\n').filter((line) => !line.includes(id) && !line.toLowerCase().includes(email))
    await tx
      .updateTable('imports')
      .set({ report: lines.join('\n') })
      .where('id', '=', move.id)
      .execute()
  }
}

/** Acts whose name is the person's; the others name a thing, and the person only beside it. */
const namesPerson = new Set([
  'close-order',
  'delete-conversation',
  'remove-order-item',
  'create-ticket',
  'number-invoice',
  'change-shipping',
  'validate-testimony',
  'show-testimony',
  'hide-testimony',
])
/** Details that hold the person. */
const personal = new Set(['buyer', 'to'])

/** The owner's acts stay in her history. `subjects`: ids under which they stand there, besides the uid. */
export async function forgetInHistory(tx: Tx, { id, goneId }: Leaving, subjects: readonly string[]): Promise<void> {
  const all = [id, ...subjects]
  for (let from = 0; from < all.length; from += 500) {
    const rows = await tx
      .selectFrom('audit')
      .select(['seq', 'act', 'subject', 'name', 'detail'])
      .where('subject', 'in', all.slice(from, from + 500))
      .execute()
    for (const { seq, act, subject, name, detail } of rows) {
      const isHers = namesPerson.has(act)
      const cleaned = withoutPerson(detail)
      const said = isHers ? GONE : name
      const words = fold([said, isHers ? cleaned.item : GONE].filter((word) => typeof word === 'string').join(' '))
      const row = { subject: subject === id ? goneId : subject, name: said, words, detail: JSON.stringify(cleaned) }
      await tx.updateTable('audit').set(row).where('seq', '=', seq).execute()
    }
  }
}

function withoutPerson(text: string): Record<string, unknown> {
  const detail = readDetail(text)
  return Object.fromEntries(Object.entries(detail).map(([key, value]) => [key, personal.has(key) ? GONE : value]))
}
