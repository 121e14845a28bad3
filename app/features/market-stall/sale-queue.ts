import { createStore as createDatabase, del, keys, set, type UseStore, values } from 'idb-keyval'
import type { DataStrategyResult, MiddlewareFunction } from 'react-router'
import { checkConnectivity } from '#client/connectivity.ts'
import { postForm } from '#client/post-form.ts'
import { createStore } from '#client/store.ts'
import { SubmissionFailed } from '#ui/action-result.ts'
import { MARKET_PATH, type MarketSale } from './direct-sale.ts'

export type QueuedSale = MarketSale & { error?: string | undefined }
type QueueProblem = 'offline' | 'logged-out' | 'failed'
export type PostResult =
  | { ok: true }
  | { ok: false; error: string }
  | { ok: false; problem: QueueProblem }
type SaleStore = {
  read: () => Promise<QueuedSale[]>
  keep: (sale: QueuedSale) => Promise<void>
  drop: (id: string) => Promise<void>
}
/** The shop has stored the `sent` sales, but the page has not loaded them yet. */
export type QueueState = {
  unsent: readonly QueuedSale[]
  sent: readonly MarketSale[]
  problem: QueueProblem | null
  isSending: boolean
}

export const emptyQueue: QueueState = { unsent: [], sent: [], problem: null, isSending: false }

/** The shop stores a sale once even if two tabs send it. [AGREE-75] */
export function createSaleQueue(store: SaleStore, post: (sale: QueuedSale) => Promise<PostResult>) {
  const { read, write, subscribe } = createStore(emptyQueue)
  let needsAnotherRun = false

  const become = (next: Partial<QueueState>) => write({ ...read(), ...next })
  async function reload() {
    const sales = await store.read()
    become({ unsent: sales.toSorted((left, right) => left.at - right.at) })
  }

  const isUnsent = ({ id }: MarketSale) => read().unsent.some((sale) => sale.id === id)

  async function sendAll() {
    await reload()
    for (const sale of read().unsent) {
      if (!isUnsent(sale)) continue
      const result = await post(sale)
      if (result.ok) {
        await store.drop(sale.id)
        become({ sent: [...read().sent, sale] })
      } else if ('problem' in result) return become({ problem: result.problem })
      else if (isUnsent(sale)) await store.keep({ ...sale, error: result.error })
    }
    become({ problem: null })
  }

  return {
    read,
    subscribe,
    async add(sale: MarketSale) {
      await store.keep(sale)
      await reload()
      void this.send()
    },
    async remove(id: string) {
      await store.drop(id)
      await reload()
    },
    listed(sales: readonly MarketSale[]) {
      const pending = read().sent.filter(({ id }) => !sales.some((sale) => sale.id === id))
      if (pending.length < read().sent.length) become({ sent: pending })
    },
    forgetSent: () => become({ sent: [] }),
    async send() {
      needsAnotherRun = true
      if (read().isSending) return
      become({ isSending: true })
      while (needsAnotherRun) {
        needsAnotherRun = false
        await sendAll().catch(() => become({ problem: 'failed' }))
        await reload().catch(() => {})
      }
      become({ isSending: false })
    },
    report: (problem: QueueProblem | null) => become({ problem }),
  }
}

const STORE_NAME = 'market-stall'
let browserDatabase: UseStore | undefined
const openStore = () => (browserDatabase ??= createDatabase(STORE_NAME, STORE_NAME))

const browserStore: SaleStore = {
  read: () => values<QueuedSale>(openStore()),
  keep: (sale) => set(sale.id, sale, openStore()),
  drop: (id) => del(id, openStore()),
}

export const hasUnsentSales = async () => (await keys(openStore())).length > 0

const SALES_URL = '/manage/market/sales'

async function postSale({ id, itemId, name, cents, method, at }: QueuedSale): Promise<PostResult> {
  const fields = { id, itemId, name, cents, method, age: Math.max(0, Date.now() - at) }
  try {
    const { answer, type } = await postForm(SALES_URL, fields, { redirect: 'manual' })
    // The shop redirects everybody but the owner.
    if (type === 'opaqueredirect') return { ok: false, problem: 'logged-out' }
    if (answer?.ok) return { ok: true }
    return answer?.error ? { ok: false, error: answer.error } : { ok: false, problem: 'failed' }
  } catch {
    checkConnectivity()
    return { ok: false, problem: 'offline' }
  }
}

export const saleQueue = createSaleQueue(browserStore, postSale)

/** A redirected page stays open to show the unsent sales. [AGREE-77] */
export const stayWhenLoggedOut: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  const results = await next()
  if (location.pathname !== MARKET_PATH || new URL(request.url).pathname !== MARKET_PATH) {
    return results
  }
  for (const [id, { result }] of Object.entries(results)) {
    if (result instanceof Response && result.status >= 300 && result.status < 400) {
      if (request.method === 'GET') delete results[id]
      else results[id] = { type: 'data', result: new SubmissionFailed() }
      saleQueue.report('logged-out')
    }
  }
  return results
}
