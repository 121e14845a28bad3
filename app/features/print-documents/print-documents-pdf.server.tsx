/** Renders the chosen documents of a receipt as one PDF, without a browser. Load this module only with `import()` when a PDF is needed, because loading @react-pdf takes a second. */
import { withPrintableSymbol } from '#app/lib/text/currency.ts'
import { Document, Link, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { rewardText } from '#app/features/testimonials/testimony.ts'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { invoiceNumber } from '#app/features/orders/order.ts'
import { invoiceContent, shopLines, type PrintDocument, type PaperSize } from './print-document.ts'
import { cardTexts, invoiceTexts as texts, ticketPaperTexts } from './texts.ts'
import type { PrintData, TestimonyTicket } from './print-documents.server.ts'
import { buyerDisplayName, itemWithColor } from '#app/features/sales/receipt.ts'
import {
  PdfCord,
  INK,
  label,
  MARGIN,
  loadTextFilter,
  page,
  PAGE_SIZES,
  serif,
  shopName,
  soft,
  PdfText,
} from './pdf-parts.server.tsx'

type PdfRequest = {
  open: PrintData
  papers: readonly PrintDocument[]
  settings: ShopSettings
  size: PaperSize
}

/** Renders the PDF. Call `issueDocuments` first, which creates the invoice number and the testimony ticket. An invoice without a number is marked as a draft. */
export async function renderPdf({
  open,
  papers,
  settings: given,
  size,
}: PdfRequest): Promise<Uint8Array<ArrayBuffer>> {
  const { receipt, billTo, invoice, canceled, ticket, issued, today, payments, currency } = open
  const { plain } = await loadTextFilter()
  // If the fonts lack the symbol of the currency, such as ฿, the PDF shows the code of the currency instead.
  const printable = withPrintableSymbol(currency, plain)
  const settings = mapTexts(given, plain)
  const numbers = {
    number: invoice?.number ?? null,
    cancels: canceled?.number ?? null,
    shipping: invoice?.shippingCents ?? 0,
  }
  const words = mapTexts(
    invoiceContent({
      receipt,
      billTo,
      ...numbers,
      issuedOn: issued,
      today,
      payments,
      currency: printable,
    }),
    plain,
  )
  const title = [
    papers.includes('Invoice') && invoice
      ? `${texts.name} ${invoiceNumber(invoice.number)}`
      : papers[0],
    settings.name,
  ].join(' – ')
  const file = await renderToBuffer(
    <Document
      title={title}
      author={settings.name}
      language="en"
    >
      {papers.includes('Invoice') && (
        <InvoicePages
          words={words}
          settings={{ ...settings, ...mapTexts(invoice?.seller ?? {}, plain) }}
          size={size}
        />
      )}
      {papers.includes('Thank you card') && (
        <CardPage
          salutation={plain(cardTexts.salutation(receipt))}
          settings={settings}
          size={size}
        />
      )}
      {papers.includes('Testimony Ticket') && ticket && (
        <TicketPage
          ticket={ticket}
          settings={settings}
          size={size}
          reward={plain(rewardText(printable))}
        />
      )}
    </Document>,
  )
  return new Uint8Array(file)
}

/** Returns whether the fonts contain every letter and digit of the documents, and at least one character of each name. If not, the owner can print the documents with her browser, which has more fonts. [S-194] */
export async function canRenderPdf({
  open: { receipt, billTo, invoice },
  papers,
  settings,
}: Omit<PdfRequest, 'size'>): Promise<boolean> {
  const { hasAllLetters, keepsText } = await loadTextFilter()
  const texts = papers.some((paper) => paper !== 'Invoice') ? [settings.name] : []
  const names: string[] = []
  if (papers.includes('Invoice')) {
    names.push(
      billTo.name || buyerDisplayName(receipt),
      ...receipt.items.map(({ name }) => name.replace(/ × \d+$/, '')),
    )
    const seller = { ...settings, ...invoice?.seller }
    texts.push(billTo.address.replaceAll('\n', ' '), receipt.buyerEmail)
    texts.push(
      ...receipt.items.map(itemWithColor),
      seller.name,
      seller.email,
      seller.invoiceFooter,
      ...shopLines(seller),
    )
  }
  if (papers.includes('Thank you card')) {
    names.push(buyerDisplayName(receipt))
    texts.push(settings.city, settings.thankYouLetter, settings.ownerName)
  }
  return names.every(keepsText) && [...names, ...texts].every(hasAllLetters)
}

function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)]),
  ) as Value
}

