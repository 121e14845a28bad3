/** The chosen papers of a receipt as one PDF file, drawn by the server without a browser (029). Reached by `import()` only. */
import { Document, renderToBuffer } from '@react-pdf/renderer'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { OpenReceipt } from './open-receipt.server.ts'
import { invoiceNumber, type Paper, type PaperSize } from './paper.ts'
import { cardWords, invoiceWords } from './paper-words.ts'
import { PdfCard, PdfTicket } from './pdf-cards.server.tsx'
import { openWriting } from './pdf-fonts.server.ts'
import { PdfInvoice } from './pdf-invoice.server.tsx'

type Wanted = { open: OpenReceipt; papers: readonly Paper[]; settings: ShopSettings; size: PaperSize }

/** Number and ticket must be there (`issuePapers`); what is missing is not on the file. */
export async function drawPapers({ open, papers, settings: given, size }: Wanted): Promise<Uint8Array<ArrayBuffer>> {
  const { receipt, invoice, ticket, issued, today } = open
  const { plain } = await openWriting()
  const settings = mapTexts(given, plain)
  const shipping = invoice?.shippingCents ?? 0
  const words = mapTexts(invoiceWords({ receipt, number: invoice?.number ?? null, issued, today, shipping }), plain)
  const title = [papers.includes('Invoice') && invoice ? `Invoice ${invoiceNumber(invoice.number)}` : papers[0], settings.name].join(' – ')
  const file = await renderToBuffer(
    <Document title={title} author={settings.name} language="en">
      {papers.includes('Invoice') && <PdfInvoice words={words} settings={settings} size={size} />}
      {papers.includes('Thank you card') && <PdfCard salutation={plain(cardWords.salutation(receipt))} settings={settings} size={size} />}
      {papers.includes('Testimony Ticket') && ticket && <PdfTicket ticket={ticket} settings={settings} size={size} />}
    </Document>,
  )
  return new Uint8Array(file)
}

/** S-194: whether the file would have every letter; the browser's own print has them all. */
export async function canDraw({ open: { receipt }, papers, settings }: Omit<Wanted, 'size'>): Promise<boolean> {
  const { isWhole } = await openWriting()
  const texts = [receipt.buyerName, settings.name]
  if (papers.includes('Invoice')) texts.push(receipt.buyerEmail, settings.city, settings.email, ...receipt.items.map((item) => item.name))
  if (papers.includes('Thank you card')) texts.push(settings.city, settings.thankYouLetter, settings.ownerName)
  return texts.every(isWhole)
}

/** Every text of a value, however deep it stands. */
function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)])) as Value
}
