import { createRequire } from 'node:module'
import type { OverlayOptions } from 'sharp'
import { openSharp } from '#app/platform/resize.server.ts'
import { SHARE_HEIGHT, SHARE_WIDTH } from './page-head.ts'

export type ShareDrawing = {
  shopName: string
  title: string
  line: string
  /** as shown, already formatted; `was`: the original of a price on sale */
  price: { now: string; was: string | null } | null
  /** none: the shop's mark stands in their place; several stand side by side */
  pictures: Uint8Array[]
}

/** The light theme of app/ui/tokens.css: most sites that show shared pictures are light. */
const color = { linen: '#faf5ec', bark: '#33281f', soft: '#62533f', accent: '#b4532f', second: '#5e7350' }
const LEFT = 660
const EDGE = 54
const WORDS = SHARE_WIDTH - LEFT - 2 * EDGE
/** 200 kB; some sites take no more than 300 */
const MOST_BYTES = 200_000

export async function drawSharePicture({ shopName, title, line, price, pictures }: ShareDrawing): Promise<Buffer> {
  const look = { color: color.bark, width: WORDS }
  const [shop, name, under, now, was] = await Promise.all([
    fitText(drawable(shopName) || '…', [30, 25, 21], 42, { color: color.soft, width: WORDS - 72 }),
    fitText(drawable(title) || drawable(shopName) || '…', [60, 52, 46, 40, 36], 240, { ...look, spacing: 6 }),
    price || drawable(line) === '' ? null : drawText(drawable(line), 27, { color: color.soft, width: WORDS, spacing: 6 }),
    price ? drawText(drawable(price.now), 54, { ...look, color: price.was ? color.accent : color.bark }) : null,
    price?.was ? drawText(drawable(price.was), 34, { ...look, color: color.soft, isStruck: true }) : null,
  ])
  const x = LEFT + EDGE
  const foot = SHARE_HEIGHT - EDGE
  const top = Math.round((SHARE_HEIGHT - name.height) / 2) - (under ? 36 : 10)
  // The struck price stands beside the new one, or above it where both are long.
  const isBeside = now && was && now.width + 22 + was.width <= WORDS
  const put = (drawn: DrawnText | null, left: number, y: number): OverlayOptions[] =>
    drawn ? [{ input: drawn.input, left: Math.round(left), top: Math.round(y) }] : []
  const sharp = await openSharp()
  const image = await sharp(Buffer.from(ground(pictures.length === 0)))
    .composite([
      ...(await side(pictures)),
      { input: Buffer.from(cord), left: LEFT - 7, top: 0 },
      ...put(shop, x + 72, EDGE + 28 - shop.height / 2),
      ...put(name, x, top),
      ...put(under, x, top + name.height + 44),
      ...put(now, x, foot - (now?.height ?? 0)),
      ...(isBeside
        ? put(was, x + now.width + 22, foot - now.height / 2 - was.height / 2)
        : put(was, x, foot - (now?.height ?? 0) - (was?.height ?? 0) - 16)),
    ])
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const encode = (quality: number) => sharp(image.data, { raw: image.info }).jpeg({ quality, mozjpeg: true }).toBuffer()
  for (const quality of [84, 72]) {
    const jpeg = await encode(quality)
    if (jpeg.length < MOST_BYTES) return jpeg
  }
  return encode(58)
}

async function side(pictures: Uint8Array[]): Promise<OverlayOptions[]> {
  const [wide, ...narrow] = pictures
  if (!wide) return []
  const parts =
    narrow.length < 2
      ? [{ bytes: wide, left: 0, top: 0, width: LEFT, height: SHARE_HEIGHT }]
      : [
          { bytes: wide, left: 0, top: 0, width: 400, height: SHARE_HEIGHT },
          { bytes: narrow[0]!, left: 408, top: 0, width: LEFT - 408, height: 311 },
          { bytes: narrow[1]!, left: 408, top: 319, width: LEFT - 408, height: 311 },
        ]
  const sharp = await openSharp()
  return Promise.all(
    parts.map(async ({ bytes, left, top, width, height }) => ({
      input: await sharp(bytes).rotate().flatten({ background: color.linen }).resize(width, height, { fit: 'cover' }).png().toBuffer(),
      left,
      top,
    })),
  )
}

