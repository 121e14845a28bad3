/** Descriptions as search engines show them: long enough to say something, short enough to be shown whole. */

export const SHORTEST = 50
export const LONGEST = 160

const tidy = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()

/** Cut after a word where one ends near the limit; never within a letter. */
export function clip(text: string, most: number): string {
  const clean = tidy(text)
  if (clean.length <= most) return clean
  let cut = clean.slice(0, most - 1)
  if (/[\ud800-\udbff]$/.test(cut)) cut = cut.slice(0, -1)
  const lastWord = cut.lastIndexOf(' ')
  return `${(lastWord > most * 0.6 ? cut.slice(0, lastWord) : cut).replace(/[\s,.;:–—-]+$/, '')}…`
}

/** The first sentence, and of the others as many as there is room for; one that is needed to say enough is cut. */
export function describe(...sentences: string[]): string {
  let text = ''
  for (const sentence of sentences.map(tidy)) {
    const longer = `${text} ${sentence}`.trim()
    if (text.length < SHORTEST || longer.length <= LONGEST) text = longer
  }
  return clip(text, LONGEST)
}
