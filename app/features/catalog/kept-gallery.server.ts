/**
 * The gallery as React has written it before (040): what stands in its `<main>` is the same for everybody who is signed in, but for the hearts, and
 * a card with its heart on or off is the same again. Names nobody: a card is known by its piece alone, the rest by its address.
 */
import { LRUCache } from 'lru-cache'

type Card = { id: string }
/** What of a gallery's data says how it looks: `items` is the very list that everybody gets, read together with all the rest (kept.server.ts). */
export type Pieces = { items: readonly Card[]; favouriteIds: readonly string[] | null }

/** Of all addresses together; with the demo's pieces one takes some 150 kB. */
export const MOST_BYTES = 16 * 1024 * 1024
const CARD = '<li><article'
const END_OF_CARD = '</article></li>'
const END_OF_CARDS = `${END_OF_CARD}</ul>`
const MAIN = '<main '
const END_OF_MAIN = '</main>'
/** What React is to write in its place. */
export const HOLE = '<main id="main"></main>'

/** `items`: the list for which it was written; for another one, younger or older, it counts for nothing. */
type Written = { items: readonly Card[]; before: string; cards: Map<string, string>; after: string; letters: number }
const written = new LRUCache<string, Written>({
  maxSize: MOST_BYTES,
  // A letter takes two bytes where any of its text is beyond Latin.
  sizeCalculation: ({ letters }, address) => 2 * (letters + address.length),
})

const nameOf = ({ id }: Card, favouriteIds: readonly string[]) => `${favouriteIds.includes(id) ? 'on' : 'off'} ${id}`
/** A slice would hold on to the whole page. */
const copied = (text: string) => Buffer.from(text).toString()

/** null: some of it was never written like this. `address`: path and search, which each heart's form names. */
export function keptMain(address: string, { items, favouriteIds }: Pieces): string | null {
  const known = written.get(address)
  if (favouriteIds === null || known?.items !== items) return null
  let main = known.before
  for (const item of items) {
    const card = known.cards.get(nameOf(item, favouriteIds))
    if (card === undefined) return null
    main += card
  }
  return main + known.after
}

/** `html`: a page that React wrote as a whole. A list that is not frozen is one person's own and teaches nothing. */
export function learnMain(address: string, { items, favouriteIds }: Pieces, html: string): void {
  const [from, to] = [html.indexOf(MAIN), html.indexOf(END_OF_MAIN)]
  if (favouriteIds === null || !Object.isFrozen(items) || from < 0 || to < from || html.lastIndexOf(MAIN) !== from) return
  const main = html.slice(from, to + END_OF_MAIN.length)
  const [first, last] = [main.indexOf(CARD), main.indexOf(END_OF_CARDS)]
  if (first < 0 || last < first) return
  const end = last + END_OF_CARD.length
  // Nothing stands before the first sign.
  const cards = main.slice(first, end).split(CARD).slice(1)
  if (cards.length !== items.length) return
  const known = written.get(address)
  const mine = known?.items === items ? known : begun(items, main.slice(0, first), main.slice(end))
  for (const [at, item] of items.entries()) {
    const name = nameOf(item, favouriteIds)
    if (mine.cards.has(name)) continue
    const card = copied(CARD + cards[at]!)
    mine.cards.set(name, card)
    mine.letters += name.length + card.length
  }
  // For the same object the cache would keep the size that it had before.
  written.delete(address)
  written.set(address, mine)
}

const begun = (items: readonly Card[], before: string, after: string): Written => ({
  ...{ items, before: copied(before), cards: new Map(), after: copied(after) },
  letters: before.length + after.length,
})

/** How many pages were put together since the start. */
export const putIn = { count: 0 }

/** null: the page around it looks otherwise than it should. */
export function withMain(around: string, main: string): string | null {
  const at = around.indexOf(HOLE)
  if (at < 0 || around.lastIndexOf(MAIN) !== at) return null
  putIn.count += 1
  return around.slice(0, at) + main + around.slice(at + HOLE.length)
}
