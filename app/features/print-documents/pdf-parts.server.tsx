/** Defines fonts, sizes and the cord drawing of the PDF documents. The documents are black on white for printers without color. */
import { createRequire } from 'node:module'
import type { ComponentProps } from 'react'
import { ClipPath, Defs, Font, G, Path, Svg, Text } from '@react-pdf/renderer'
import type { PaperSize } from './print-document.ts'
import { LEFT_LOOP, FRONT_AREAS, ROPE } from '#app/ui/cord-drawing.tsx'

const resolveFile = createRequire(import.meta.url).resolve

const otherAlphabets = ['noto-sans-greek', 'noto-sans-cyrillic']
const figtree = ['figtree-latin', 'figtree-latin-ext']
const fraunces = ['fraunces-latin', 'fraunces-latin-ext', 'fraunces-vietnamese']
/** If a font file lacks a glyph, @react-pdf looks the glyph up in the next file of this list. */
const fontFamilies = [...figtree, ...fraunces, ...otherAlphabets]
const styles = [
  { fontWeight: 400, fontStyle: 'normal' },
  { fontWeight: 400, fontStyle: 'italic' },
  { fontWeight: 600, fontStyle: 'normal' },
  { fontWeight: 700, fontStyle: 'normal' },
] as const

for (const part of fontFamilies)
  Font.register({
    family: part,
    fonts: styles.map((style) => ({
      src: resolveFile(`#app/ui/fonts/${part}-${style.fontWeight}-${style.fontStyle}.woff`),
      ...style,
    })),
  })
// @react-pdf must not hyphenate words such as names. The function divideLongWords splits words that are longer than a line.
Font.registerHyphenationCallback((word) => [word])

const SANS = fontFamilies
const SERIF = [...fraunces, ...figtree, ...otherAlphabets]

let knownGlyphs: Promise<Set<number>> | undefined
const loadGlyphs = async () => {
  await Promise.all(
    fontFamilies.flatMap((fontFamily) =>
      styles.map((style) => Font.load({ fontFamily, ...style })),
    ),
  )
  const faces = fontFamilies.flatMap((fontFamily) =>
    styles.flatMap((style) => Font.getFont({ fontFamily, ...style })?.data ?? []),
  )
  // Uses each plain character before any document does. The font library remembers the character of a glyph at its first use. If that use were inside of "ë", people could not search or copy an "e" in the PDF.
  for (const face of faces)
    for (const character of face.characterSet) face.glyphForCodePoint(character)
  return new Set(
    fontFamilies.flatMap(
      (fontFamily) => Font.getFont({ fontFamily, fontWeight: 400 })?.data?.characterSet ?? [],
    ),
  )
}

/** Matches invisible characters such as soft hyphens, which pasted texts often contain. If a text contains only such characters, @react-pdf creates no page. */
const INVISIBLE = /\p{Cf}/u

/** Loads the fonts. `plain` returns a text without the characters that the fonts lack, such as emoji. `hasAllLetters` returns true if the fonts have every letter and digit of a text. `keepsText` returns false if `plain` removes all visible characters of a text. */
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
const MM = 72 / 25.4
/** The margins of a page, converted from millimeters to points. */
export const MARGIN = { top: 16 * MM, side: 15 * MM }

export const PAGE_SIZES: Record<PaperSize, [width: number, height: number]> = {
  A4: [595.28, 841.89],
  Letter: [612, 792],
}

export const page = {
  paddingVertical: MARGIN.top,
  paddingHorizontal: MARGIN.side,
  fontFamily: SANS,
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
type Props = {
  style?: TextStyle
  children: string
  /** the width of the line in points; omit it for texts that are always short */ width?: number
}

/** With this high penalty, @react-pdf breaks a line inside a word only if there is no other way. */
const NEVER = 10_000

/** Renders text without hyphenation. With `width`, a word that is longer than the line is split at the end of the line. */
export const PdfText = ({ style = {}, children, width }: Props) => (
  <Text
    style={style}
    hyphenationPenalty={NEVER}
  >
    {width === undefined ? children : divideLongWords(children, width, style)}
  </Text>
)

/** Splits words that are longer than a line, after a hyphen if possible. Each part fits in the line in both fonts of the documents. */
export function divideLongWords(text: string, width: number, style: TextStyle): string {
  const [size, spacing] = [Number(style.fontSize ?? 11.5), Number(style.letterSpacing ?? 0)]
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
      // Measuring is slow. A short word is not measured, because it fits even if each of its characters is as wide as the font size.
      if (word.length * (size + spacing) <= width || fits(word)) return word
      const lines = ['']
      for (const character of word) {
        const longer = lines.at(-1)! + character
        const afterHyphen = longer.lastIndexOf('-', longer.length - 2) + 1
        if (fits(longer)) lines[lines.length - 1] = longer
        else if (afterHyphen > 0 && fits(longer.slice(afterHyphen)))
          lines.splice(-1, 1, longer.slice(0, afterHyphen), longer.slice(afterHyphen))
        else lines.push(character)
      }
      return lines.join('\n')
    })
    .join('')
}
