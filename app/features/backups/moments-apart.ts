/** Moments of a list, each told from the others: two backups of one minute say their seconds, too (S-266). */
import { formatDate } from '#app/ui/dates.ts'
import { momentText } from '#app/ui/moments.ts'

/** Here and not in dates.ts: visitors' pages carry that one. */
const exactly = (timeZone: string, digits?: 3) =>
  new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit', second: '2-digit', fractionalSecondDigits: digits, timeZone })

export function momentsApart(moments: readonly number[], timeZone: string): string[] {
  const exactText = (digits?: 3) => {
    const format = exactly(timeZone, digits)
    // As in dates.ts: engines differ in the space before AM and PM.
    return (at: number) => `${formatDate(at, timeZone)}, ${format.format(at).replace(/\s/gu, ' ')}`
  }
  let texts = moments.map((at) => momentText(at, timeZone))
  for (const moreExact of [exactText(), exactText(3)]) {
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
    texts = texts.map((text, index) => (counts.get(text) === 1 ? text : moreExact(moments[index]!)))
  }
  return texts
}
