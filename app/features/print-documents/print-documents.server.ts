import { z } from 'zod'
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { type Receipt, buyerDisplayName } from '#app/features/sales/receipt.ts'
import { readReceiptAgreement } from '#app/features/payments/receipt-payments.server.ts'
import {
  findParcelAddress,
  listAddressedOffers,
} from '#app/features/parcels/receipt-parcels.server.ts'
import { findReceipt, listReceiptSales } from '#app/features/sales/sales.server.ts'
import { currencyOf } from '#app/features/settings/shop-settings.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { findTicketOf, ensureTicket } from '#app/features/testimonials/testimonies.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { isStorableText } from '#app/lib/http/form-data.server.ts'
import {
  MAX_ADDRESS_LENGTH,
  MAX_RECIPIENT_LENGTH,
  parseAddress,
} from '#app/lib/text/postal-address.ts'
import { drawQr } from '#app/ui/qr-code.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import { formatDate } from '#app/ui/format-date.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import { findCanceled, findInvoice, findLastBillTo } from './find-invoices.server.ts'
import type { BillTo, NumberedInvoice, PrintDocument } from './print-document.ts'
import { invoiceNumber } from '#app/features/orders/order.ts'
import { lockReceipt } from '#app/features/orders/undo-sale.server.ts'
import {
  PAPER_SIZES,
  PRINT_DOCUMENTS,
  defaultPaperSize,
  documentsFor,
  parseShipping,
  sellerOf,
} from './print-document.ts'
import { printErrorTexts, printTexts } from './texts.ts'
import { sql } from 'kysely'

export type TestimonyTicket = { link: string; qr: QrDrawing }
export type PrintData = NonNullable<Awaited<ReturnType<typeof readPrintData>>>

/** Reads a receipt and everything that its documents show. Links on the documents begin with PUBLIC_URL, or with `origin` if PUBLIC_URL is not set. [S-115] */
export async function readPrintData(app: AppServices, key: string, origin: string) {
  const receipt = isStorableText(key) ? await findReceipt(app.db, key) : null
  if (!receipt) return null
  const [ticketId, invoice, canceled] = [
    await findTicketOf(app.db, key),
    await findInvoice(app.db, key),
    await findCanceled(app.db, receipt),
  ]
  const link = `${app.publicUrl ?? origin}/writetestimonials/${ticketId}`
  const day = (at: number) => formatDate(at, app.timeZone)
  const today = day(app.now())
  const settings = await readSettings(app.db)
  const sales = await listReceiptSales(app.db, key)
  const sold = receipt.cancels ? null : await readReceiptAgreement(app.db, saleIds(sales))
  const agreement = invoice ? null : sold
  return {
    receipt,
    invoice,
    /** the offers whose pieces are shipped to a known address, each with a packing slip */
    shippedOfferIds: await listAddressedOffers(app.db, sold?.offerIds ?? []),
    /** the invoice that this receipt cancels; null if the receipt is no cancellation */
    canceled,
    /** the name and address on the invoice, which the owner can change as long as the invoice has no number */
    billTo:
      invoice?.billTo ??
      canceled?.billTo ??
      (await findParcelAddress(app.db, agreement?.offerIds ?? [])) ??
      (await findLastBillTo(app.db, receipt)),
    /** the shipping fee that the customer has accepted. The owner can change this fee. */
    agreed: agreement && { shippingCents: agreement.shippingCents },
    payments: invoice ? invoice.payments : (agreement?.payments ?? null),
    sales: sales.map(({ id, itemName, cancels, canceledBy }) => ({
      ...{ id, itemName, isCanceled: canceledBy !== null, isCancellation: cancels !== null },
    })),
    // A reprinted invoice shows the current date and the date on which it got its number. [SALES-44, S-192]
    issued: invoice && day(invoice.createdAt) !== today ? day(invoice.createdAt) : null,
    ticket: ticketId === null ? null : ({ link, qr: drawQr(link) } satisfies TestimonyTicket),
    today,
    size: settings.paperSize || defaultPaperSize(app.timeZone),
    currency: currencyOf({ ...settings, ...canceled?.seller, ...invoice?.seller }),
  }
}

/** If `shipping` or `billTo` is missing, a numbered invoice is printed with its stored value. */
type IssueRequest = {
  receipt: string
  papers: readonly PrintDocument[]
  shipping?: number
  billTo?: BillTo
}
type IssueResult =
  | { ok: true }
  | { ok: false; refusal: 'not-found' | 'not-offered' | 'no-email' }
  | { ok: false; refusal: 'numbered'; number: number }

/**
 * Assigns the invoice number and creates the testimony ticket in one transaction. An existing number or ticket is kept. A numbered invoice
 * never changes, so the function refuses a different shipping fee, name or address. [SALES-26 to SALES-61, S-114, S-190, S-302]
 */