const PRICE = 100
/** the width in points of the column with number, date, receipt and total */
const FACTS = 258
const GAP = 28
/** The title needs at most this many points per letter on average. */
const TITLE_LETTER = 20
const row = { flexDirection: 'row', justifyContent: 'space-between', columnGap: GAP } as const
const price = { width: PRICE, textAlign: 'right', flexShrink: 0 } as const
const line = {
  ...row,
  columnGap: 0,
  paddingVertical: 4.5,
  borderBottomWidth: 0.75,
  borderBottomColor: '#bbb',
} as const
const strong = { borderBottomWidth: 1.2, borderBottomColor: INK } as const
const head = { ...label, lineHeight: 1.5 } as const
const sum = { fontSize: 14.4, fontWeight: 700 } as const

type InvoiceProps = {
  words: ReturnType<typeof invoiceContent>
  settings: ShopSettings
  size: PaperSize
}

/** Renders an invoice of one or more pages. The table header appears on every page. */
function InvoicePages({ words, settings, size }: InvoiceProps) {
  const [pageWidth, pageHeight] = PAGE_SIZES[size]
  const width = pageWidth - 2 * MARGIN.side
  const left = width - FACTS - GAP
  const shopWidth = width - TITLE_LETTER * words.title.length - GAP
  const lines = words.lines.map((item, at) => (
    <View
      key={at}
      wrap={false}
      style={line}
    >
      <PdfText
        style={{ width: width - 2 * PRICE - 12 }}
        width={width - 2 * PRICE - 12}
      >
        {item.name}
      </PdfText>
      <View style={{ flexDirection: 'row' }}>
        <PdfText style={price}>{item.price}</PdfText>
        <PdfText style={price}>{item.amount}</PdfText>
      </View>
    </View>
  ))
  return (
    <Page
      size={PAGE_SIZES[size]}
      style={page}
    >
      <View style={{ ...row, alignItems: 'flex-start' }}>
        <View style={{ width: shopWidth }}>
          <PdfText
            style={shopName}
            width={shopWidth}
          >
            {settings.name}
          </PdfText>
          {shopLines(settings).map((text, at) => (
            <PdfText
              style={soft}
              width={shopWidth}
              key={at}
            >
              {text}
            </PdfText>
          ))}
        </View>
        <PdfText
          style={{ ...serif, fontSize: 22.8, letterSpacing: 4.5, lineHeight: 1.25, flexShrink: 0 }}
        >
          {words.title}
        </PdfText>
      </View>
      <PdfCord width={width} />
      <View style={{ ...row, marginTop: 8, marginBottom: 22 }}>
        <View style={{ width: left }}>
          <PdfText style={head}>{texts.billTo}</PdfText>
          <PdfText
            style={{ ...serif, fontSize: 15, lineHeight: 1.4 }}
            width={left}
          >
            {words.billTo.name}
          </PdfText>
          {words.billTo.address && <PdfText width={left}>{words.billTo.address}</PdfText>}
          <PdfText width={left}>{words.billTo.email}</PdfText>
        </View>
        <View style={{ width: FACTS }}>
          {words.facts.map(([name, value]) => (
            <View
              key={name}
              style={{ ...row, columnGap: 14 }}
            >
              <PdfText style={{ ...label, paddingTop: 3, flexShrink: 0 }}>{name}</PdfText>
              <PdfText>{value}</PdfText>
            </View>
          ))}
          <View style={{ ...row, columnGap: 14 }}>
            <PdfText style={{ ...label, paddingTop: 6, flexShrink: 0 }}>
              {texts.paymentTotal}
            </PdfText>
            <PdfText style={{ fontSize: 15, fontWeight: 700, lineHeight: 1.4 }}>
              {words.total}
            </PdfText>
          </View>
        </View>
      </View>
      <View
        fixed
        style={{ ...row, ...strong, columnGap: 0, paddingBottom: 4 }}
      >
        <PdfText style={{ ...head, flexGrow: 1 }}>{texts.item}</PdfText>
        <PdfText style={{ ...head, ...price }}>{texts.price}</PdfText>
        <PdfText style={{ ...head, ...price }}>{texts.amount}</PdfText>
      </View>
      {lines.slice(0, -1)}
      {/* The totals and the last item of the invoice stay on the same page. */}
      <View wrap={false}>
        {lines.at(-1)}
        {words.shipping !== null && (
          <View style={{ ...line, ...strong }}>
            <PdfText>{texts.shipping}</PdfText>
            <PdfText>{words.shipping}</PdfText>
          </View>
        )}
        <View style={{ ...row, paddingTop: 8 }}>
          <PdfText style={sum}>{texts.total}</PdfText>
          <PdfText style={sum}>{words.total}</PdfText>
        </View>
        {words.payments.map(({ name, amount }, at) => (
          <View
            key={at}
            style={{ ...row, paddingTop: 6 }}
          >
            <PdfText width={width - PRICE - GAP}>{name}</PdfText>
            <PdfText style={price}>{amount}</PdfText>
          </View>
        ))}
        <View style={{ ...row, ...soft, marginTop: 36, fontSize: 10.5 }}>
          <PdfText
            style={{ ...serif, fontStyle: 'italic', flexShrink: 1 }}
            width={width / 2}
          >
            {settings.invoiceFooter}
          </PdfText>
          <PdfText width={width / 2}>
            {[settings.email, settings.phone].filter(Boolean).join(' · ')}
          </PdfText>
        </View>
      </View>
      {/* The page number has a position relative to the top, because @react-pdf does not show a fixed text with a position relative to the bottom. */}
      <Text
        fixed
        style={{
          ...soft,
          position: 'absolute',
          top: pageHeight - 28,
          left: 0,
          right: 0,
          textAlign: 'center',
          fontSize: 9,
          lineHeight: 1,
        }}
        render={({ subPageNumber, subPageTotalPages }) =>
          subPageTotalPages === 1
            ? ' '
            : texts.page(words.facts[0]![1], subPageNumber, subPageTotalPages)
        }
      />
    </Page>
  )
}

