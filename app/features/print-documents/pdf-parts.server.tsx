import { createRequire } from 'node:module'
import type { ComponentProps } from 'react'
import { ClipPath, Defs, Font, G, Path, Svg, Text } from '@react-pdf/renderer'
import type { PaperSize } from './print-document.ts'
import { LEFT_LOOP, FRONT_AREAS, ROPE } from '#ui/cord-drawing.tsx'

const resolveFile = createRequire(import.meta.url).resolve

const otherAlphabets = ['noto-sans-greek', 'noto-sans-cyrillic']
const figtree = ['figtree-latin', 'figtree-latin-ext']
const fraunces = ['fraunces-latin', 'fraunces-latin-ext', 'fraunces-vietnamese']
const fontFamilies = [...figtree, ...fraunces, ...otherAlphabets]
const styles = [
  { fontWeight: 400, fontStyle: 'normal' },
  { fontWeight: 400, fontStyle: 'italic' },
  { fontWeight: 600, fontStyle: 'normal' },
  { fontWeight: 700, fontStyle: 'normal' },
] as const

const fonts = fontFamilies.flatMap((fontFamily) =>
  styles.map((style) => ({ fontFamily, ...style })),
)

for (const { fontFamily, ...style } of fonts) {
  const file = `${fontFamily}-${style.fontWeight}-${style.fontStyle}.woff`
  Font.register({ family: fontFamily, src: resolveFile(`#ui/fonts/${file}`), ...style })
}
Font.registerHyphenationCallback((word) => [word])

const SERIF = [...fraunces, ...figtree, ...otherAlphabets]

let knownGlyphs: Promise<Set<number>> | undefined

async function loadGlyphs() {
  await Promise.all(fonts.map((font) => Font.load(font)))
  const faces = fonts.flatMap((font) => Font.getFont(font)?.data ?? [])
  // A glyph gets the character that uses it first. If "ë" used the glyph of "e" first, people could
  // not search the PDF for "e". So each character is used here first.
  for (const face of faces) {
    for (const character of face.characterSet) face.glyphForCodePoint(character)
  }
  return new Set(
    fontFamilies.flatMap(
      (fontFamily) => Font.getFont({ fontFamily, fontWeight: 400 })?.data?.characterSet ?? [],
    ),
  )
}

/** @react-pdf creates no page for a text of only such characters, for example soft hyphens. */
const INVISIBLE = /\p{Cf}/u

/** `plain` removes characters that the fonts lack, such as emoji. */
export async function loadTextFilter() {
  const glyphs = await (knownGlyphs ??= loadGlyphs())
  const has = (character: string) =>
    character === '\n' || (glyphs.has(character.codePointAt(0)!) && !INVISIBLE.test(character))
  const isAlphanumeric = (character: string) => /[\p{L}\p{N}]/u.test(character)
  const plain = (text: string) =>
    [...text.normalize('NFC').replace(/[^\S\n]/gu, ' ')]
      .filter(has)
      .join('')
      .replace(/ {2,}/g, ' ')
      .trim()
  return {
    plain,
    keepsText: (text: string) => plain(text) !== '' || !/[^\p{Cf}\s]/u.test(text),
    hasAllLetters: (text: string) =>
      [...text.normalize('NFC')].every((character) => has(character) || !isAlphanumeric(character)),
  }
}

export const INK = '#111'
const SOFT = '#444'
export const MM = 72 / 25.4
export const MARGIN = { top: 16 * MM, side: 15 * MM }

export const PAGE_SIZES: Record<PaperSize, [width: number, height: number]> = {
  A4: [595.28, 841.89],
  Letter: [612, 792],
}

export const page = {
  paddingVertical: MARGIN.top,
  paddingHorizontal: MARGIN.side,
  fontFamily: fontFamilies,
  fontSize: 11.5,
  lineHeight: 1.5,
  color: INK,
} as const
export const serif = { fontFamily: SERIF } as const
export const soft = { color: SOFT } as const
export const label = {
  ...soft,
  fontSize: 9,
  fontWeight: 600,
  letterSpacing: 0.9,
  textTransform: 'uppercase',
} as const
export const shopName = {
  ...serif,
  fontSize: 25,
  fontWeight: 600,
  lineHeight: 1.15,
  letterSpacing: -0.25,
} as const

const Tube = ({ d }: { d: string }) => (
  <>
    <Path
      d={d}
      stroke={INK}
      strokeWidth={7.2}
      fill="none"
    />
    <Path
      d={d}
      stroke="#fff"
      strokeWidth={5.2}
      fill="none"
    />
  </>
)

export const PdfCord = ({ width }: { width: number }) => (
  <Svg
    viewBox="0 0 600 44"
    width={width}
    height={(width * 44) / 600}
    style={{ marginVertical: 10.8 }}
  >
    <Defs>
      <ClipPath id="over">
        <Path d={FRONT_AREAS} />
      </ClipPath>
    </Defs>
    <Path
      d={ROPE}
      stroke={INK}
      strokeWidth={1}
      strokeLinecap="round"
      fill="none"
    />
    <Tube d={LEFT_LOOP} />
    <G transform="matrix(-1 0 0 1 600 0)">
      <Tube d={LEFT_LOOP} />
    </G>
    <G clipPath="url(#over)">
      <Tube d={LEFT_LOOP} />
    </G>
  </Svg>
)

type TextStyle = Extract<ComponentProps<typeof Text>['style'], { fontSize?: unknown }>
type PdfTextProps = {
  style?: TextStyle
  children: string
  width?: number
}

/** With this penalty, @react-pdf breaks a line inside a word only if there is no other way. */
const NEVER = 10_000

export const PdfText = ({ style = {}, children, width }: PdfTextProps) => (
  <Text
    style={style}
    hyphenationPenalty={NEVER}
  >
    {width === undefined ? children : divideLongWords(children, width, style)}
  </Text>
)

export function divideLongWords(text: string, width: number, style: TextStyle) {
  const size = Number(style.fontSize ?? 11.5)
  const spacing = Number(style.letterSpacing ?? 0)
  const fontWeight = Number(style.fontWeight ?? 400)
  const faces = ['figtree-latin', 'fraunces-latin'].map(
    (fontFamily) => Font.getFont({ fontFamily, fontWeight, fontStyle: 'normal' }).data!,
  )
  const fits = (part: string) =>
    faces.every(
      (face) =>
        (face.layout(part).advanceWidth / face.unitsPerEm) * size + part.length * spacing <= width,
    )
  return text
    .split(/([ \n])/)
    .map((word) => {
      // Measuring is slow, and a word surely fits if each character could be as wide as the font
      // size.
      if (word.length * (size + spacing) <= width || fits(word)) return word
      const lines = ['']
      for (const character of word) {
        const longer = lines.at(-1)! + character
        const afterHyphen = longer.lastIndexOf('-', longer.length - 2) + 1
        if (fits(longer)) lines[lines.length - 1] = longer
        else if (afterHyphen > 0 && fits(longer.slice(afterHyphen))) {
          lines.splice(-1, 1, longer.slice(0, afterHyphen), longer.slice(afterHyphen))
        } else lines.push(character)
      }
      return lines.join('\n')
    })
    .join('')
}
