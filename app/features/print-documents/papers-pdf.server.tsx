/** The chosen papers of a receipt as one PDF file, drawn by the server without a browser (029, 055). Reached by `import()` only. */
import { Document, Link, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import { cardWords, invoiceFoot, invoiceNumber, invoiceWords, ticketWords, type Paper, type PaperSize } from './paper.ts'
import type { OpenReceipt, Ticket } from './papers.server.ts'
import { Cord, INK, label, MARGIN, openWriting, page, PAGE_SIZES, serif, shopName, soft, Words } from './pdf-parts.server.tsx'

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
      {papers.includes('Invoice') && <InvoicePages words={words} settings={settings} size={size} />}
      {papers.includes('Thank you card') && <CardPage salutation={plain(cardWords.salutation(receipt))} settings={settings} size={size} />}
      {papers.includes('Testimony Ticket') && ticket && <TicketPage ticket={ticket} settings={settings} size={size} />}
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

function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  if (typeof value === 'string') return change(value) as Value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, change)])) as Value
}

const PRICE = 100
const FACTS = 235
const GAP = 28
const row = { flexDirection: 'row', justifyContent: 'space-between', columnGap: GAP } as const
const price = { width: PRICE, textAlign: 'right', flexShrink: 0 } as const
const line = { ...row, columnGap: 0, paddingVertical: 4.5, borderBottomWidth: 0.75, borderBottomColor: '#bbb' } as const
const strong = { borderBottomWidth: 1.2, borderBottomColor: INK } as const
const head = { ...label, lineHeight: 1.5 } as const
const sum = { fontSize: 14.4, fontWeight: 700 } as const

type InvoiceProps = { words: ReturnType<typeof invoiceWords>; settings: ShopSettings; size: PaperSize }

/** As many pages as its lines need, each with the table's head. */
function InvoicePages({ words, settings, size }: InvoiceProps) {
  const [pageWidth, pageHeight] = PAGE_SIZES[size]
  const width = pageWidth - 2 * MARGIN.side
  const left = width - FACTS - GAP
  const lines = words.lines.map((item, at) => (
    <View key={at} wrap={false} style={line}>
      <Words style={{ width: width - 2 * PRICE - 12 }} width={width - 2 * PRICE - 12}>
        {item.name}
      </Words>
      <View style={{ flexDirection: 'row' }}>
        <Words style={price}>{item.price}</Words>
        <Words style={price}>{item.amount}</Words>
      </View>
    </View>
  ))
  return (
    <Page size={PAGE_SIZES[size]} style={page}>
      <View style={{ ...row, alignItems: 'flex-start' }}>
        <View style={{ flexShrink: 1 }}>
          <Words style={shopName} width={width - 200}>
            {settings.name}
          </Words>
          <Words style={soft} width={width - 200}>
            {settings.city}
          </Words>
        </View>
        <Words style={{ ...serif, fontSize: 22.8, letterSpacing: 4.5, lineHeight: 1.25, flexShrink: 0 }}>INVOICE</Words>
      </View>
      <Cord width={width} />
      <View style={{ ...row, marginTop: 8, marginBottom: 22 }}>
        <View style={{ width: left }}>
          <Words style={head}>Bill to</Words>
          <Words style={{ ...serif, fontSize: 15, lineHeight: 1.4 }} width={left}>
            {words.billTo.name}
          </Words>
          <Words width={left}>{words.billTo.email}</Words>
        </View>
        <View style={{ width: FACTS }}>
          {words.facts.map(([name, value]) => (
            <View key={name} style={{ ...row, columnGap: 14 }}>
              <Words style={{ ...label, paddingTop: 3, flexShrink: 0 }}>{name}</Words>
              <Words>{value}</Words>
            </View>
          ))}
          <View style={{ ...row, columnGap: 14 }}>
            <Words style={{ ...label, paddingTop: 6, flexShrink: 0 }}>Payment total</Words>
            <Words style={{ fontSize: 15, fontWeight: 700, lineHeight: 1.4 }}>{words.total}</Words>
          </View>
        </View>
      </View>
      <View fixed style={{ ...row, ...strong, columnGap: 0, paddingBottom: 4 }}>
        <Words style={{ ...head, flexGrow: 1 }}>Item</Words>
        <Words style={{ ...head, ...price }}>Price</Words>
        <Words style={{ ...head, ...price }}>Amount</Words>
      </View>
      {lines.slice(0, -1)}
      {/* The sums never stand on a page alone. */}
      <View wrap={false}>
        {lines.at(-1)}
        <View style={{ ...line, ...strong }}>
          <Words>Shipping</Words>
          <Words>{words.shipping}</Words>
        </View>
        <View style={{ ...row, paddingTop: 8 }}>
          <Words style={sum}>Total</Words>
          <Words style={sum}>{words.total}</Words>
        </View>
        <View style={{ ...row, ...soft, marginTop: 36, fontSize: 10.5 }}>
          <Words style={{ ...serif, fontStyle: 'italic', flexShrink: 0 }}>{invoiceFoot}</Words>
          <Words width={width / 2}>{`${settings.email} · ${settings.phone}`}</Words>
        </View>
      </View>
      {/* From the top: the library loses a fixed text that stands on the bottom. */}
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
          subPageTotalPages === 1 ? ' ' : `Invoice ${words.facts[0]![1]} · Page ${subPageNumber} of ${subPageTotalPages}`
        }
      />
    </Page>
  )
}

