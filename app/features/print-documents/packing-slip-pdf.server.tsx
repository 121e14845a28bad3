/** Load this module with `import()`, because @react-pdf takes a second to load. */
import type { ComponentProps } from 'react'
import { Document, Page, renderToBuffer, View } from '@react-pdf/renderer'
import type { SlipSize } from '#parcels/parcel.ts'
import type { PackingSlip } from './packing-slip.server.tsx'
import {
  INK,
  label,
  loadTextFilter,
  MARGIN,
  MM,
  page,
  PAGE_SIZES,
  PdfText,
  serif,
  soft,
} from './pdf-parts.server.tsx'
import { slipTexts as texts } from './texts.ts'

const labelLayout = { top: 6 * MM, side: 6 * MM, scale: 0.8 }
type SlipLayout = {
  size: [width: number, height: number]
  top: number
  side: number
  scale: number
}
const layouts: Record<SlipSize, SlipLayout> = {
  '4x6': { size: [288, 432], ...labelLayout },
  A6: { size: [297.64, 419.53], ...labelLayout },
  Letter: { size: PAGE_SIZES.Letter, ...MARGIN, scale: 1 },
  A4: { size: PAGE_SIZES.A4, ...MARGIN, scale: 1 },
}

export async function renderSlipPdf(slip: PackingSlip, paper: SlipSize) {
  const { hasAllLetters, plain } = await loadTextFilter()
  if (!textsOf(slip).every(hasAllLetters)) return null
  const { size, top, side, scale } = layouts[paper]
  const width = size[0] - 2 * side
  const style = {
    ...page,
    paddingVertical: top,
    paddingHorizontal: side,
    fontSize: page.fontSize * scale,
  }
  const head = { ...label, fontSize: label.fontSize * scale, lineHeight: 1.5 }
  const small = smallStyle(scale)
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
          <TextLines
            texts={[slip.from, ...slip.fromLines].map(plain)}
            style={small}
            width={width}
          />
          <View style={{ ...rule, marginTop: 8 * scale, marginBottom: 10 * scale }} />
          <PdfText style={head}>{texts.to}</PdfText>
          <PdfText
            style={name}
            width={width}
          >
            {plain(slip.to)}
          </PdfText>
          <TextLines
            texts={slip.toLines.map(plain)}
            style={large}
            width={width}
          />
          <View style={{ ...rule, marginTop: 10 * scale, marginBottom: 6 * scale }} />
          <PdfText style={head}>{texts.contents}</PdfText>
          {slip.lines.map((line, index) => (
            <ContentLine
              key={index}
              quantity={line.quantity}
              name={plain(line.name)}
              more={plain(line.more)}
              width={width}
              scale={scale}
            />
          ))}
        </Page>
      </Document>,
    ),
  )
}

const smallStyle = (scale: number) => ({ ...soft, fontSize: 10.5 * scale })

type TextLinesProps = Omit<ComponentProps<typeof PdfText>, 'children'> & { texts: string[] }

const TextLines = ({ texts: lines, ...attributes }: TextLinesProps) =>
  lines.map((line, index) => (
    <PdfText
      {...attributes}
      key={index}
    >
      {line}
    </PdfText>
  ))

type ContentLineProps = PackingSlip['lines'][number] & { width: number; scale: number }

function ContentLine({ quantity, name, more, width, scale }: ContentLineProps) {
  const quantityWidth = 34 * scale
  const nameWidth = width - quantityWidth
  return (
    <View
      wrap={false}
      style={{
        flexDirection: 'row',
        paddingVertical: 3 * scale,
        borderBottomWidth: 0.75,
        borderBottomColor: '#bbb',
      }}
    >
      <PdfText style={{ width: quantityWidth, flexShrink: 0 }}>{texts.quantity(quantity)}</PdfText>
      <View style={{ width: nameWidth }}>
        <PdfText width={nameWidth}>{name}</PdfText>
        {more && (
          <PdfText
            style={smallStyle(scale)}
            width={nameWidth}
          >
            {more}
          </PdfText>
        )}
      </View>
    </View>
  )
}

const textsOf = ({ from, fromLines, to, toLines, lines }: PackingSlip) => [
  from,
  to,
  ...fromLines,
  ...toLines,
  ...lines.flatMap(({ name, more }) => [name, more]),
]
