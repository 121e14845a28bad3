/** The one act of the print overlay: a ticket for the receipt, made or found before it is printed. */
import { createTicketFor } from '#app/features/testimonials/tickets.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Answer } from '#app/ui/answer.ts'

/** SALES-60, SALES-61: the texts are the specification's, letter for letter. */
const TEXTS = { done: 'Created Testimony Ticket', failed: 'Erro Creating Testimony Ticket' }

export async function printTicket(shop: Shop, receiptKey: string): Promise<{ answer: Answer; status: number }> {
  try {
    const done = await createTicketFor(shop, receiptKey)
    if (done.ok) return { answer: { ok: true, toasts: [TEXTS.done] }, status: 200 }
    return { answer: { ok: false, toasts: [TEXTS.failed] }, status: done.refusal === 'not-found' ? 404 : 409 }
  } catch (error) {
    shop.log.error('A testimony ticket could not be created.', error)
    return { answer: { ok: false, toasts: [TEXTS.failed] }, status: 500 }
  }
}
