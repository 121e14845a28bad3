import { z } from 'zod'
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { type Receipt, buyerDisplayName, groupReceipts } from '#sales/receipt.ts'
import { readReceiptAgreement } from '#payments/payments.server.ts'
import { readSaleUndos } from '#orders/sale-undo.server.ts'
import { findParcelAddress, listAddressedOffers } from '#parcels/parcels.server.ts'
import { findReceipt, listReceiptSales } from '#sales/sales.server.ts'
import { currencyOf } from '#settings/shop-settings.ts'
import { readSettings } from '#settings/settings.server.ts'
import { findTicketOf, ensureTicket, ticketUrl } from '#testimonials/testimonies.server.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { change } from '#services/change.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Topic } from '#services/live-topics.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { refusedBy } from '#lib/http/form-actions.server.ts'
import { isStorableText, oneLine, parsedText, validateForm } from '#lib/http/form-data.server.ts'
import { refuse } from '#lib/refusal.ts'
import { MAX_ADDRESS_LENGTH, MAX_RECIPIENT_LENGTH, parseAddress } from '#lib/text/postal-address.ts'
import { drawQr } from '#ui/qr-code.server.ts'
import { type ActionOutcome, type ActionResult, done, refused } from '#ui/action-result.ts'
import { formatDate } from '#ui/format-date.ts'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { receiptKey } from '#conversation/receipt-key.ts'
import type { ReceiptPayments } from '#payments/payment.ts'
import { lockReceipt } from '#conversation/conversation.server.ts'
import {
  PAPER_SIZES,
  PRINT_DOCUMENTS,
  defaultPaperSize,
  documentsFor,
  parseShipping,
  sellerOf,
  type BillTo,
  type PrintDocument,
  type Seller,
} from './print-document.ts'
import { insertWithNextNumber } from './invoice-number.server.ts'
import { printErrorTexts as errors, printTexts } from './texts.ts'

export type PrintData = NonNullable<Awaited<ReturnType<typeof readPrintData>>>
export type TestimonyTicket = NonNullable<PrintData['ticket']>

export async function readPrintData(app: AppServices, key: string, origin: string) {
  const sales = isStorableText(key) ? await listReceiptSales(app.db, key) : []
  const [receipt] = groupReceipts(sales)
  if (!receipt) return null
  const ticketId = await findTicketOf(app.db, key)
  const invoice = await findInvoice(app.db, key)
  const canceled = await findCanceled(app.db, receipt)
  const today = formatDate(app.now(), app.timeZone)
  const issuedOn = invoice && formatDate(invoice.createdAt, app.timeZone)
  const settings = await readSettings(app.db)
  const saleIds = sales.map(({ id }) => id)
  const saleAgreement = receipt.cancels ? null : await readReceiptAgreement(app.db, saleIds)
  const agreement = invoice ? null : saleAgreement
  return {
    receipt,
    invoice,
    shippedOfferIds: await listAddressedOffers(app.db, saleAgreement?.offerIds ?? []),
    number: invoice?.number ?? null,
    cancels: canceled?.number ?? null,
    billTo:
      invoice?.billTo ??
      canceled?.billTo ??
      (await findParcelAddress(app.db, agreement?.offerIds ?? [])) ??
      (await findLastBillTo(app.db, receipt)),
    email: invoice?.email ?? canceled?.email ?? receipt.buyerEmail,
    agreed: agreement && { shippingCents: agreement.shippingCents },
    payments: invoice ? invoice.payments : (agreement?.payments ?? null),
    undos: await readSaleUndos(app.db, saleIds),
    sales: sales.map(({ id, itemName, cancels, canceledBy }) => ({
      id,
      itemName,
      isCanceled: canceledBy !== null,
      isCancellation: cancels !== null,
    })),
    issuedOn: issuedOn === today ? null : issuedOn,
    ticket: ticketId === null ? null : withQrCode(ticketUrl(app.publicUrl ?? origin, ticketId)),
    today,
    size: settings.paperSize || defaultPaperSize(app.timeZone),
    currency: currencyOf({ ...settings, ...canceled?.seller, ...invoice?.seller }),
  }
}

const withQrCode = (link: string) => ({ link, qr: drawQr(link) })

type IssueRequest = {
  receipt: string
  papers: readonly PrintDocument[]
  shipping?: number
  billTo?: BillTo
}

const FAILURE = 'The documents of a receipt could not be created.'

export const issueDocuments = (app: AppServices, request: IssueRequest) =>
  change(app, { failure: FAILURE }, async (tx, now) => {
    const saleIds = await lockReceipt(tx, request.receipt)
    const receipt = await findReceipt(tx, request.receipt)
    if (!receipt) return refuse('not-found')
    if (!request.papers.every((paper) => documentsFor(receipt).includes(paper))) {
      return refuse('not-offered')
    }
    const topics = new Set<Topic>()
    let isTicketNew = false
    if (request.papers.includes('Testimony Ticket')) {
      const ticket = await ensureTicket(tx, receipt.key, now)
      if (!ticket.ok) return ticket
      isTicketNew = ticket.isNew
      if (isTicketNew) topics.add('sales').add('tickets')
    }
    if (request.papers.includes('Invoice')) {
      const invoice = await findInvoice(tx, receipt.key)
      if (invoice && isChanged(invoice, request)) {
        return refuse('numbered', { number: invoice.number })
      }
      if (!invoice) {
        await numberInvoice(tx, receipt, saleIds, request, now)
        topics.add('sales')
      }
    }
    return { topics: [...topics], value: { isTicketNew } }
  })

