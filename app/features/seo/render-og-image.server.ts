import { createRequire } from 'node:module'
import { loadSharp } from '#lib/images/resize.server.ts'

export type OgImage = {
  shopName: string
  title: string
  line: string
  price: { now: string; was: string | null } | null
  images: Uint8Array[]
}

export const SHARE_WIDTH = 1200
export const SHARE_HEIGHT = 630

const palette = {
  linen: '#faf5ec',
  bark: '#33281f',
  soft: '#62533f',
  accent: '#b4532f',
  second: '#5e7350',
}
const LEFT = 660
const EDGE = 54
const WORDS = SHARE_WIDTH - LEFT - 2 * EDGE
/** Larger images get a lower quality, because some sites refuse large images (above 300 kB). */
const MAX_BYTES = 200_000

export async function renderOgImage({ shopName, title, line, price, images }: OgImage) {
  const textStyle = { color: palette.bark, width: WORDS }
  const [shop, name, under, now, was] = await Promise.all([
    fitText(drawable(shopName) || '…', [30, 25, 21], 42, {
      color: palette.soft,
      width: WORDS - 72,
    }),
    fitText(drawable(title) || drawable(shopName) || '…', [60, 52, 46, 40, 36], 240, {
      ...textStyle,
      spacing: 6,
    }),
    price || drawable(line) === ''
      ? null
      : drawText(drawable(line), 27, { color: palette.soft, width: WORDS, spacing: 6 }),
    price
      ? drawText(drawable(price.now), 54, {
          ...textStyle,
          color: price.was ? palette.accent : palette.bark,
        })
      : null,
    price?.was
      ? drawText(drawable(price.was), 34, { ...textStyle, color: palette.soft, isStruck: true })
      : null,
  ])
  const x = LEFT + EDGE
  const foot = SHARE_HEIGHT - EDGE
  const top = Math.round((SHARE_HEIGHT - name.height) / 2) - (under ? 36 : 10)
  const isBeside = now && was && now.width + 22 + was.width <= WORDS
  const put = (text: DrawnText | null, left: number, y: number) =>
    text ? [{ input: text.input, left: Math.round(left), top: Math.round(y) }] : []
  const sharp = await loadSharp()
  const image = await sharp(Buffer.from(background(images.length === 0)))
    .composite([
      ...(await imageColumn(images)),
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
  const encode = (quality: number) =>
    sharp(image.data, { raw: image.info }).jpeg({ quality, mozjpeg: true }).toBuffer()
  for (const quality of [84, 72]) {
    const jpeg = await encode(quality)
    if (jpeg.length < MAX_BYTES) return jpeg
  }
  return encode(58)
}

async function imageColumn([large, upper, lower]: Uint8Array[]) {
  if (!large) return []
  const parts =
    upper && lower
      ? [
          { bytes: large, left: 0, top: 0, width: 400, height: SHARE_HEIGHT },
          { bytes: upper, left: 408, top: 0, width: LEFT - 408, height: 311 },
          { bytes: lower, left: 408, top: 319, width: LEFT - 408, height: 311 },
        ]
      : [{ bytes: large, left: 0, top: 0, width: LEFT, height: SHARE_HEIGHT }]
  const sharp = await loadSharp()
  return Promise.all(
    parts.map(async ({ bytes, left, top, width, height }) => ({
      input: await sharp(bytes)
        .rotate()
        .flatten({ background: palette.linen })
        .resize(width, height, { fit: 'cover' })
        .png()
        .toBuffer(),
      left,
      top,
    })),
  )
}

const knot = `<g fill="none" stroke-linecap="round" stroke-width="3.2">
<path d="M15 3v9M25 3v9M15 28v9M25 28v9" stroke="${palette.bark}" opacity="0.55"/>
<path d="M4 12c9 0 20 1 22 7 1.5 5-4 9-22 9" stroke="${palette.accent}"/>
<path d="M36 12c-9 0-20 1-22 7-1.5 5 4 9 22 9" stroke="${palette.second}"/>
<path d="M17.5 14.5c3 0 7 1.5 8.300 4" stroke="${palette.accent}"/></g>`

const background = (
  isBare: boolean,
) => `<svg xmlns="http://www.w3.org/2000/svg" width="${SHARE_WIDTH}" height="${SHARE_HEIGHT}">
<defs><pattern id="linen" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M0 1.5h3M3 4.5h3" stroke="#e9dfcf" stroke-width="0.9"/>
<path d="M1.5 3v3M4.5 0v3" stroke="#efe6d8" stroke-width="0.9"/></pattern></defs>
<rect width="100%" height="100%" fill="${palette.linen}"/><rect width="100%" height="100%" fill="url(#linen)"/>
${isBare ? `<rect width="${LEFT}" height="100%" fill="#efe3d0"/><g transform="translate(190 175) scale(7)">${knot}</g>` : ''}
<g transform="translate(${LEFT + EDGE} ${EDGE}) scale(1.4)">${knot}</g></svg>`

const cord = `<svg xmlns="http://www.w3.org/2000/svg" width="14" height="${SHARE_HEIGHT}">
<defs><pattern id="twist" width="14" height="15" patternUnits="userSpaceOnUse"><rect width="14" height="15" fill="#efe2cd"/>
<path d="M-2 14 16 3M-2 -1 16 -12M-2 29 16 18" stroke="#b99e7b" stroke-width="2.4"/><path d="M-2 10 16 -1M-2 25 16 14" stroke="#fbf3e4" stroke-width="2"/></pattern>
<linearGradient id="round"><stop offset="0" stop-color="#5b4630" stop-opacity="0.5"/><stop offset="0.35" stop-color="#fff" stop-opacity="0.1"/>
<stop offset="1" stop-color="#5b4630" stop-opacity="0.55"/></linearGradient></defs>
<rect width="14" height="100%" fill="url(#twist)"/><rect width="14" height="100%" fill="url(#round)"/></svg>`

/** sharp cannot read WOFF2 files, and a server may have no fonts. */
const fontfile = createRequire(import.meta.url).resolve('#seo/fraunces-600.ttf')
const FAMILY = 'Fraunces Share'

type DrawnText = Awaited<ReturnType<typeof drawText>>
type TextStyle = { color: string; width: number; isStruck?: boolean; spacing?: number }

const isInFont = (character: string) =>
  /[\u0020-\u007e\u00a1-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]/.test(
    character,
  )
export const drawable = (text: string) =>
  Array.from(text.normalize('NFC').replace(/\s+/g, ' '))
    .flatMap((character) =>
      isInFont(character) ? character : Array.from(character.normalize('NFKD')).filter(isInFont),
    )
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()

/** sharp parses the text as markup. */
const escaped = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

export async function drawText(
  text: string,
  size: number,
  { color, width, isStruck = false, spacing = 0 }: TextStyle,
) {
  const markup = `<span foreground="${color}"${isStruck ? ' strikethrough="true"' : ''}>${escaped(text)}</span>`
  const sharp = await loadSharp()
  const { data, info } = await sharp({
    text: {
      text: markup,
      font: `${FAMILY} ${size}`,
      fontfile,
      width,
      dpi: 72,
      rgba: true,
      wrap: 'word-char',
      spacing,
    },
  })
    .png()
    .toBuffer({ resolveWithObject: true })
  return { input: data, width: info.width, height: info.height }
}

async function fitText(text: string, sizes: number[], height: number, textStyle: TextStyle) {
  const fits = (image: DrawnText) => image.height <= height && image.width <= textStyle.width
  for (const size of sizes) {
    const image = await drawText(text, size, textStyle)
    if (fits(image)) return image
  }
  const smallest = sizes.at(-1)!
  const characters = Array.from(text)
  let length = Math.min(characters.length - 1, 120)
  while (length > 8) {
    const start = characters.slice(0, length).join('').trimEnd()
    const image = await drawText(`${start}…`, smallest, textStyle)
    if (fits(image)) return image
    length = Math.floor(length * 0.85)
  }
  return drawText('…', smallest, textStyle)
}
