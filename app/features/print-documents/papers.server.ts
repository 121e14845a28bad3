import { z } from 'zod'
import type { Db, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { type Receipt, shownName } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { findTicketOf, giveTicket } from '#app/features/testimonials/testimonies.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { isReadable } from '#app/platform/form.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { formatDate } from '#app/ui/dates.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import {
  type Numbered,
  type Paper,
  invoiceNumber,
  PAPER_SIZES,
  PAPER_TEXTS,
  PAPERS,
  papersFor,
  readShipping,
  usualPaperSize,
} from './paper.ts'
import { sql } from 'kysely'
import type { Cents } from '#app/features/pricing/money.ts'

export type Ticket = { link: string; qr: QrDrawing }
export type OpenReceipt = NonNullable<Awaited<ReturnType<typeof readOpenReceipt>>>

/** With the number and the ticket that it may have already. `origin`: of the request, for links on paper when no PUBLIC_URL is set (S-115). */
export async function readOpenReceipt(shop: Shop, key: string, origin: string) {
  const receipt = isReadable(key) ? await findReceipt(shop.db, key) : null
  if (!receipt) return null
  const [ticketId, invoice] = [await findTicketOf(shop.db, key), await findInvoice(shop.db, key)]
  const link = `${shop.publicUrl ?? origin}/writetestimonials/${ticketId}`
  const day = (at: number) => formatDate(at, shop.timeZone)
  const today = day(shop.now())
  return {
    receipt,
    invoice,
    // SALES-44 asks for the current date; a reprint also says when the number was given (S-192).
    issued: invoice && day(invoice.createdAt) !== today ? day(invoice.createdAt) : null,
    ticket: ticketId === null ? null : ({ link, qr: drawQr(link) } satisfies Ticket),
    today,
    size: usualPaperSize(shop.timeZone),
  }
}

type Wanted = { receipt: string; papers: readonly Paper[]; shipping: number }
type Issued = { ok: true } | { ok: false; refusal: 'not-found' | 'no-email' }

/**
 * The one act of the print overlay: before anything is printed, the invoice has its number and the ticket exists, or nothing is changed.
 * SALES-26 to SALES-61, S-114, S-190: pressed twice, or in two tabs, it gives the same number and the same ticket.
 */
