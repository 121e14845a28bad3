/** Keeps each sale of the market stall in the browser until the server has stored the sale. */
import { createStore, del, set, type UseStore, values } from 'idb-keyval'
import { checkConnectivity } from '#app/client/connectivity.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import type { MarketSale } from './direct-sale.ts'

/** `error` is the reason why the shop refused the sale. */
export type QueuedSale = MarketSale & { error?: string | undefined }
/** Says why no sale can be sent now. */
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
/** `sent` contains the sales that the shop has stored, but that its list does not contain yet. */
export type QueueState = {
  unsent: readonly QueuedSale[]
  sent: readonly MarketSale[]
  problem: QueueProblem | null
  isSending: boolean
}

export const emptyQueue: QueueState = { unsent: [], sent: [], problem: null, isSending: false }

/** Sends the sales one by one. Each sale has its own id, so the shop stores a sale once even if two tabs send it. [AGREE-75, AGREE-76] */
export function createSaleQueue(store: SaleStore, post: (sale: QueuedSale) => Promise<PostResult>) {
  const listeners = new Set<() => void>()
  let state = emptyQueue
  let needsAnotherRun = false

  function become(next: Partial<QueueState>) {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  /** Reads the stored sales again, because another tab may have added or sent a sale. */
  async function reload() {
    const stored = await store.read()
    become({ unsent: stored.toSorted((a, b) => a.at - b.at) })
  }

  const isUnsent = ({ id }: MarketSale) => state.unsent.some((sale) => sale.id === id)

  async function sendAll() {
    await reload()
    for (const sale of state.unsent) {
      // While an earlier sale was sent, the owner may have removed this sale.
      if (!isUnsent(sale)) continue
      const result = await post(sale)
      if (result.ok) {
        await store.drop(sale.id)
        become({ sent: [...state.sent, sale] })
      } else if ('problem' in result) return become({ problem: result.problem })
      else if (isUnsent(sale)) await store.keep({ ...sale, error: result.error })
    }
    become({ problem: null })
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Stores a sale before it is sent. Throws an error if the browser cannot store it. */
    async add(sale: MarketSale) {
      await store.keep(sale)
      await reload()
      void this.send()
    },
    /** Removes an unsent sale at the owner's request. */
    async remove(id: string) {
      await store.drop(id)
      await reload()
    },
    /** Forgets the sent sales that the shop's list contains, because the owner may later undo them on another page. */
    listed(sales: readonly MarketSale[]) {
      const sent = state.sent.filter(({ id }) => !sales.some((sale) => sale.id === id))
      if (sent.length < state.sent.length) become({ sent })
    },
    /** Forgets all sent sales. Call it when the page opens: the shop's list has just been loaded and contains them, except those that the owner has undone. */
    forgetSent: () => become({ sent: [] }),
    async send() {
      needsAnotherRun = true
      if (state.isSending) return
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
let opened: UseStore | undefined
const openStore = () => (opened ??= createStore(STORE_NAME, STORE_NAME))

const browserStore: SaleStore = {
  read: () => values<QueuedSale>(openStore()),
  keep: (sale) => set(sale.id, sale, openStore()),
  drop: (id) => del(id, openStore()),
}

const SALES_URL = '/manage/market/sales'
/** The browser aborts the HTTP request for a sale after this number of milliseconds, because browsers report no error for a dead connection. */
const REQUEST_TIMEOUT_MS = 15_000

async function postSale({ id, itemId, name, cents, method, at }: QueuedSale): Promise<PostResult> {
  const form = new FormData()
  const fields = { id, itemId, name, cents, method, age: Math.max(0, Date.now() - at) }
  for (const [field, value] of Object.entries(fields)) form.append(field, String(value))
  try {
    const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS)
    const response = await fetch(SALES_URL, {
      method: 'POST',
      body: form,
      redirect: 'manual',
      signal,
    })
    // The shop redirects everybody who is not logged in as the owner.
    if (response.type === 'opaqueredirect') return { ok: false, problem: 'logged-out' }
    const answer: ActionResult | null = await response.json().catch(() => null)
    if (answer?.ok) return { ok: true }
    return answer?.error ? { ok: false, error: answer.error } : { ok: false, problem: 'failed' }
  } catch {
    checkConnectivity()
    return { ok: false, problem: 'offline' }
  }
}

export const saleQueue = createSaleQueue(browserStore, postSale)
