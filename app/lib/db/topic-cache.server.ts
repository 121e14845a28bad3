import { LRUCache } from 'lru-cache'
import type { ChangeBus } from '../realtime/change-bus.server.ts'

/** Limits how long a change that somebody makes directly in the database stays unseen. */
const TTL_MS = 300_000
const MAX_BYTES = 24 * 1024 * 1024

type Changes<Topic extends string> = Pick<ChangeBus<Topic>, 'onChange' | 'isInSync'>
type CacheEntry = { topics: readonly string[]; value: Promise<unknown> }

const stores = new WeakMap<object, LRUCache<string, CacheEntry>>()

function storeOf<Topic extends string>(live: Changes<Topic>) {
  const openStore = stores.get(live)
  if (openStore) return openStore
  const store = new LRUCache<string, CacheEntry>({ maxSize: MAX_BYTES, max: 2000, ttl: TTL_MS })
  stores.set(live, store)
  live.onChange((changed) => {
    for (const [key, { topics }] of store.entries()) {
      if (topics.some((topic) => (changed as readonly string[]).includes(topic))) store.delete(key)
    }
  })
  return store
}

export const clearCache = (live: object) => stores.get(live)?.clear()

export function cached<Topic extends string, Value>(
  { live }: { live: Changes<Topic>; db?: unknown },
  topics: readonly NoInfer<Topic>[],
  key: string,
  read: () => Promise<Value>,
) {
  if (!live.isInSync()) return read()
  const store = storeOf(live)
  const cachedEntry = store.get(key)
  if (cachedEntry) return cachedEntry.value as Promise<Value>
  const value = read().then(frozen)
  const entry: CacheEntry = { topics, value }
  const keySize = 1 + 2 * key.length
  store.set(key, entry, { size: keySize })
  // Stores the entry again with its size, because lru-cache does not update the size of a value.
  const removeIfCurrent = () => store.peek(key) === entry && store.delete(key)
  value.then(
    (result) => removeIfCurrent() && store.set(key, entry, { size: keySize + sizeOf(result) }),
    removeIfCurrent,
  )
  return value
}

const sizeOf = (value: unknown) => JSON.stringify(value)?.length ?? 0

function frozen<Value>(value: Value) {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
