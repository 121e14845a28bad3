/** What the papers of a PDF file share: typefaces, texts, measures and the cord. Black on white, so that a gray printer loses nothing. */
import { createRequire } from 'node:module'
import type { ComponentProps } from 'react'
import { ClipPath, Defs, Font, G, Path, Svg, Text } from '@react-pdf/renderer'
import type { PaperSize } from './paper.ts'
import { LOOP, OVER, ROPE } from '#app/ui/cord-line.tsx'

const fileOf = createRequire(import.meta.url).resolve

/** Loaded with the first file that is asked for. Each part of a typeface is a file of its own; what the first has no glyph for is looked for in the next. */
const parts = ['figtree-latin', 'figtree-latin-ext', 'fraunces-latin', 'fraunces-latin-ext', 'fraunces-vietnamese']
const styles = [
  { fontWeight: 400, fontStyle: 'normal' },
  { fontWeight: 400, fontStyle: 'italic' },
  { fontWeight: 600, fontStyle: 'normal' },
  { fontWeight: 700, fontStyle: 'normal' },
] as const

for (const part of parts)
  Font.register({
    family: part,
    fonts: styles.map((style) => ({ src: fileOf(`#app/ui/fonts/${part}-${style.fontWeight}-${style.fontStyle}.woff`), ...style })),
  })
// Names are never divided with a hyphen; what is longer than its line is divided where it must be.
Font.registerHyphenationCallback((word) => [word])

const SANS = parts
const SERIF = [...parts.slice(2), ...parts.slice(0, 2)]

let known: Promise<Set<number>> | undefined
const readKnown = async () => {
  await Promise.all(parts.flatMap((fontFamily) => styles.map((style) => Font.load({ fontFamily, ...style }))))
  return new Set(parts.flatMap((fontFamily) => Font.getFont({ fontFamily, fontWeight: 400 })?.data?.characterSet ?? []))
}

/** Soft hyphens above all, which come along with what is pasted: of a text that is nothing else the library makes no page. */
const UNSEEN = /\p{Cf}/u

/** What people see of a text, letter by letter as the typefaces have them; what they have not and is no letter (emoji) is left out. */
export async function openWriting(): Promise<{ isWhole: (text: string) => boolean; plain: (text: string) => string }> {
  const glyphs = await (known ??= readKnown())
  const has = (letter: string) => letter === '\n' || (glyphs.has(letter.codePointAt(0)!) && !UNSEEN.test(letter))
  const isLetter = (letter: string) => /[\p{L}\p{N}]/u.test(letter)
  return {
    isWhole: (text) => [...text.normalize('NFC')].every((letter) => has(letter) || !isLetter(letter)),
    plain: (text) => [...text.normalize('NFC').replace(/[^\S\n]/gu, ' ')].filter(has).join('').replace(/ {2,}/g, ' ').trim(),
  }
}

export const INK = '#111'
const SOFT = '#444'
const MM = 72 / 25.4
/** in points, as everything here */
export const MARGIN = { top: 16 * MM, side: 15 * MM }

export const PAGE_SIZES: Record<PaperSize, [width: number, height: number]> = { A4: [595.28, 841.89], Letter: [612, 792] }

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
export const label = { ...soft, fontSize: 9, fontWeight: 600, letterSpacing: 0.9, textTransform: 'uppercase' } as const
export const shopName = { ...serif, fontSize: 25, fontWeight: 600, lineHeight: 1.15, letterSpacing: -0.25 } as const

const Tube = ({ d }: { d: string }) => (
  <>
    <Path d={d} stroke={INK} strokeWidth={7.2} fill="none" />
    <Path d={d} stroke="#fff" strokeWidth={5.2} fill="none" />
  </>
)

export const Cord = ({ width }: { width: number }) => (
  <Svg viewBox="0 0 600 44" width={width} height={(width * 44) / 600} style={{ marginVertical: 10.8 }}>
    <Defs>
      <ClipPath id="over">
        <Path d={OVER} />
      </ClipPath>
    </Defs>
    <Path d={ROPE} stroke={INK} strokeWidth={1} strokeLinecap="round" fill="none" />
    <Tube d={LOOP} />
    <G transform="matrix(-1 0 0 1 600 0)">
      <Tube d={LOOP} />
    </G>
    <G clipPath="url(#over)">
      <Tube d={LOOP} />
    </G>
  </Svg>
)

type TextStyle = Extract<ComponentProps<typeof Text>['style'], { fontSize?: unknown }>
type Props = { style?: TextStyle; children: string; /** of the line, in points; unset: the text is known to be short */ width?: number }

/** What breaks inside words costs more than any other break: a name stays in one piece also where its letters come from two typefaces. */
const NEVER = 10_000

/** A text on a PDF page: never hyphenated, and a word that is longer than its line is divided where the line ends. */
export const Words = ({ style = {}, children, width }: Props) => (
  <Text style={style} hyphenationPenalty={NEVER}>
    {width === undefined ? children : divideLongWords(children, width, style)}
  </Text>
)

/** The widest of the typefaces measures, so that a line is rather too short than too long. */
function divideLongWords(text: string, width: number, style: TextStyle): string {
  const [size, spacing] = [Number(style.fontSize ?? 11.5), Number(style.letterSpacing ?? 0)]
  const fontWeight = Number(style.fontWeight ?? 400)
  const faces = ['figtree-latin', 'fraunces-latin'].map((fontFamily) => Font.getFont({ fontFamily, fontWeight, fontStyle: 'normal' }).data!)
  const fits = (part: string) =>
    faces.every((face) => (face.layout(part).advanceWidth / face.unitsPerEm) * size + part.length * spacing <= width)
  return text
    .split(/([ \n])/)
    .map((word) => {
      // Measuring is slow, and hardly a letter is wider than high.
      if (word.length * (size + spacing) <= width || fits(word)) return word
      const lines = ['']
      for (const letter of word) {
        const longer = lines.at(-1)! + letter
        if (fits(longer)) lines[lines.length - 1] = longer
        else lines.push(letter)
      }
      return lines.join('\n')
    })
    .join('')
}
