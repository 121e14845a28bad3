/** The one act of the print overlay: before anything is printed, the invoice has its number and the ticket exists, or nothing is changed. */
import type { Tx } from '#db/tables.ts'
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { shownName, type Receipt } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { giveTicket } from '#app/features/testimonials/tickets.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { numberInvoice } from './invoices.server.ts'
import type { Paper } from './paper.ts'

export type Wanted = { receipt: string; papers: readonly Paper[]; shipping: number }
export type Issued = { ok: true } | { ok: false; refusal: 'not-found' | 'no-email' }

/** SALES-26 to SALES-61, S-114, S-190: pressed twice, or in two tabs, it gives the same number and the same ticket. */
export async function issuePapers(shop: Shop, wanted: Wanted): Promise<Issued> {
  const now = shop.now()
  const changed = { tickets: false, sales: false }
  const done = await transact(shop.db, async (tx): Promise<Issued> => {
    changed.tickets = changed.sales = false
    const receipt = await findReceipt(tx, wanted.receipt)
    if (!receipt) return { ok: false, refusal: 'not-found' }
    if (wanted.papers.includes('Testimony Ticket')) {
      const ticket = await giveTicket(tx, receipt.key, now)
      if (!ticket.ok) return ticket
      changed.tickets = ticket.isNew
    }
    if (wanted.papers.includes('Invoice')) changed.sales = await writeInvoice(tx, receipt, wanted.shipping, now)
    return { ok: true }
  })
  const { tickets, sales } = changed
  if (done.ok && (tickets || sales)) shop.live.changed('sales', ...(tickets ? (['tickets'] as const) : []))
  return done
}

/** Whether anything had to be written: a first printing, or another fee than the paper had before. */
async function writeInvoice(tx: Tx, receipt: Receipt, shippingCents: number, now: number): Promise<boolean> {
  const { number, before } = await numberInvoice(tx, { receiptKey: receipt.key, shippingCents, now })
  if (before === shippingCents) return false
  const about = { at: now, actor: ADMIN_ID, subject: receipt.key, name: shownName(receipt) }
  if (before === null) await recordAct(tx, { ...about, act: 'number-invoice', detail: { number, shippingCents } })
  else
    await recordAct(tx, {
      ...about,
      act: 'change-shipping',
      detail: { number, before: { shippingCents: before }, after: { shippingCents } },
    })
  return true
}