export async function issueDocuments(
  app: AppServices,
  request: IssueRequest,
): Promise<IssueResult> {
  const now = app.now()
  let changed: ('sales' | 'tickets')[] = []
  const done = await inTransaction(app.db, async (tx): Promise<IssueResult> => {
    changed = []
    await lockReceipt(tx, request.receipt)
    const receipt = await findReceipt(tx, request.receipt)
    if (!receipt) return { ok: false, refusal: 'not-found' }
    if (!request.papers.every((paper) => documentsFor(receipt).includes(paper)))
      return { ok: false, refusal: 'not-offered' }
    const invoice = request.papers.includes('Invoice') ? await findInvoice(tx, receipt.key) : null
    if (invoice && isChanged(invoice, request))
      return { ok: false, refusal: 'numbered', number: invoice.number }
    if (request.papers.includes('Testimony Ticket')) {
      const ticket = await ensureTicket(tx, receipt.key, now)
      if (!ticket.ok) return ticket
      if (ticket.isNew) changed = ['sales', 'tickets']
    }
    if (request.papers.includes('Invoice') && !invoice) {
      await numberInvoice(tx, receipt, request, now)
      if (changed.length === 0) changed = ['sales']
    }
    return { ok: true }
  })
  if (done.ok && changed.length > 0) app.live.changed(...changed)
  return done
}

const isChanged = (
  { shippingCents, billTo }: NumberedInvoice,
  { shipping, billTo: typed }: IssueRequest,
): boolean =>
  (shipping !== undefined && shipping !== shippingCents) ||
  (typed !== undefined && (typed.name !== billTo.name || typed.address !== billTo.address))

const printSchema = z.object({
  receipt: z.string(),
  papers: z.array(z.enum(PRINT_DOCUMENTS)).min(1, printErrorTexts.nothing),
  shipping: z.string().transform((typed, context) => {
    const cents = parseShipping(typed)
    if (cents === null) context.addIssue({ code: 'custom', message: printErrorTexts.notANumber })
    return cents ?? 0
  }),
  // The name is printed on one line, so line breaks become spaces.
  buyerName: z
    .string()
    .transform((typed) => typed.replaceAll(/\s+/g, ' ').trim())
    .pipe(z.string().max(MAX_RECIPIENT_LENGTH, printErrorTexts.longName(MAX_RECIPIENT_LENGTH)))
    .optional(),
  buyerAddress: z
    .string()
    .transform((typed, context) => {
      const address = parseAddress(typed)
      if (address === null)
        context.addIssue({
          code: 'custom',
          message: printErrorTexts.longAddress(MAX_ADDRESS_LENGTH),
        })
      return address ?? ''
    })
    .optional(),
  size: z.enum(PAPER_SIZES).optional(),
  output: z.enum(['print', 'pdf']).catch('print'),
})

/** `pdf` is the URL of the PDF if the owner has clicked "Download PDF". */
export type PrintResult = ActionResult & { pdf?: string }
/** Without JavaScript, the owner is redirected to `address`, the URL of the PDF. `address` is null if the server refused the form or could not create the documents. */
type PrintOutcome = { answer: PrintResult; status: number; address: string | null }

export async function handlePrintAction(
  app: AppServices,
  form: FormData,
  origin: string,
): Promise<PrintOutcome> {
  const refused = (answer: ActionResult, status: number) => ({ answer, status, address: null })
  const read = printSchema.safeParse({
    receipt: form.get('receipt'),
    papers: form.getAll('paper'),
    shipping: form.get('shipping') ?? '',
    ...{
      buyerName: form.get('buyerName') ?? undefined,
      buyerAddress: form.get('buyerAddress') ?? undefined,
    },
    size: form.get('size') ?? undefined,
    output: form.get('output'),
  })
  if (!read.success) {
    const [issue] = read.error.issues
    const field = String(issue?.path[0])
    const isTyped = ['shipping', 'buyerName', 'buyerAddress'].includes(field)
    return refused(
      {
        ok: false,
        field: isTyped ? field : 'papers',
        error: isTyped ? issue!.message : printErrorTexts.nothing,
      },
      422,
    )
  }
  const { output, size, buyerName, buyerAddress = '', ...rest } = read.data
  const request: IssueRequest = {
    ...rest,
    ...(buyerName !== undefined && { billTo: { name: buyerName, address: buyerAddress } }),
  }
  const hasTicket = request.papers.includes('Testimony Ticket')
  const failed = {
    ok: false,
    toasts: [hasTicket ? printErrorTexts.noTicket : printErrorTexts.failed],
  }
  try {
    // Without JavaScript, the form has the field `back`, and "Print" opens the PDF.
    const hasScript = !form.has('back')
    if ((output === 'pdf' || !hasScript) && !(await hasAllGlyphs(app, request, origin)))
      return refused({ ok: false, error: printErrorTexts.missingCharacters(hasScript) }, 422)
    const done = await issueDocuments(app, request)
    if (!done.ok && done.refusal === 'numbered')
      return refused(
        { ok: false, error: printErrorTexts.hasNumber(invoiceNumber(done.number)) },
        409,
      )
    if (!done.ok)
      return refused(
        hasTicket ? failed : { ok: false, toasts: [printErrorTexts.notFound] },
        done.refusal === 'not-found' ? 404 : 409,
      )
  } catch (error) {
    app.log.error('The documents of a receipt could not be created.', error)
    return refused(failed, 500)
  }
  const search = new URLSearchParams([
    ['receipt', request.receipt],
    ...request.papers.map((paper) => ['paper', paper]),
  ])
  if (size) search.set('size', size)
  if (output === 'print') search.set('show', '')
  const address = `/manage/papers.pdf?${search}`
  const answer = {
    ok: true,
    toasts: hasTicket ? [printTexts.ticketCreated] : [],
    ...(output === 'pdf' && { pdf: address }),
  }
  return { answer, status: 200, address }
}