export async function issuePapers(shop: Shop, wanted: Wanted): Promise<Issued> {
  const now = shop.now()
  let changed: ('sales' | 'tickets')[] = []
  const done = await transact(shop.db, async (tx): Promise<Issued> => {
    changed = []
    const receipt = await findReceipt(tx, wanted.receipt)
    if (!receipt) return { ok: false, refusal: 'not-found' }
    if (wanted.papers.includes('Testimony Ticket')) {
      const ticket = await giveTicket(tx, receipt.key, now)
      if (!ticket.ok) return ticket
      if (ticket.isNew) changed = ['sales', 'tickets']
    }
    const isWritten = wanted.papers.includes('Invoice') && (await writeInvoice(tx, receipt, wanted.shipping, now))
    if (isWritten && changed.length === 0) changed = ['sales']
    return { ok: true }
  })
  if (done.ok && changed.length > 0) shop.live.changed(...changed)
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

const papersInput = z.object({
  receipt: z.string(),
  papers: z.array(z.enum(PAPERS)).min(1, PAPER_TEXTS.nothing),
  shipping: z.string().transform((typed, context) => {
    const cents = readShipping(typed)
    if (cents === null) context.addIssue({ code: 'custom', message: PAPER_TEXTS['not-a-number'] })
    return cents ?? 0
  }),
  size: z.enum(PAPER_SIZES).optional(),
  output: z.enum(['print', 'pdf']).catch('print'),
})

const TICKET = { done: 'Created Testimony Ticket', failed: 'Erro Creating Testimony Ticket' }

/** `pdf`: where the file of these papers is, when one was asked for. */
export type Printed = Answer & { pdf?: string }
/** `address`: of the file, for whoever prints without script; null where nothing was issued. */
type Answered = { answer: Printed; status: number; address: string | null }

/** What the print overlay hears when it is sent: the specification's texts, letter for letter, and ours beside the field. */
export async function printPapers(shop: Shop, form: FormData, origin: string): Promise<Answered> {
  const refused = (answer: Answer, status: number) => ({ answer, status, address: null })
  const read = papersInput.safeParse({
    receipt: form.get('receipt'),
    papers: form.getAll('paper'),
    shipping: form.get('shipping') ?? '',
    size: form.get('size') ?? undefined,
    output: form.get('output'),
  })
  if (!read.success) {
    const [issue] = read.error.issues
    const isShipping = issue?.path[0] === 'shipping'
    return refused({ ok: false, field: isShipping ? 'shipping' : 'papers', error: isShipping ? issue.message : PAPER_TEXTS.nothing }, 422)
  }
  const { output, size, ...wanted } = read.data
  const hasTicket = wanted.papers.includes('Testimony Ticket')
  const failed = { ok: false, toasts: [hasTicket ? TICKET.failed : PAPER_TEXTS.failed] }
  try {
    if (output === 'pdf' && !(await hasLetters(shop, wanted, origin))) return refused({ ok: false, error: PAPER_TEXTS.letters }, 422)
    const done = await issuePapers(shop, wanted)
    if (!done.ok)
      return refused(hasTicket ? failed : { ok: false, toasts: [PAPER_TEXTS['not-found']] }, done.refusal === 'not-found' ? 404 : 409)
  } catch (error) {
    shop.log.error('The papers of a receipt could not be made ready.', error)
    return refused(failed, 500)
  }
  const search = new URLSearchParams([['receipt', wanted.receipt], ...wanted.papers.map((paper) => ['paper', paper])])
  if (size) search.set('size', size)
  if (output === 'print') search.set('show', '')
  const address = `/manage/papers.pdf?${search}`
  const answer = { ok: true, toasts: hasTicket ? [TICKET.done] : [], ...(output === 'pdf' && { pdf: address }) }
  return { answer, status: 200, address }
}

/** Seen before a number is given for nothing. */
async function hasLetters(shop: Shop, { receipt, papers }: Wanted, origin: string): Promise<boolean> {
  const open = await readOpenReceipt(shop, receipt, origin)
  if (!open) return true
  const { canDraw } = await import('./papers-pdf.server.tsx')
  return canDraw({ open, papers, settings: await readSettings(shop.db) })
}

/** `isShown`: the browser shows the file, for whoever prints without script. */
type PapersFile = { name: string; bytes: Uint8Array<ArrayBuffer>; isShown: boolean }

/** The PDF file for an address: what was issued before, and nothing new. null: there is no such receipt, or one of its papers was not made yet. */
export async function readPapersFile(shop: Shop, { searchParams: search }: URL, origin: string): Promise<PapersFile | null> {
  const open = await readOpenReceipt(shop, search.get('receipt') ?? '', origin)
  if (!open) return null
  const papers = PAPERS.filter((paper) => search.getAll('paper').includes(paper))
  const isMissing =
    papers.some((paper) => !papersFor(open.receipt).includes(paper)) ||
    (papers.includes('Invoice') && !open.invoice) ||
    (papers.includes('Testimony Ticket') && !open.ticket)
  if (papers.length === 0 || isMissing) return null
  const size = PAPER_SIZES.find((one) => one === search.get('size')) ?? open.size
  // The library takes a second to load and some memory: only who asks for a file pays for it.
  const { drawPapers } = await import('./papers-pdf.server.tsx')
  const bytes = await drawPapers({ open, papers, settings: await readSettings(shop.db), size })
  const [paper] = papers
  const name = paper === 'Invoice' ? `invoice-${invoiceNumber(open.invoice!.number)}` : paper!.toLowerCase().replaceAll(' ', '-')
  return { name: `${name}.pdf`, bytes, isShown: search.has('show') }
}

export async function findInvoice(db: Db | Tx, receiptKey: string): Promise<Numbered | null> {
  const found = await db
    .selectFrom('invoices')
    .select(['number', 'shippingCents', 'createdAt'])
    .where('receiptKey', '=', receiptKey)
    .executeTakeFirst()
  return found ?? null
}

export async function numbersOf(db: Db, receiptKeys: readonly string[]): Promise<Map<string, number>> {
  const found = await db.selectFrom('invoices').select(['receiptKey', 'number']).where('receiptKey', 'in', receiptKeys).execute()
  return new Map(found.map((invoice) => [invoice.receiptKey, invoice.number]))
}

/**
 * S-190, S-191: the receipt's number, given now if it has none, and the shipping fee that stands on the paper now. Who prints at the same moment
 * waits at the unique number or receipt, and then finds what the other has written; what is taken back leaves its number to the next.
 */
async function numberInvoice(
  tx: Tx,
  { receiptKey, shippingCents, now }: { receiptKey: string; shippingCents: Cents; now: number },
): Promise<{ number: number; before: Cents | null }> {
  for (;;) {
    const found = await findInvoice(tx, receiptKey)
    if (found) {
      if (found.shippingCents !== shippingCents)
        await tx.updateTable('invoices').set({ shippingCents }).where('receiptKey', '=', receiptKey).execute()
      return { number: found.number, before: found.shippingCents }
    }
    const made = await tx
      .insertInto('invoices')
      .values({ number: sql<number>`(select coalesce(max(number), 0) + 1 from invoices)`, receiptKey, shippingCents, createdAt: now })
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .executeTakeFirst()
    if (made) return { number: made.number, before: null }
  }
}
