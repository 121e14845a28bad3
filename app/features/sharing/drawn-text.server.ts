/** Words for a drawn picture, in the shop's serif, which comes along as a file: no machine has to have any font. */
import { createRequire } from 'node:module'
import { openSharp } from '#app/platform/sharp.server.ts'

/** Fraunces, Latin, weight 600, from the package's variable font: the drawing library cannot read WOFF2. */
const fontfile = createRequire(import.meta.url).resolve('#app/features/sharing/fraunces-600.ttf')
const FAMILY = 'Fraunces Share'

export type DrawnText = { input: Buffer; width: number; height: number }
type Look = { color: string; width: number; isStruck?: boolean; spacing?: number }

/** What the font has; the rest of Latin loses its marks, and what then is left of other scripts and of emoji is left out. */
const inFont = (letter: string) =>
  /[\u0020-\u007e\u00a1-\u00ff\u0131\u0152\u0153\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]/.test(letter)
export const drawable = (text: string): string =>
  Array.from(text.normalize('NFC').replace(/\s+/g, ' '))
    .flatMap((letter) => (inFont(letter) ? letter : Array.from(letter.normalize('NFKD')).filter(inFont)))
    .join('')
    .replace(/ {2,}/g, ' ')
    .trim()

/** The drawing library reads markup; names are no markup. */
const escaped = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

/** `text` must not be empty. */
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

const SIZES = [60, 52, 46, 40, 36]

/** As large as it fits; what is too long for the smallest size ends in an ellipsis. */
export async function fitText(text: string, height: number, look: Look): Promise<DrawnText> {
  const fits = (drawn: DrawnText) => drawn.height <= height && drawn.width <= look.width
  for (const size of SIZES) {
    const drawn = await drawText(text, size, look)
    if (fits(drawn)) return drawn
  }
  const letters = Array.from(text)
  for (let length = Math.min(letters.length - 1, 120); length > 8; length = Math.floor(length * 0.85)) {
    const drawn = await drawText(`${letters.slice(0, length).join('').trimEnd()}…`, SIZES.at(-1)!, look)
    if (fits(drawn)) return drawn
  }
  return drawText('…', SIZES.at(-1)!, look)
}
