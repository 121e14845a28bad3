/** Renders a packing slip as PDF. Load this module only with `import()`, because loading @react-pdf takes a second. */
import { Document, Page, renderToBuffer, View } from '@react-pdf/renderer'
import type { SlipSize } from '#app/features/parcels/slip-size.ts'
import { type PackingSlip, slipTextsOf } from './packing-slip.ts'
import {
  INK,
  label,
  loadTextFilter,
  MARGIN,
  page,
  PAGE_SIZES,
  PdfText,
  serif,
  soft,
} from './pdf-parts.server.tsx'
import { slipTexts as texts } from './texts.ts'

const MM = 72 / 25.4
/** The width and height in points, the margins in points, and a factor for the font sizes. Labels are small, so their margins and fonts are small. */
const layouts: Record<
  SlipSize,
  { size: [number, number]; top: number; side: number; scale: number }
> = {
  '4x6': { size: [288, 432], top: 6 * MM, side: 6 * MM, scale: 0.8 },
  A6: { size: [297.64, 419.53], top: 6 * MM, side: 6 * MM, scale: 0.8 },
  Letter: { size: PAGE_SIZES.Letter, ...MARGIN, scale: 1 },
  A4: { size: PAGE_SIZES.A4, ...MARGIN, scale: 1 },
}

/** Returns null if the fonts lack a character of the packing slip. [AGREE-57, AGREE-58] */
export async function renderSlipPdf(
  slip: PackingSlip,
  paper: SlipSize,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const { hasAllLetters, plain } = await loadTextFilter()
  if (!slipTextsOf(slip).every(hasAllLetters)) return null
  const { size, top, side, scale } = layouts[paper]
  const width = size[0] - 2 * side
  const quantity = 34 * scale
  const style = {
    ...page,
    paddingVertical: top,
    paddingHorizontal: side,
    fontSize: page.fontSize * scale,
  }
  const head = { ...label, fontSize: label.fontSize * scale, lineHeight: 1.5 }
  const small = { ...soft, fontSize: 10.5 * scale }
  const large = { fontSize: 15 * scale, lineHeight: 1.35 }
  const name = { ...serif, ...large, fontSize: 17 * scale, fontWeight: 600 }
  const rule = { borderBottomWidth: 1.2, borderBottomColor: INK }
  return new Uint8Array(
    await renderToBuffer(
      <Document
        title={`${texts.title} – ${plain(slip.from)}`}
        author={plain(slip.from)}
        language="en"
      >
        <Page
          size={size}
          style={style}
        >
          <PdfText style={head}>{texts.from}</PdfText>
          {[slip.from, ...slip.fromLines].map((text, at) => (
            <PdfText
              style={small}
              width={width}
              key={at}
            >
              {plain(text)}
            </PdfText>
          ))}
          <View style={{ ...rule, marginTop: 8 * scale, marginBottom: 10 * scale }} />
          <PdfText style={head}>{texts.to}</PdfText>
          <PdfText
            style={name}
            width={width}
          >
            {plain(slip.to)}
          </PdfText>
          {slip.toLines.map((text, at) => (
            <PdfText
              style={large}
              width={width}
              key={at}
            >
              {plain(text)}
            </PdfText>
          ))}
          <View style={{ ...rule, marginTop: 10 * scale, marginBottom: 6 * scale }} />
          <PdfText style={head}>{texts.contents}</PdfText>
          {slip.lines.map((line, at) => (
            <View
              key={at}
              wrap={false}
              style={{
                flexDirection: 'row',
                paddingVertical: 3 * scale,
                borderBottomWidth: 0.75,
                borderBottomColor: '#bbb',
              }}
            >
              <PdfText style={{ width: quantity, flexShrink: 0 }}>
                {texts.quantity(line.quantity)}
              </PdfText>
              <View style={{ width: width - quantity }}>
                <PdfText width={width - quantity}>{plain(line.name)}</PdfText>
                {plain(line.more) && (
                  <PdfText
                    style={small}
                    width={width - quantity}
                  >
                    {plain(line.more)}
                  </PdfText>
                )}
              </View>
            </View>
          ))}
        </Page>
      </Document>,
    ),
  )
}