/** 34 rem, as on the printed page */
const CARD = 408
/** SALES-58: 300 px at 96 to the inch */
const QR = 225
const EDGE = 24
const letter = { ...serif, fontSize: 14.25 } as const

type CardProps = { settings: ShopSettings; size: PaperSize; width?: number; style?: object; children: ReactNode }

const CenteredPage = ({ settings, size, width = CARD, style, children }: CardProps) => (
  <Page size={PAGE_SIZES[size]} style={{ ...page, justifyContent: 'center', alignItems: 'center' }}>
    <View style={{ width: CARD, ...style }}>
      <Words style={{ ...shopName, textAlign: 'center' }} width={width}>
        {settings.name}
      </Words>
      <Cord width={width} />
      {children}
    </View>
  </Page>
)

const CardPage = ({ salutation, settings, size }: { salutation: string; settings: ShopSettings; size: PaperSize }) => (
  <CenteredPage settings={settings} size={size}>
    <Words style={{ ...serif, fontSize: 18, fontWeight: 600, lineHeight: 1.3, marginTop: 10, marginBottom: 12 }} width={CARD}>
      {salutation}
    </Words>
    <Words style={{ ...letter, lineHeight: 1.75 }} width={CARD}>
      {settings.thankYouLetter}
    </Words>
    <Words style={{ ...letter, marginTop: 24 }}>{cardWords.closing}</Words>
    <Words style={{ ...serif, fontSize: 21, fontStyle: 'italic', marginTop: 3, marginBottom: 9 }} width={CARD}>
      {settings.ownerName}
    </Words>
    <Words style={soft} width={CARD}>{`${settings.name}, ${settings.city}`}</Words>
  </CenteredPage>
)

const TicketPage = ({ ticket: { link, qr }, settings, size }: { ticket: Ticket; settings: ShopSettings; size: PaperSize }) => (
  <CenteredPage
    settings={settings}
    size={size}
    width={CARD - 2 * EDGE}
    style={{ padding: EDGE, border: `1.1 dashed ${INK}`, borderRadius: 10.5, alignItems: 'center' }}
  >
    <Words style={{ ...serif, fontSize: 54, fontWeight: 700, lineHeight: 1, marginTop: 12 }}>{ticketWords.offer}</Words>
    <Words style={{ ...letter, marginTop: 8 }}>{ticketWords.offerFor}</Words>
    <Svg viewBox={`0 0 ${qr.size} ${qr.size}`} width={QR} height={QR} style={{ marginTop: 12, marginBottom: 6 }}>
      <Path d={qr.path} fill="#000" />
    </Svg>
    <Words style={{ ...soft, fontSize: 10.5 }}>{ticketWords.how}</Words>
    <Link src={link} style={{ textDecoration: 'none' }}>
      <Words style={{ color: INK, fontWeight: 600, textAlign: 'center' }} width={CARD - 2 * EDGE}>
        {link}
      </Words>
    </Link>
  </CenteredPage>
)
