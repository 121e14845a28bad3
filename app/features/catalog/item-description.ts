/** A long description opens with its beginning; the rest is one press away. */

/** characters; about nine lines on a phone */
const LONG = 420
const FEW_MORE = 160

/** Where it is cut: after the last whole sentence or paragraph, at the least between two words; the whole length when it is short. */
export function cutOfDescription(text: string): number {
  if (text.length <= LONG + FEW_MORE) return text.length
  const start = text.slice(0, LONG)
  const ends = [/^[\s\S]*\n/, /^[\s\S]*[.!?…]\s/, /^[\s\S]*\s/].map((end) => end.exec(start)?.[0].length ?? 0)
  return ends.find((end) => end > LONG / 3) ?? [...start].slice(0, -1).join('').length
}
