/**
 * What is asked for and sold most stands beside each piece (S-060), and every message might have changed it. Dropping those pages each time
 * would leave none in a busy shop: so the order is read again, once for however many pages, and they stay when it is as it was (039).
 */
import type { Shop } from '../app/platform/context.ts'

/** The order as it was read, and how often it may have changed before that. */
export type Ranking = { text: string; generation: number }

export function openRanking(live: Shop['live'], readText: () => Promise<string>) {
  let generation = 0
  let known: Ranking | null = null
  let reading: { generation: number; order: Promise<Ranking> } | null = null
  const close = live.onChange((topics) => {
    if (topics.some((topic) => topic === 'orders' || topic === 'sales')) generation += 1
  })

  const isCurrent = (order: Ranking | null): order is Ranking => order?.generation === generation

  async function readNow(): Promise<Ranking> {
    const order = { generation, text: await readText() }
    if (isCurrent(order)) known = order
    return order
  }

  function read(): Promise<Ranking> {
    if (isCurrent(known)) return Promise.resolve(known)
    if (reading?.generation === generation) return reading.order
    const mine = { generation, order: readNow().finally(() => (reading === mine ? (reading = null) : undefined)) }
    reading = mine
    return mine.order
  }

  return {
    read,
    /** Without asking the database: null is a page that does not show it. */
    isSame: (text: string | null): boolean => text === null || (isCurrent(known) && known.text === text),
    confirm: async (text: string): Promise<boolean> => {
      const order = await read()
      return isCurrent(order) && order.text === text
    },
    /** Read once more: a page that was made while it changed and changed back shows what lay between. */
    isStill: async (order: Ranking): Promise<boolean> => isCurrent(order) && (await readText()) === order.text && isCurrent(order),
    close,
  }
}
