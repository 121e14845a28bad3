/** Load this module with `import()`, because @react-pdf takes a second to load. */
import { withPrintableSymbol } from '#lib/text/currency.ts'
import { Document, Link, Page, Path, renderToBuffer, Svg, Text, View } from '@react-pdf/renderer'
import type { ReactNode } from 'react'
import { rewardText } from '#testimonials/testimony.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import { invoiceNumber } from '#conversation/invoice-number.ts'
import { invoiceContent, shopLines, type PrintDocument, type PaperSize } from './print-document.ts'
import { cardTexts, invoiceTexts as texts, ticketPaperTexts } from './texts.ts'
import type { PrintData, TestimonyTicket } from './print-documents.server.ts'
import { buyerDisplayName, itemWithColor } from '#sales/receipt.ts'
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

export async function renderPdf({ open, papers, settings: storedSettings, size }: PdfRequest) {
  const { receipt, invoice, ticket, currency } = open
  const { plain } = await loadTextFilter()
  const printable = withPrintableSymbol(currency, plain)
  const settings = mapTexts(storedSettings, plain)
  const words = mapTexts(
    invoiceContent({ ...open, shipping: invoice?.shippingCents ?? 0, currency: printable }),
    plain,
  )
  const title =
    papers.includes('Invoice') && invoice
      ? `${texts.name} ${invoiceNumber(invoice.number)}`
      : papers[0]
  const file = await renderToBuffer(
    <Document
      title={`${title} – ${settings.name}`}
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

/**
 * Returns false if the fonts lack a character. The fonts of the owner's browser may have it.
 * [S-194]
 */
export async function canRenderPdf({
  open: { receipt, billTo, invoice },
  papers,
  settings,
}: Omit<PdfRequest, 'size'>) {
  const { hasAllLetters, keepsText } = await loadTextFilter()
  const texts = papers.some((paper) => paper !== 'Invoice') ? [settings.name] : []
  const names: string[] = []
  if (papers.includes('Invoice')) {
    const seller = { ...settings, ...invoice?.seller }
    names.push(
      billTo.name || buyerDisplayName(receipt),
      ...receipt.items.map(({ name }) => name.replace(/ × \d+$/, '')),
    )
    texts.push(
      billTo.address.replaceAll('\n', ' '),
      receipt.buyerEmail,
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
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change)) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]),
  ) as Value
}

const PRICE = 100
const FACTS = 258
const GAP = 28
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

type PageProps = { settings: ShopSettings; size: PaperSize }
type InvoiceWords = ReturnType<typeof invoiceContent>
function InvoicePages({ words, settings, size }: PageProps & { words: InvoiceWords }) {
  const [pageWidth, pageHeight] = PAGE_SIZES[size]
  const width = pageWidth - 2 * MARGIN.side
  const lines = words.lines.map((item, index) => (
    <InvoiceLine
      key={index}
      item={item}
      width={width}
    />
  ))
  return (
    <Page
      size={PAGE_SIZES[size]}
      style={page}
    >
      <InvoiceHead
        words={words}
        settings={settings}
        width={width}
      />
      <PdfCord width={width} />
      <InvoiceFacts
        words={words}
        width={width}
      />
      <View
        fixed
        style={{ ...row, ...strong, columnGap: 0, paddingBottom: 4 }}
      >
        <PdfText style={{ ...head, flexGrow: 1 }}>{texts.item}</PdfText>
        <PdfText style={{ ...head, ...price }}>{texts.price}</PdfText>
        <PdfText style={{ ...head, ...price }}>{texts.amount}</PdfText>
      </View>
      {lines.slice(0, -1)}
      <View wrap={false}>
        {lines.at(-1)}
        <InvoiceSums
          words={words}
          width={width}
        />
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
      <PageNumber
        number={words.facts[0]![1]}
        top={pageHeight - 28}
      />
    </Page>
  )
}

type InvoicePartProps = { words: InvoiceWords; width: number }
const InvoiceHead = ({ words, settings, width }: InvoicePartProps & { settings: ShopSettings }) => {
  const shopWidth = width - TITLE_LETTER * words.title.length - GAP
  return (
    <View style={{ ...row, alignItems: 'flex-start' }}>
      <View style={{ width: shopWidth }}>
        <PdfText
          style={shopName}
          width={shopWidth}
        >
          {settings.name}
        </PdfText>
        {shopLines(settings).map((text, index) => (
          <PdfText
            style={soft}
            width={shopWidth}
            key={index}
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
  )
}

const InvoiceFacts = ({ words, width }: InvoicePartProps) => {
  const left = width - FACTS - GAP
  return (
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
          <PdfText style={{ ...label, paddingTop: 6, flexShrink: 0 }}>{texts.paymentTotal}</PdfText>
          <PdfText style={{ fontSize: 15, fontWeight: 700, lineHeight: 1.4 }}>
            {words.total}
          </PdfText>
        </View>
      </View>
    </View>
  )
}

const InvoiceLine = ({ item, width }: { item: InvoiceWords['lines'][number]; width: number }) => {
  const nameWidth = width - 2 * PRICE - 12
  return (
    <View
      wrap={false}
      style={line}
    >
      <PdfText
        style={{ width: nameWidth }}
        width={nameWidth}
      >
        {item.name}
      </PdfText>
      <View style={{ flexDirection: 'row' }}>
        <PdfText style={price}>{item.price}</PdfText>
        <PdfText style={price}>{item.amount}</PdfText>
      </View>
    </View>
  )
}

const InvoiceSums = ({ words, width }: InvoicePartProps) => (
  <>
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
    {words.payments.map(({ name, amount }, index) => (
      <View
        key={index}
        style={{ ...row, paddingTop: 6 }}
      >
        <PdfText width={width - PRICE - GAP}>{name}</PdfText>
        <PdfText style={price}>{amount}</PdfText>
      </View>
    ))}
  </>
)

/** Uses `top`, because @react-pdf hides a fixed text that is positioned from the bottom. */
const PageNumber = ({ number, top }: { number: string; top: number }) => (
  <Text
    fixed
    style={{
      ...soft,
      position: 'absolute',
      top,
      left: 0,
      right: 0,
      textAlign: 'center',
      fontSize: 9,
      lineHeight: 1,
    }}
    render={({ subPageNumber, subPageTotalPages }) =>
      subPageTotalPages === 1 ? ' ' : texts.page(number, subPageNumber, subPageTotalPages)
    }
  />
)

const CARD = 408
const QR = 225
const EDGE = 24
const thankYouStyle = { ...serif, fontSize: 14.25 } as const

type CenteredPageProps = PageProps & { width?: number; style?: object; children: ReactNode }

const CenteredPage = ({ settings, size, width = CARD, style, children }: CenteredPageProps) => (
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

const CardPage = ({ salutation, settings, size }: PageProps & { salutation: string }) => (
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

type TicketPageProps = PageProps & { ticket: TestimonyTicket; reward: string }

const TicketPage = ({ ticket: { link, qr }, reward, settings, size }: TicketPageProps) => (
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
