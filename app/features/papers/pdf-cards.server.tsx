/** The thank-you card and the testimony ticket, each a page of a PDF file. */
import { Link, Page, Path, Svg, View } from '@react-pdf/renderer'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { Ticket } from './open-receipt.server.ts'
import type { PaperSize } from './paper.ts'
import { cardWords, ticketWords } from './paper-words.ts'
import { Cord, INK, page, serif, shopName, soft } from './pdf-parts.server.tsx'
import { Words } from './pdf-text.server.tsx'

/** 34 rem, as on the printed page */
const WIDTH = 408
/** SALES-58: 300 px at 96 to the inch */
const QR = 225
const EDGE = 24

const card = { ...page, justifyContent: 'center', alignItems: 'center' } as const
const centred = { ...shopName, textAlign: 'center' } as const
const letter = { ...serif, fontSize: 14.25 } as const
const sized = (size: PaperSize) => (size === 'A4' ? 'A4' : 'LETTER')

export const PdfCard = ({ salutation, settings, size }: { salutation: string; settings: ShopSettings; size: PaperSize }) => (
  <Page size={sized(size)} style={card}>
    <View style={{ width: WIDTH }}>
      <Words style={centred} width={WIDTH}>
        {settings.name}
      </Words>
      <Cord width={WIDTH} />
      <Words style={{ ...serif, fontSize: 18, fontWeight: 600, lineHeight: 1.3, marginTop: 10, marginBottom: 12 }} width={WIDTH}>
        {salutation}
      </Words>
      <Words style={{ ...letter, lineHeight: 1.75 }} width={WIDTH}>
        {settings.thankYouLetter}
      </Words>
      <Words style={{ ...letter, marginTop: 24 }}>{cardWords.closing}</Words>
      <Words style={{ ...serif, fontSize: 21, fontStyle: 'italic', marginTop: 3, marginBottom: 9 }} width={WIDTH}>
        {settings.ownerName}
      </Words>
      <Words style={soft} width={WIDTH}>{`${settings.name}, ${settings.city}`}</Words>
    </View>
  </Page>
)

export const PdfTicket = ({ ticket: { link, qr }, settings, size }: { ticket: Ticket; settings: ShopSettings; size: PaperSize }) => (
  <Page size={sized(size)} style={card}>
    <View style={{ width: WIDTH, padding: EDGE, border: `1.1 dashed ${INK}`, borderRadius: 10.5, alignItems: 'center' }}>
      <Words style={centred} width={WIDTH - 2 * EDGE}>
        {settings.name}
      </Words>
      <Cord width={WIDTH - 2 * EDGE} />
      <Words style={{ ...serif, fontSize: 54, fontWeight: 700, lineHeight: 1, marginTop: 12 }}>{ticketWords.offer}</Words>
      <Words style={{ ...letter, marginTop: 8 }}>{ticketWords.offerFor}</Words>
      <Svg viewBox={`0 0 ${qr.size} ${qr.size}`} width={QR} height={QR} style={{ marginTop: 12, marginBottom: 6 }}>
        <Path d={qr.path} fill="#000" />
      </Svg>
      <Words style={{ ...soft, fontSize: 10.5 }}>{ticketWords.how}</Words>
      <Link src={link} style={{ textDecoration: 'none' }}>
        <Words style={{ color: INK, fontWeight: 600, textAlign: 'center' }} width={WIDTH - 2 * EDGE}>
          {link}
        </Words>
      </Link>
    </View>
  </Page>
)
