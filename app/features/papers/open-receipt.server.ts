/** The receipt that is open in the print overlay, with the number and the ticket that it may have already. */
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { findTicketOf } from '#app/features/testimonials/tickets.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import { findInvoice } from './invoices.server.ts'
import { usualPaperSize } from './paper.ts'

export type Ticket = { link: string; qr: QrDrawing }
export type OpenReceipt = NonNullable<Awaited<ReturnType<typeof readOpenReceipt>>>

/** `origin`: of the request, for links on paper when no PUBLIC_URL is set (S-115). */
export async function readOpenReceipt(shop: Shop, key: string, origin: string) {
  const receipt = await findReceipt(shop.db, key)
  if (!receipt) return null
  const [ticketId, invoice] = [await findTicketOf(shop.db, key), await findInvoice(shop.db, key)]
  const day = (at: number) => formatDate(at, shop.timeZone)
  const today = day(shop.now())
  return {
    receipt,
    invoice,
    // SALES-44 asks for the current date; a reprint also says when the number was given (S-192).
    issued: invoice && day(invoice.createdAt) !== today ? day(invoice.createdAt) : null,
    ticket: ticketId === null ? null : ticketFor(`${shop.publicUrl ?? origin}/writetestimonials/${ticketId}`),
    today,
    size: usualPaperSize(shop.timeZone),
  }
}

/** SALES-54 to SALES-57 */
const ticketFor = (link: string): Ticket => ({ link, qr: drawQr(link) })