const isChanged = ({ shippingCents, billTo }: NumberedInvoice, typed: IssueRequest) =>
  (typed.shipping !== undefined && typed.shipping !== shippingCents) ||
  (typed.billTo !== undefined &&
    ((typed.billTo.name || billTo.name) !== billTo.name || typed.billTo.address !== billTo.address))

async function numberInvoice(
  tx: Tx,
  receipt: Receipt,
  saleIds: string[],
  { shipping = 0, billTo }: IssueRequest,
  now: number,
) {
  const agreement = receipt.cancels ? null : await readReceiptAgreement(tx, saleIds)
  const settings = await readSettings(tx)
  const canceled = await findCanceled(tx, receipt)
  const { currencyCode, currencySymbol, currencyPosition } = { ...settings, ...canceled?.seller }
  const invoice = {
    receiptKey: receipt.key,
    shippingCents: receipt.cancels ? 0 : shipping,
    createdAt: now,
    // The invoice stores the buyer, because a deletion of the account must not change the invoice.
    buyerName: billTo?.name || canceled?.billTo.name || buyerDisplayName(receipt),
    buyerAddress: billTo?.address ?? canceled?.billTo.address ?? '',
    buyerEmail: canceled?.email ?? receipt.buyerEmail,
    seller: JSON.stringify(
      sellerOf({ ...settings, currencyCode, currencySymbol, currencyPosition }),
    ),
    payments: agreement?.payments ? JSON.stringify(agreement.payments) : '',
  }
  const number = await insertWithNextNumber(tx, invoice)
  await recordAuditEvent(tx, {
    at: now,
    actor: OWNER_ID,
    act: 'number-invoice',
    subject: receipt.key,
    name: buyerDisplayName(receipt),
    detail: { number, shippingCents: invoice.shippingCents },
  })
}

const printSchema = z.object({
  receipt: z.string(),
  papers: z.array(z.enum(PRINT_DOCUMENTS)).min(1),
  shipping: parsedText(parseShipping, errors.notANumber),
  buyerName: oneLine.max(MAX_RECIPIENT_LENGTH, errors.longName(MAX_RECIPIENT_LENGTH)).optional(),
  buyerAddress: parsedText(parseAddress, errors.longAddress(MAX_ADDRESS_LENGTH)).optional(),
  size: z.enum(PAPER_SIZES).optional(),
  output: z.enum(['print', 'pdf']).catch('print'),
})

export type PrintResult = ActionResult & { pdf?: string }
type PrintOutcome = ActionOutcome<PrintResult> & { address?: string }

export async function handlePrintAction(
  app: AppServices,
  form: FormData,
  origin: string,
): Promise<PrintOutcome> {
  const parsedForm = validateForm(printSchema, {
    shipping: '',
    ...Object.fromEntries(form),
    papers: form.getAll('paper'),
  })
  if (!parsedForm.ok) {
    const { field, error } = parsedForm
    const isTyped = ['shipping', 'buyerName', 'buyerAddress'].includes(field)
    return refused(422, isTyped ? { field, error } : { field: 'papers', error: errors.nothing })
  }
  const { output, size, buyerName, buyerAddress = '', ...fields } = parsedForm.data
  const request: IssueRequest = {
    ...fields,
    ...(buyerName !== undefined && { billTo: { name: buyerName, address: buyerAddress } }),
  }
  const hasTicket = request.papers.includes('Testimony Ticket')
  // The form has the field `back` only without JavaScript. Its button "Print" then opens the PDF.
  const hasScript = !form.has('back')
  const result = await tryWrite(app.log, FAILURE, async () => {
    const isPdf = output === 'pdf' || !hasScript
    if (isPdf && !(await hasAllGlyphs(app, request, origin))) return refuse('missing-characters')
    return issueDocuments(app, request)
  })
  if (!result.ok) return refusedBy(printRefusals(hasTicket, hasScript), result)
  const search = new URLSearchParams({ receipt: request.receipt })
  for (const paper of request.papers) search.append('paper', paper)
  if (size) search.set('size', size)
  if (output === 'print') search.set('show', '')
  const address = `/manage/print-documents.pdf?${search}`
  const { answer } = done(...(result.value.isTicketNew ? [printTexts.ticketCreated] : []))
  return { answer: { ...answer, ...(output === 'pdf' && { pdf: address }) }, status: 200, address }
}

