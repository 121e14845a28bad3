/** The typefaces of the PDF files, and which letters they have; loaded with the first file that is asked for. */
import { createRequire } from 'node:module'
import { Font } from '@react-pdf/renderer'

const fileOf = createRequire(import.meta.url).resolve

/** Each part of a typeface is a file of its own; what the first has no glyph for is looked for in the next. */
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
    fonts: styles.map(({ fontWeight, fontStyle }) => {
      const [name] = part.split('-')
      return { src: fileOf(`@fontsource/${name}/files/${part}-${fontWeight}-${fontStyle}.woff`), fontWeight, fontStyle }
    }),
  })
// Names are never divided with a hyphen; what is longer than its line is divided where it must be.
Font.registerHyphenationCallback((word) => [word])

export const SANS = parts
export const SERIF = [...parts.slice(2), ...parts.slice(0, 2)]

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
