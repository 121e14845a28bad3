import { z } from 'zod'
import type { Db, Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { type Receipt, buyerDisplayName } from '#app/features/sales/receipt.ts'
import { findReceipt } from '#app/features/sales/sales.server.ts'
import { currencyOf } from '#app/features/settings/shop-settings.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { findTicketOf, ensureTicket } from '#app/features/testimonials/testimonies.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { formatDate } from '#app/ui/format-date.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import type { NumberedInvoice, PrintDocument } from './print-document.ts'
import { invoiceNumber, PAPER_SIZES, PRINT_DOCUMENTS, documentsFor, parseShipping, defaultPaperSize } from './print-document.ts'
import { printErrorTexts, printTexts } from './texts.ts'
import { sql } from 'kysely'
import type { Cents } from '#app/features/pricing/money.ts'

export type Ticket = { link: string; qr: QrDrawing }
export type OpenReceipt = NonNullable<Awaited<ReturnType<typeof readOpenReceipt>>>

/** `origin` is for links on paper if PUBLIC_URL is not set. [S-115] */
export async function readOpenReceipt(app: AppServices, key: string, origin: string) {
  const receipt = isStorableText(key) ? await findReceipt(app.db, key) : null
  if (!receipt) return null
  const [ticketId, invoice] = [await findTicketOf(app.db, key), await findInvoice(app.db, key)]
  const link = `${app.publicUrl ?? origin}/writetestimonials/${ticketId}`
  const day = (at: number) => formatDate(at, app.timeZone)
  const today = day(app.now())
  const settings = await readSettings(app.db)
  return {
    receipt,
    invoice,
    // A reprint shows the current date [SALES-44], and the date on which the invoice got its number [S-192].
    issued: invoice && day(invoice.createdAt) !== today ? day(invoice.createdAt) : null,
    ticket: ticketId === null ? null : ({ link, qr: drawQr(link) } satisfies Ticket),
    today,
    size: settings.paperSize || defaultPaperSize(app.timeZone),
    currency: currencyOf(settings),
  }
}

type IssueRequest = { receipt: string; papers: readonly PrintDocument[]; shipping: number }
type IssueResult = { ok: true } | { ok: false; refusal: 'not-found' | 'no-email' }

/**
 * Before printing, assigns the invoice number and creates the ticket in one transaction. A second call returns the same number and ticket.
 * [SALES-26 to SALES-61, S-114, S-190]
 */
export async function issueDocuments(app: AppServices, request: IssueRequest): Promise<IssueResult> {
  const now = app.now()
  let changed: ('sales' | 'tickets')[] = []
  const done = await inTransaction(app.db, async (tx): Promise<IssueResult> => {
    changed = []
    const receipt = await findReceipt(tx, request.receipt)
    if (!receipt) return { ok: false, refusal: 'not-found' }
    if (request.papers.includes('Testimony Ticket')) {
      const ticket = await ensureTicket(tx, receipt.key, now)
      if (!ticket.ok) return ticket
      if (ticket.isNew) changed = ['sales', 'tickets']
    }
    const isWritten = request.papers.includes('Invoice') && (await writeInvoice(tx, receipt, request.shipping, now))
    if (isWritten && changed.length === 0) changed = ['sales']
    return { ok: true }
  })
  if (done.ok && changed.length > 0) app.live.changed(...changed)
  return done
}

/** true: the invoice is printed for the first time, or with another shipping fee. */
async function writeInvoice(tx: Tx, receipt: Receipt, shippingCents: number, now: number): Promise<boolean> {
  const { number, before } = await numberInvoice(tx, { receiptKey: receipt.key, shippingCents, now })
  if (before === shippingCents) return false
  const about = { at: now, actor: ADMIN_ID, subject: receipt.key, name: buyerDisplayName(receipt) }
  if (before === null) await recordAuditEvent(tx, { ...about, act: 'number-invoice', detail: { number, shippingCents } })
  else
    await recordAuditEvent(tx, {
      ...about,
      act: 'change-shipping',
      detail: { number, before: { shippingCents: before }, after: { shippingCents } },
    })
  return true
}

const printSchema = z.object({
  receipt: z.string(),
  papers: z.array(z.enum(PRINT_DOCUMENTS)).min(1, printErrorTexts.nothing),
  shipping: z.string().transform((typed, context) => {
    const cents = parseShipping(typed)
    if (cents === null) context.addIssue({ code: 'custom', message: printErrorTexts.notANumber })
    return cents ?? 0
  }),
  size: z.enum(PAPER_SIZES).optional(),
  output: z.enum(['print', 'pdf']).catch('print'),
})

/** `pdf`: the URL of the PDF, if the owner has requested one */
export type PrintResult = ActionResult & { pdf?: string }
/** `address`: the URL to open without JavaScript; null: no document was issued */
type PrintOutcome = { answer: PrintResult; status: number; address: string | null }

export async function handlePrintAction(app: AppServices, form: FormData, origin: string): Promise<PrintOutcome> {
  const refused = (answer: ActionResult, status: number) => ({ answer, status, address: null })
  const read = printSchema.safeParse({
    receipt: form.get('receipt'),
    papers: form.getAll('paper'),
    shipping: form.get('shipping') ?? '',
    size: form.get('size') ?? undefined,
    output: form.get('output'),
  })
  if (!read.success) {
    const [issue] = read.error.issues
    const isShipping = issue?.path[0] === 'shipping'
    return refused(
      { ok: false, field: isShipping ? 'shipping' : 'papers', error: isShipping ? issue.message : printErrorTexts.nothing },
      422,
    )
  }
  const { output, size, ...request } = read.data
  const hasTicket = request.papers.includes('Testimony Ticket')
  const failed = { ok: false, toasts: [hasTicket ? printErrorTexts.noTicket : printErrorTexts.failed] }
  try {
    if (output === 'pdf' && !(await hasAllGlyphs(app, request, origin)))
      return refused({ ok: false, error: printErrorTexts.missingCharacters }, 422)
    const done = await issueDocuments(app, request)
    if (!done.ok)
      return refused(hasTicket ? failed : { ok: false, toasts: [printErrorTexts.notFound] }, done.refusal === 'not-found' ? 404 : 409)
  } catch (error) {
    app.log.error('The documents of a receipt could not be created.', error)
    return refused(failed, 500)
  }
  const search = new URLSearchParams([['receipt', request.receipt], ...request.papers.map((paper) => ['paper', paper])])
  if (size) search.set('size', size)
  if (output === 'print') search.set('show', '')
  const address = `/manage/papers.pdf?${search}`
  const answer = { ok: true, toasts: hasTicket ? [printTexts.ticketCreated] : [], ...(output === 'pdf' && { pdf: address }) }
  return { answer, status: 200, address }
}

/** Checks the fonts before a number is assigned. */
async function hasAllGlyphs(app: AppServices, { receipt, papers }: IssueRequest, origin: string): Promise<boolean> {
  const open = await readOpenReceipt(app, receipt, origin)
  if (!open) return true
  const { canRenderPdf } = await import('./print-documents-pdf.server.tsx')
  return canRenderPdf({ open, papers, settings: await readSettings(app.db) })
}

/** `isShown`: the browser displays the file instead of saving it */
type PdfFile = { name: string; bytes: Uint8Array<ArrayBuffer>; isShown: boolean }

/** Returns the PDF of issued documents; null: there is no such receipt, or a document was not issued yet. */
export async function readPdfFile(app: AppServices, { searchParams: search }: URL, origin: string): Promise<PdfFile | null> {
  const open = await readOpenReceipt(app, search.get('receipt') ?? '', origin)
  if (!open) return null
  const papers = PRINT_DOCUMENTS.filter((paper) => search.getAll('paper').includes(paper))
  const isMissing =
    papers.some((paper) => !documentsFor(open.receipt).includes(paper)) ||
    (papers.includes('Invoice') && !open.invoice) ||
    (papers.includes('Testimony Ticket') && !open.ticket)
  if (papers.length === 0 || isMissing) return null
  const size = PAPER_SIZES.find((one) => one === search.get('size')) ?? open.size
  // Loading @react-pdf takes a second.
  const { renderPdf } = await import('./print-documents-pdf.server.tsx')
  const bytes = await renderPdf({ open, papers, settings: await readSettings(app.db), size })
  const [paper] = papers
  const name = paper === 'Invoice' ? `invoice-${invoiceNumber(open.invoice!.number)}` : paper!.toLowerCase().replaceAll(' ', '-')
  return { name: `${name}.pdf`, bytes, isShown: search.has('show') }
}

export async function findInvoice(db: Db | Tx, receiptKey: string): Promise<NumberedInvoice | null> {
  const found = await db
    .selectFrom('invoices')
    .select(['number', 'shippingCents', 'createdAt'])
    .where('receiptKey', '=', receiptKey)
    .executeTakeFirst()
  return found ?? null
}

export async function invoiceNumbers(db: Db, receiptKeys: readonly string[]): Promise<Map<string, number>> {
  const found = await db.selectFrom('invoices').select(['receiptKey', 'number']).where('receiptKey', 'in', receiptKeys).execute()
  return new Map(found.map((invoice) => [invoice.receiptKey, invoice.number]))
}

/** Assigns a number to the receipt if it has none, and stores the shipping fee. Concurrent prints wait at the unique constraint; a rollback frees the number. [S-190, S-191] */
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
