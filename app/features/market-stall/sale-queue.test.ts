import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSaleQueue, type PostResult, type QueuedSale } from './sale-queue.ts'

const saleOf = (at: number): QueuedSale => ({
  id: `sale-${at}`,
  itemId: 'moon',
  name: 'Moon wall',
  cents: 100,
  method: 'cash',
  at,
})

function memoryStore() {
  const stored = new Map<string, QueuedSale>()
  return {
    stored,
    read: async () => [...stored.values()],
    keep: async (sale: QueuedSale) => void stored.set(sale.id, sale),
    drop: async (id: string) => void stored.delete(id),
  }
}

test('a sale that the shop refuses stays in the queue with the reason, and does not stop later sales [AGREE-77]', async () => {
  const store = memoryStore()
  const queue = createSaleQueue(store, async ({ at }) =>
    at === 1 ? { ok: false, error: 'Why not' } : { ok: true },
  )
  for (const at of [1, 2]) await store.keep(saleOf(at))
  await queue.send()
  expect(queue.read()).toMatchObject({
    unsent: [{ id: 'sale-1', error: 'Why not' }],
    sent: [{ id: 'sale-2' }],
    problem: null,
  })
  expect([...store.stored.keys()]).toEqual(['sale-1'])
  await queue.remove('sale-1')
  expect(queue.read().unsent).toEqual([])
  expect(store.stored.size).toBe(0)
})

test('after the answer that the owner is logged out, the queue sends no further sales until the next attempt [AGREE-77]', async () => {
  const store = memoryStore()
  let answer: PostResult = { ok: false, problem: 'logged-out' }
  let posts = 0
  const queue = createSaleQueue(store, async () => (posts++, answer))
  for (const at of [1, 2]) await store.keep(saleOf(at))
  await queue.send()
  expect(posts).toBe(1)
  expect(queue.read().problem).toBe('logged-out')
  expect(queue.read().unsent.length).toBe(2)
  answer = { ok: true }
  await queue.send()
  expect(queue.read().problem).toBe(null)
  expect(queue.read().unsent).toEqual([])
})

test('a sale that the owner removes while an earlier sale is sent is neither sent nor stored again [AGREE-78]', async () => {
  const store = memoryStore()
  const sent: number[] = []
  const queue = createSaleQueue(store, async ({ at }) => {
    sent.push(at)
    if (at === 1) await queue.remove('sale-2')
    if (at === 3) await queue.remove('sale-3')
    return at === 3 ? { ok: false, error: 'Why not' } : { ok: true }
  })
  for (const at of [1, 2, 3]) await store.keep(saleOf(at))
  await queue.send()
  expect(sent).toEqual([1, 3])
  expect(queue.read().unsent).toEqual([])
  expect(store.stored.size).toBe(0)
})

test('the queue forgets a sent sale when the list of the shop contains it [AGREE-74]', async () => {
  const store = memoryStore()
  const queue = createSaleQueue(store, async () => ({ ok: true }))
  for (const at of [1, 2]) await store.keep(saleOf(at))
  await queue.send()
  queue.listed([saleOf(1)])
  expect(queue.read().sent.map(({ id }) => id)).toEqual(['sale-2'])
})

test('the shop stores each sale exactly once, however often the connection is lost and the app restarts [AGREE-76]', async () => {
  type Act = 'sell' | 'send' | 'restart'
  const acts = fc.array(fc.constantFrom<Act>('sell', 'send', 'restart'), { maxLength: 20 })
  const fates = fc.array(
    fc.constantFrom('stored', 'lost on the way', 'answer lost', 'logged out'),
    { maxLength: 30 },
  )
  await fc.assert(
    fc.asyncProperty(acts, fates, async (steps, fate) => {
      const store = memoryStore()
      const shop = new Map<string, number>()
      let inserts = 0
      let next = 0
      const post = async (sale: QueuedSale): Promise<PostResult> => {
        const now = fate[next++] ?? 'stored'
        if (now === 'logged out') return { ok: false, problem: 'logged-out' }
        if (now === 'lost on the way') return { ok: false, problem: 'offline' }
        if (!shop.has(sale.id)) inserts++
        shop.set(sale.id, sale.cents)
        return now === 'stored' ? { ok: true } : { ok: false, problem: 'offline' }
      }
      let queue = createSaleQueue(store, post)
      let sold = 0
      for (const step of steps) {
        if (step === 'sell') await queue.add(saleOf(++sold))
        else if (step === 'restart') queue = createSaleQueue(store, post)
        else await queue.send()
        // Each sale is stored either in the shop or in the browser.
        for (let index = 1; index <= sold; index++) {
          expect(shop.has(`sale-${index}`) || store.stored.has(`sale-${index}`)).toBe(true)
        }
      }
      next = fate.length
      await expect.poll(async () => (await queue.send(), store.stored.size)).toBe(0)
      expect(shop.size).toEqual(sold)
      expect(inserts).toEqual(sold)
    }),
    { numRuns: 100 },
  )
})
