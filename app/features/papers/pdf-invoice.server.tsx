/** The invoice as pages of a PDF file; as many as its lines need, each with the table's head. */
import { Page, Text, View } from '@react-pdf/renderer'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import type { PaperSize } from './paper.ts'
import { invoiceFoot, type invoiceWords } from './paper-words.ts'
import { Cord, INK, label, MARGIN, page, serif, shopName, soft, WIDTHS, HEIGHTS } from './pdf-parts.server.tsx'
import { Words } from './pdf-text.server.tsx'

type Props = { words: ReturnType<typeof invoiceWords>; settings: ShopSettings; size: PaperSize }

const PRICE = 100
const FACTS = 235
const GAP = 28

const row = { flexDirection: 'row', justifyContent: 'space-between' } as const
const price = { width: PRICE, textAlign: 'right', flexShrink: 0 } as const
const line = { ...row, paddingVertical: 4.5, borderBottomWidth: 0.75, borderBottomColor: '#bbb' } as const
const head = { ...label, lineHeight: 1.5 } as const

export function PdfInvoice({ words, settings, size }: Props) {
  const width = WIDTHS[size] - 2 * MARGIN.side
  const left = width - FACTS - GAP
  return (
    <Page size={size === 'A4' ? 'A4' : 'LETTER'} style={page}>
      <View style={{ ...row, alignItems: 'flex-start', columnGap: GAP }}>
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
      <View style={{ ...row, columnGap: GAP, marginTop: 8, marginBottom: 22 }}>
        <View style={{ width: left }}>
          <Words style={head}>Bill to</Words>
          <Words style={{ ...serif, fontSize: 15, lineHeight: 1.4 }} width={left}>
            {words.billTo.name}
          </Words>
          <Words width={left}>{words.billTo.email}</Words>
        </View>
        <View style={{ width: FACTS }}>
          {words.facts.map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
          <Fact name="Payment total" value={words.total} strong />
        </View>
      </View>
      <View fixed style={{ ...row, paddingBottom: 4, borderBottomWidth: 1.2, borderBottomColor: INK }}>
        <Words style={{ ...head, flexGrow: 1 }}>Item</Words>
        <Words style={{ ...head, ...price }}>Price</Words>
        <Words style={{ ...head, ...price }}>Amount</Words>
      </View>
      {words.lines.slice(0, -1).map((item, at) => (
        <Line key={at} item={item} width={width} />
      ))}
      {/* The sums never stand on a page alone. */}
      <View wrap={false}>
        {words.lines.slice(-1).map((item) => (
          <Line key="last" item={item} width={width} />
        ))}
        <View style={{ ...line, borderBottomWidth: 1.2, borderBottomColor: INK }}>
          <Words>Shipping</Words>
          <Words>{words.shipping}</Words>
        </View>
        <View style={{ ...row, paddingTop: 8 }}>
          <Words style={{ fontSize: 14.4, fontWeight: 700 }}>Total</Words>
          <Words style={{ fontSize: 14.4, fontWeight: 700 }}>{words.total}</Words>
        </View>
        <View style={{ ...row, ...soft, marginTop: 36, fontSize: 10.5, columnGap: GAP }}>
          <Words style={{ ...serif, fontStyle: 'italic', flexShrink: 0 }}>{invoiceFoot}</Words>
          <Words width={width / 2}>{`${settings.email} · ${settings.phone}`}</Words>
        </View>
      </View>
      {/* From the top: the library loses a fixed text that stands on the bottom. */}
      <Text
        fixed
        style={{
          position: 'absolute',
          top: HEIGHTS[size] - 28,
          left: 0,
          right: 0,
          textAlign: 'center',
          ...soft,
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

type LineProps = { item: { name: string; price: string; amount: string }; width: number }

const Line = ({ item, width }: LineProps) => (
  <View wrap={false} style={line}>
    <Words style={{ width: width - 2 * PRICE - 12 }} width={width - 2 * PRICE - 12}>
      {item.name}
    </Words>
    <View style={row}>
      <Words style={price}>{item.price}</Words>
      <Words style={price}>{item.amount}</Words>
    </View>
  </View>
)

const Fact = ({ name, value, strong = false }: { name: string; value: string; strong?: boolean }) => (
  <View style={{ ...row, columnGap: 14 }}>
    <Words style={{ ...label, paddingTop: strong ? 6 : 3, flexShrink: 0 }}>{name}</Words>
    <Words style={strong ? { fontSize: 15, fontWeight: 700, lineHeight: 1.4 } : {}}>{value}</Words>
  </View>
)
