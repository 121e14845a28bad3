/** A PDF file as somebody sees it who has printed it: its words page by page, its pages' sizes, and what a phone reads in its QR code. */
import jsQR from 'jsqr'
import sharp from 'sharp'
import { extractText, getDocumentProxy, renderPageAsImage } from 'unpdf'

/** Browsers round by a point. */
const POINTS = { A4: [595, 842], Letter: [612, 792] } as const

const sizeOf = ([width = 0, height = 0]: number[]) =>
  (Object.keys(POINTS) as (keyof typeof POINTS)[]).find(
    (size) => Math.abs(POINTS[size][0] - width) < 2 && Math.abs(POINTS[size][1] - height) < 2,
  ) ?? null

/** Letters set apart come out of a PDF as words of one letter: blanks tell nothing. */
export const withoutBlanks = (text: string) => text.replace(/\s+/g, '')

export async function readPdf(bytes: Uint8Array) {
  const pdf = await getDocumentProxy(Uint8Array.from(bytes))
  const { text } = await extractText(pdf, { mergePages: false })
  const boxes = await Promise.all(text.map(async (_, at) => (await pdf.getPage(at + 1)).view.slice(2)))
  return {
    pages: text.map(withoutBlanks),
    /** null: neither */
    sizes: boxes.map(sizeOf),
    info: (await pdf.getMetadata()).info as Record<string, unknown>,
  }
}

/** The page drawn in grey at 144 to the inch. */
async function drawPage(bytes: Uint8Array, page: number) {
  const png = await renderPageAsImage(Uint8Array.from(bytes), page, { canvasImport: () => import('@napi-rs/canvas'), scale: 2 })
  return sharp(Buffer.from(png)).flatten({ background: '#fff' }).greyscale()
}

/** What a phone reads in the page's QR code, and how wide the code is in pixels of 96 to the inch; null: there is none. */
export async function scanPage(bytes: Uint8Array, page: number): Promise<{ text: string; width: number } | null> {
  const { data, info } = await (await drawPage(bytes, page)).raw().toBuffer({ resolveWithObject: true })
  const pixels = Uint8ClampedArray.from({ length: info.width * info.height * 4 }, (_, at) => data[(at >> 2) * info.channels]!)
  const found = jsQR(pixels, info.width, info.height)
  if (!found) return null
  const { topLeftCorner: left, topRightCorner: right } = found.location
  return { text: found.data, width: (Math.hypot(right.x - left.x, right.y - left.y) / 144) * 96 }
}

/** The share of the page's pixels that are neither dark enough to read nor white: pale grey would be lost on a bad printer. */
export async function paleShare(bytes: Uint8Array, page: number): Promise<number> {
  const { data } = await (await drawPage(bytes, page)).raw().toBuffer({ resolveWithObject: true })
  return data.filter((grey) => grey > 200 && grey < 250).length / data.length
}