/** The thank-you card is 408 points wide. This equals the 34 rem of the HTML card that the browser prints. */
const CARD = 408
/** The QR code is 225 points wide, which is 300 pixels at 96 pixels per inch. [SALES-58] */
const QR = 225
const EDGE = 24
const thankYouStyle = { ...serif, fontSize: 14.25 } as const

type CardProps = {
  settings: ShopSettings
  size: PaperSize
  width?: number
  style?: object
  children: ReactNode
}

const CenteredPage = ({ settings, size, width = CARD, style, children }: CardProps) => (
  <Page
    size={PAGE_SIZES[size]}
    style={{ ...page, justifyContent: 'center', alignItems: 'center' }}
  >
    <View style={{ width: CARD, ...style }}>
      <PdfText
        style={{ ...shopName, textAlign: 'center' }}
        width={width}
      >
        {settings.name}
      </PdfText>
      <PdfCord width={width} />
      {children}
    </View>
  </Page>
)

const CardPage = ({
  salutation,
  settings,
  size,
}: {
  salutation: string
  settings: ShopSettings
  size: PaperSize
}) => (
  <CenteredPage
    settings={settings}
    size={size}
  >
    <PdfText
      style={{
        ...serif,
        fontSize: 18,
        fontWeight: 600,
        lineHeight: 1.3,
        marginTop: 10,
        marginBottom: 12,
      }}
      width={CARD}
    >
      {salutation}
    </PdfText>
    <PdfText
      style={{ ...thankYouStyle, lineHeight: 1.75 }}
      width={CARD}
    >
      {settings.thankYouLetter}
    </PdfText>
    <PdfText style={{ ...thankYouStyle, marginTop: 24 }}>{cardTexts.closing}</PdfText>
    <PdfText
      style={{ ...serif, fontSize: 21, fontStyle: 'italic', marginTop: 3, marginBottom: 9 }}
      width={CARD}
    >
      {settings.ownerName}
    </PdfText>
    <PdfText
      style={soft}
      width={CARD}
    >
      {[settings.name, settings.city].filter(Boolean).join(', ')}
    </PdfText>
  </CenteredPage>
)

type TicketProps = {
  ticket: TestimonyTicket
  reward: string
  settings: ShopSettings
  size: PaperSize
}

const TicketPage = ({ ticket: { link, qr }, reward, settings, size }: TicketProps) => (
  <CenteredPage
    settings={settings}
    size={size}
    width={CARD - 2 * EDGE}
    style={{ padding: EDGE, border: `1.1 dashed ${INK}`, borderRadius: 10.5, alignItems: 'center' }}
  >
    <PdfText style={{ ...serif, fontSize: 54, fontWeight: 700, lineHeight: 1, marginTop: 12 }}>
      {ticketPaperTexts.offer(reward)}
    </PdfText>
    <PdfText style={{ ...thankYouStyle, marginTop: 8 }}>{ticketPaperTexts.offerFor}</PdfText>
    <Svg
      viewBox={`0 0 ${qr.size} ${qr.size}`}
      width={QR}
      height={QR}
      style={{ marginTop: 12, marginBottom: 6 }}
    >
      <Path
        d={qr.path}
        fill="#000"
      />
    </Svg>
    <PdfText style={{ ...soft, fontSize: 10.5 }}>{ticketPaperTexts.how}</PdfText>
    <Link
      src={link}
      style={{ textDecoration: 'none' }}
    >
      <PdfText
        style={{ color: INK, fontWeight: 600, textAlign: 'center' }}
        width={CARD - 2 * EDGE}
      >
        {link}
      </PdfText>
    </Link>
  </CenteredPage>
)
