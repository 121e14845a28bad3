/** What many pages read and few acts change stays ready in memory until one does (040). */
import { LRUCache } from 'lru-cache'
import type { Live, Topic } from './live.server.ts'

/** Milliseconds: what somebody does to the database by hand is seen then (as 039). */
const LIFE = 300_000
/** About the bytes of all that is kept in a process, as JSON. */
const MOST = 24 * 1024 * 1024

type Of = { live: Live; db: unknown }
type Kept = { topics: readonly Topic[]; value: Promise<unknown> }

const stores = new WeakMap<Live, LRUCache<string, Kept>>()

function storeOf(live: Live): LRUCache<string, Kept> {
  const known = stores.get(live)
  if (known) return known
  const store = new LRUCache<string, Kept>({ maxSize: MOST, max: 2000, ttl: LIFE })
  stores.set(live, store)
  live.onChange((changed) => {
    for (const [key, { topics }] of store.entries()) if (topics.some((topic) => changed.includes(topic))) store.delete(key)
  })
  return store
}

export const forgetKept = (live: Live): void => stores.get(live)?.clear()

/** Gives what `read` gives, frozen, while none of the topics has changed. `key` names all that it depends on. */
export function keep<Value>({ live }: Of, topics: readonly Topic[], key: string, read: () => Promise<Value>): Promise<Value> {
  if (!live.isHearing()) return read()
  const store = storeOf(live)
  const known = store.get(key)
  if (known) return known.value as Promise<Value>
  const value = read().then(frozen)
  const kept: Kept = { topics, value }
  // While it is being read it counts as little; its true size stands once it is there, unless a change has come between.
  const ofKey = 1 + 2 * key.length
  store.set(key, kept, { size: ofKey })
  // The library takes no other size for a value that it holds already.
  const leave = () => store.peek(key) === kept && store.delete(key)
  value.then((found) => leave() && store.set(key, kept, { size: ofKey + sizeOf(found) }), leave)
  return value
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