/** The paths of app/ui/layout/knot-mark.tsx, in a square of 40. */
const knot = `<g fill="none" stroke-linecap="round" stroke-width="3.2">
<path d="M15 3v9M25 3v9M15 28v9M25 28v9" stroke="${color.bark}" opacity="0.55"/>
<path d="M4 12c9 0 20 1 22 7 1.5 5-4 9-22 9" stroke="${color.accent}"/>
<path d="M36 12c-9 0-20 1-22 7-1.5 5 4 9 22 9" stroke="${color.second}"/>
<path d="M17.5 14.5c3 0 7 1.5 8.300 4" stroke="${color.accent}"/></g>`

const ground = (isBare: boolean) => `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">
<defs><pattern id="linen" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 1.5h3M3 4.5h3" stroke="#e9dfcf" stroke-width="0.9"/>
<path d="M1.5 3v3M4.5 0v3" stroke="#efe6d8" stroke-width="0.9"/></pattern></defs>
<rect width="100%" height="100%" fill="${color.linen}"/><rect width="100%" height="100%" fill="url(#linen)"/>
${isBare ? `<rect width="${LEFT}" height="100%" fill="#efe3d0"/><g transform="translate(190 175) scale(7)">${knot}</g>` : ''}
<g transform="translate(${LEFT + EDGE} ${EDGE}) scale(1.4)">${knot}</g></svg>`

const cord = `<svg xmlns="http://www.w3.org/2000/svg" width="14" height="${SHARE_HEIGHT}">
<defs><pattern id="twist" width="14" height="15" patternUnits="userSpaceOnUse"><rect width="14" height="15" fill="#efe2cd"/>
<path d="M-2 14 16 3M-2 -1 16 -12M-2 29 16 18" stroke="#b99e7b" stroke-width="2.4"/><path d="M-2 10 16 -1M-2 25 16 14" stroke="#fbf3e4" stroke-width="2"/></pattern>
<linearGradient id="round"><stop offset="0" stop-color="#5b4630" stop-opacity="0.5"/><stop offset="0.35" stop-color="#fff" stop-opacity="0.1"/>
<stop offset="1" stop-color="#5b4630" stop-opacity="0.55"/></linearGradient></defs>
<rect width="14" height="100%" fill="url(#twist)"/><rect width="14" height="100%" fill="url(#round)"/></svg>`

/** The shop's serif comes along as a file, so that no machine has to have any font: Fraunces, Latin, weight 600, from the package's variable font: the drawing library cannot read WOFF2. */
const fontfile = createRequire(import.meta.url).resolve('#app/features/seo/fraunces-600.ttf')
const FAMILY = 'Fraunces Share'

type DrawnText = { input: Buffer; width: number; height: number }
type Look = { color: string; width: number; isStruck?: boolean; spacing?: number }

/** What the font has; the rest of Latin loses its marks, and what then is left of other scripts and of emoji is left out. */
const inFont = (letter: string) =>
  /[\u0020-\u007e\u00a1-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]/.test(letter)
const drawable = (text: string): string =>
  Array.from(text.normalize('NFC').replace(/\s+/g, ' '))
    .flatMap((letter) => (inFont(letter) ? letter : Array.from(letter.normalize('NFKD')).filter(inFont)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()

/** The drawing library reads markup; names are no markup. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

export async function drawText(text: string, size: number, { color, width, isStruck = false, spacing = 0 }: Look): Promise<DrawnText> {
  const markup = `<span foreground="${color}"${isStruck ? ' strikethrough="true"' : ''}>${escaped(text)}</span>`
  const sharp = await openSharp()
  // 72 dots per inch: a point is a pixel. The library would guess a height for the lines if it were not told where they may break.
  const { data, info } = await sharp({
    text: { text: markup, font: `${FAMILY} ${size}`, fontfile, width, dpi: 72, rgba: true, wrap: 'word-char', spacing },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

async function fitText(text: string, sizes: number[], height: number, look: Look): Promise<DrawnText> {
  const fits = (drawn: DrawnText) => drawn.height <= height && drawn.width <= look.width
  for (const size of sizes) {
    const drawn = await drawText(text, size, look)
    if (fits(drawn)) return drawn
  }
  const letters = Array.from(text)
  for (let length = Math.min(letters.length - 1, 120); length > 8; length = Math.floor(length * 0.85)) {
    const drawn = await drawText(`${letters.slice(0, length).join('').trimEnd()}…`, sizes.at(-1)!, look)
    if (fits(drawn)) return drawn
  }
  return drawText('…', sizes.at(-1)!, look)
}
