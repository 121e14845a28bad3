/** What has been sent and is not among the messages yet: a queue for each conversation, in the order of writing. Knows neither page nor network. */

export type Unsent = {
  messageId: string
  message: string
  /** when it was sent, as the device has it */
  at: number
  /** further fields of the form, such as the pictures that go with it */
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
export type UnsentStore = { read: () => Unsent[]; keep: (one: Unsent) => void; drop: (messageId: string) => void }
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
