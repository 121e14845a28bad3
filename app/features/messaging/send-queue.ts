import { doubtConnection, whenReached } from '#app/platform/connection.ts'
import type { Answer } from '#app/ui/answer.ts'
import { tryStorage, UNSENT } from '#app/platform/request-draft.ts'

export type Unsent = {
  messageId: string
  message: string
  at: number
  fields?: Record<string, string>
}
/**
 * waiting: for those before it · sent: accepted, and on its way back with the messages · failed: may be tried again.
 * `isAside`: only by its writer's own press; the others pass it by.
 */
export type Outgoing = Unsent & { state: 'waiting' | 'sending' | 'sent' | 'failed'; isAside?: boolean; error?: string }
/** `isRefused`: this very message was, and those behind it have to expect nothing of the kind. */
export type Delivered = { ok: true } | { ok: false; isRefused: boolean; error?: string }

/** Where it outlives the page. */
type UnsentStore = { read: () => Unsent[]; keep: (one: Unsent) => void; drop: (messageId: string) => void }
type Doors = { post: (one: Unsent) => Promise<Delivered>; store: UnsentStore; now: () => number }

/** What was on its way when the page went goes on by itself for so long (milliseconds); after that its writer decides. */
const RESUMED = 3_600_000

export type Outbox = ReturnType<typeof openOutbox>

/** S-169, S-170, S-077: one after the other, each under its own id, so that whatever is sent twice arrives once. */
export function openOutbox({ post, store, now }: Doors) {
  const listeners = new Set<() => void>()
  let isRunning = false
  let list: readonly Outgoing[] = store
    .read()
    .toSorted((a, b) => a.at - b.at)
    .map((one) => (now() - one.at < RESUMED ? { ...one, state: 'waiting' } : { ...one, state: 'failed', isAside: true }))

  function become(next: readonly Outgoing[]) {
    list = next
    for (const listener of listeners) listener()
  }
  const change = (isMeant: (one: Outgoing) => boolean, to: Partial<Outgoing>) =>
    become(list.map((one) => (isMeant(one) ? { ...one, error: undefined, isAside: undefined, ...to } : one)))
  const wake = () => change((one) => one.state === 'failed' && !one.isAside, { state: 'waiting' })

  async function run() {
    if (isRunning) return
    isRunning = true
    for (let next; (next = list.find(({ state }) => state === 'waiting'));) {
      const { messageId } = next
      const isIt = (one: Outgoing) => one.messageId === messageId
      change(isIt, { state: 'sending' })
      const { state: _, isAside: __, error: ___, ...unsent } = next
      const delivered = await post(unsent).catch((): Delivered => ({ ok: false, isRefused: false }))
      if (delivered.ok) {
        store.drop(messageId)
        change(isIt, { state: 'sent' })
      } else {
        // Nobody overtakes: what is behind waits for the same person's word.
        const isMeant = delivered.isRefused ? isIt : (one: Outgoing) => isIt(one) || one.state === 'waiting'
        change(isMeant, { state: 'failed', isAside: delivered.isRefused, error: delivered.error })
      }
    }
    isRunning = false
  }

  return {
    list: () => list,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Also tries again what is before it. */
    send(one: Omit<Unsent, 'at'>) {
      const unsent = { ...one, at: Math.max(now(), (list.at(-1)?.at ?? 0) + 1) }
      store.keep(unsent)
      wake()
      become([...list, { ...unsent, state: 'waiting' }])
      void run()
    },
    /** What was set aside goes to the end; anything else keeps its place. */
    retry(messageId: string) {
      const one = list.find((other) => other.messageId === messageId)
      if (one?.isAside) become([...list.filter((other) => other !== one), { ...one, isAside: undefined }])
      wake()
      void run()
    },
    /** The shop can be reached again, or the page is a new one. */
    resume() {
      wake()
      void run()
    },
    start: () => void run(),
    discard(messageId: string) {
      store.drop(messageId)
      become(list.filter((one) => one.messageId !== messageId))
    },
    /** They are among the messages: whatever became of the answer. */
    arrived(isThere: (messageId: string) => boolean) {
      const gone = list.filter(({ messageId }) => isThere(messageId))
      if (gone.length === 0) return
      for (const { messageId } of gone) store.drop(messageId)
      become(list.filter((one) => !gone.includes(one)))
    },
  }
}

const ADDRESS = '/messages'
/** Milliseconds for one try; a line may be dead without saying so. */
const PATIENCE = 15_000
/** A shop that comes back within it (a restart) is asked once more before the writer hears of it. */
const PAUSE = 3000
/** They concern this message alone; anything else would meet the next one too. */
const REFUSED = [400, 404, 409, 413, 422]

/** S-169: whether the first try arrived is not known, so the second carries the same id. */
export async function postMessage(viewerId: string, orderId: string, one: Unsent): Promise<Delivered> {
  const first = await ask(viewerId, orderId, one)
  if (first) return first
  const isBack = await whenReached(AbortSignal.timeout(PAUSE)).then(
    () => true,
    () => false,
  )
  return (isBack && (await ask(viewerId, orderId, one))) || { ok: false, isRefused: false }
}

/** null: nobody answered. `writer`: another person may have signed in meanwhile, in another tab. */
async function ask(viewerId: string, orderId: string, { messageId, message, fields }: Unsent): Promise<Delivered | null> {
  const form = new FormData()
  for (const [name, value] of Object.entries({ ...fields, intent: 'send', writer: viewerId, orderId, messageId, message }))
    form.append(name, value)
  try {
    const response = await fetch(ADDRESS, { method: 'POST', body: form, signal: AbortSignal.timeout(PATIENCE), keepalive: true })
    const answer = await response.json().then(
      (told: Answer) => told,
      () => null,
    )
    if (answer?.ok) return { ok: true }
    if (answer === null && response.status >= 500) throw new Error(String(response.status))
    return { ok: false, isRefused: REFUSED.includes(response.status), error: answer?.error }
  } catch {
    doubtConnection()
    return null
  }
}

const MESSAGE = `${UNSENT}message:`
/** Milliseconds: longer ago nobody remembers what was meant. */
const KEPT = 30 * 24 * 3_600_000

/** Each message has an entry of its own: two tabs never write over each other. */
export function unsentStore(viewerId: string, orderId: string): UnsentStore {
  const begin = `${MESSAGE}${viewerId}:${orderId}:`
  return {
    read: () =>
      tryStorage(() => {
        const keys = Object.keys(localStorage).filter((key) => key.startsWith(begin))
        return keys.flatMap((key) => {
          const one = tryStorage(() => JSON.parse(localStorage.getItem(key)!) as Unsent)
          if (typeof one?.message === 'string' && key === begin + one.messageId && Date.now() - one.at < KEPT) return [one]
          localStorage.removeItem(key)
          return []
        })
      }) ?? [],
    keep: (one) => void tryStorage(() => localStorage.setItem(begin + one.messageId, JSON.stringify(one))),
    drop: (messageId) => void tryStorage(() => localStorage.removeItem(begin + messageId)),
  }
}
