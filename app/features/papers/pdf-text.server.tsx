/** A text on a PDF page: never hyphenated, and a word that is longer than its line is divided where the line ends. */
import type { ComponentProps } from 'react'
import { Font, Text } from '@react-pdf/renderer'

type TextStyle = Extract<ComponentProps<typeof Text>['style'], { fontSize?: unknown }>
type Props = { style?: TextStyle; children: string; /** of the line, in points; unset: the text is known to be short */ width?: number }

/** What breaks inside words costs more than any other break: a name stays in one piece also where its letters come from two typefaces. */
const NEVER = 10_000

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
  const widthOf = (part: string) =>
    Math.max(...faces.map((face) => (face.layout(part).advanceWidth / face.unitsPerEm) * size + part.length * spacing))
  return text
    .split(/([ \n])/)
    .map((word) => {
      // Measuring is slow, and hardly a letter is wider than high.
      if (word.length * (size + spacing) <= width || widthOf(word) <= width) return word
      const lines = ['']
      for (const letter of word) {
        const line = lines.at(-1)!
        if (line === '' || widthOf(line + letter) <= width) lines[lines.length - 1] = line + letter
        else {
          // Where the word itself has a joint, it is divided there.
          const [, before = line, after = ''] = /^(.{8,}[-/@.])(.*)$/u.exec(line) ?? []
          lines.splice(-1, 1, before, after + letter)
        }
      }
      return lines.join('\n')
    })
    .join('')
}