/** Returns whether the PDF fonts have all glyphs of the documents. If not, the owner gets no PDF and the invoice gets no number. */
async function hasAllGlyphs(
  app: AppServices,
  { receipt, papers, billTo }: IssueRequest,
  origin: string,
): Promise<boolean> {
  const open = await readPrintData(app, receipt, origin)
  if (!open) return true
  const { canRenderPdf } = await import('./print-documents-pdf.server.tsx')
  return canRenderPdf({
    open: { ...open, billTo: billTo ?? open.billTo },
    papers,
    settings: await readSettings(app.db),
  })
}

/** If `isShown` is true, the browser displays the file instead of saving it. */
type PdfFile = { name: string; bytes: Uint8Array<ArrayBuffer>; isShown: boolean }

/** Returns the PDF of the chosen documents, or null if the receipt, the chosen invoice or the chosen testimony ticket does not exist. */
export async function readPdfFile(
  app: AppServices,
  { searchParams: search }: URL,
  origin: string,
): Promise<PdfFile | null> {
  const open = await readPrintData(app, search.get('receipt') ?? '', origin)
  if (!open) return null
  const papers = PRINT_DOCUMENTS.filter((paper) => search.getAll('paper').includes(paper))
  const isMissing =
    papers.some((paper) => !documentsFor(open.receipt).includes(paper)) ||
    (papers.includes('Invoice') && !open.invoice) ||
    (papers.includes('Testimony Ticket') && !open.ticket)
  if (papers.length === 0 || isMissing) return null
  const size = PAPER_SIZES.find((one) => one === search.get('size')) ?? open.size
  // @react-pdf takes a second to load, so the shop loads @react-pdf only when the owner requests a PDF.
  const { renderPdf } = await import('./print-documents-pdf.server.tsx')
  const bytes = await renderPdf({ open, papers, settings: await readSettings(app.db), size })
  const [paper] = papers
  const name =
    paper === 'Invoice'
      ? `invoice-${invoiceNumber(open.invoice!.number)}`
      : paper!.toLowerCase().replaceAll(' ', '-')
  return { name: `${name}.pdf`, bytes, isShown: search.has('show') }
}

const saleIds = (sales: readonly { id: string }[]): string[] => sales.map(({ id }) => id)

/** Creates the invoice with the next number. The caller must have locked the receipt. If another transaction takes the same number first, the insert is repeated. [S-190, S-191] */
async function numberInvoice(
  tx: Tx,
  receipt: Receipt,
  { shipping = 0, billTo }: IssueRequest,
  now: number,
): Promise<void> {
  const agreement = receipt.cancels
    ? null
    : await readReceiptAgreement(tx, saleIds(await listReceiptSales(tx, receipt.key)))
  const settings = await readSettings(tx)
  const canceled = await findCanceled(tx, receipt)
  // The amounts of a cancellation are in the currency of the invoice that it cancels, even if the shop has another currency now.
  const { currencyCode, currencySymbol, currencyPosition } = { ...settings, ...canceled?.seller }
  const invoice = {
    receiptKey: receipt.key,
    shippingCents: receipt.cancels ? 0 : shipping,
    createdAt: now,
    buyerName: billTo?.name ?? '',
    buyerAddress: billTo?.address ?? '',
    seller: JSON.stringify({
      ...sellerOf(settings),
      currencyCode,
      currencySymbol,
      currencyPosition,
    }),
    payments: agreement?.payments ? JSON.stringify(agreement.payments) : '',
  }
  for (;;) {
    const made = await tx
      .insertInto('invoices')
      .values({
        number: sql<number>`(select coalesce(max(number), 0) + 1 from invoices)`,
        ...invoice,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('number')
      .executeTakeFirst()
    if (!made) continue
    const about = {
      at: now,
      actor: ADMIN_ID,
      subject: receipt.key,
      name: buyerDisplayName(receipt),
    }
    const detail = { number: made.number, shippingCents: invoice.shippingCents }
    await recordAuditEvent(tx, { ...about, act: 'number-invoice', detail })
    return
  }
}