function printRefusals(hasTicket: boolean, hasScript: boolean) {
  const notPrinted = (status: number, error: string) => ({
    status,
    toasts: [hasTicket ? errors.noTicket : error],
  })
  return {
    'missing-characters': { status: 422, error: errors.missingCharacters(hasScript) },
    numbered: ({ number }: { number: number }) => ({
      status: 409,
      error: errors.hasNumber(invoiceNumber(number)),
    }),
    'not-found': notPrinted(404, errors.notFound),
    'not-offered': notPrinted(409, errors.notFound),
    'no-email': notPrinted(409, errors.notFound),
    failed: notPrinted(500, errors.failed),
  }
}

async function hasAllGlyphs(
  app: AppServices,
  { receipt, papers, billTo }: IssueRequest,
  origin: string,
) {
  const open = await readPrintData(app, receipt, origin)
  if (!open) return true
  const { canRenderPdf } = await import('./print-documents-pdf.server.tsx')
  return canRenderPdf({
    open: { ...open, billTo: billTo ?? open.billTo },
    papers,
    settings: await readSettings(app.db),
  })
}

export async function readPdfFile(app: AppServices, { searchParams: search }: URL, origin: string) {
  const open = await readPrintData(app, search.get('receipt') ?? '', origin)
  if (!open) return null
  const papers = PRINT_DOCUMENTS.filter((paper) => search.getAll('paper').includes(paper))
  const isMissing =
    papers.some((paper) => !documentsFor(open.receipt).includes(paper)) ||
    (papers.includes('Invoice') && !open.invoice) ||
    (papers.includes('Testimony Ticket') && !open.ticket)
  const [paper] = papers
  if (!paper || isMissing) return null
  const size = PAPER_SIZES.find((item) => item === search.get('size')) ?? open.size
  const { renderPdf } = await import('./print-documents-pdf.server.tsx')
  const bytes = await renderPdf({ open, papers, settings: await readSettings(app.db), size })
  const name =
    paper === 'Invoice'
      ? `invoice-${invoiceNumber(open.invoice!.number)}`
      : paper.toLowerCase().replaceAll(' ', '-')
  return { name: `${name}.pdf`, bytes, isShown: search.has('show') }
}

export async function findInvoice(db: Db, key: string) {
  const row = await db
    .selectFrom('invoices')
    .selectAll()
    .where('receiptKey', '=', key)
    .executeTakeFirst()
  if (!row) return null
  const { number, shippingCents, createdAt } = row
  return {
    number,
    shippingCents,
    createdAt,
    billTo: { name: row.buyerName, address: row.buyerAddress },
    email: row.buyerEmail,
    seller: JSON.parse(row.seller) as Partial<Seller>,
    payments: parsePayments(row.payments),
  }
}

const parsePayments = (stored: string) =>
  stored === '' ? null : (JSON.parse(stored) as ReceiptPayments)

type NumberedInvoice = NonNullable<Awaited<ReturnType<typeof findInvoice>>>

async function findCanceled(db: Db, { cancels }: Receipt) {
  if (!cancels) return null
  const sale = await db
    .selectFrom('sales')
    .select(['id', 'receiptTag'])
    .where('id', '=', cancels)
    .executeTakeFirst()
  return sale ? findInvoice(db, receiptKey(sale)) : null
}

async function findLastBillTo(db: Db, { buyerid, buyerName }: Receipt): Promise<BillTo> {
  const billTo = await db
    .selectFrom('invoices')
    .innerJoin('sales', 'sales.receiptTag', 'invoices.receiptKey')
    .select(['invoices.buyerName as name', 'invoices.buyerAddress as address'])
    .where('sales.buyerId', '=', buyerid)
    .where('sales.buyerId', '!=', '')
    .where('invoices.buyerAddress', '!=', '')
    .orderBy('invoices.number', 'desc')
    .executeTakeFirst()
  return billTo ?? { name: buyerName.trim(), address: '' }
}

export async function readInvoices(db: Db, receiptKeys: readonly string[]) {
  const rows = await db
    .selectFrom('invoices')
    .select(['receiptKey', 'number', 'shippingCents', 'buyerName', 'buyerEmail', 'payments'])
    .where('receiptKey', 'in', receiptKeys)
    .execute()
  return new Map(
    rows.map(({ payments, ...invoice }) => [
      invoice.receiptKey,
      { ...invoice, paid: parsePayments(payments)?.paid ?? [] },
    ]),
  )
}

export async function canceledInvoices(db: Db, receiptKeys: readonly string[]) {
  const rows = await db
    .selectFrom('sales as entry')
    .innerJoin('sales as sale', 'sale.id', 'entry.cancels')
    .innerJoin('invoices', (join) =>
      join.on(
        'invoices.receiptKey',
        '=',
        sql<string>`coalesce(nullif("sale"."receiptTag", ''), "sale"."id")`,
      ),
    )
    .select(['entry.receiptTag', 'invoices.number'])
    .where('entry.receiptTag', 'in', receiptKeys)
    .execute()
  return new Map(rows.map(({ receiptTag, number }) => [receiptTag!, number]))
}
