/** Caches the results of queries in memory until one of their topics changes. */
import { LRUCache } from 'lru-cache'
import type { ChangeBus } from '#app/lib/realtime/change-bus.server.ts'

/** If a person changes the database directly, pages show this change after at most this many milliseconds. */
const TTL_MS = 300_000
/** The maximum size of all entries in bytes, measured approximately as JSON. */
const MAX_BYTES = 24 * 1024 * 1024

type Changes<Topic extends string> = Pick<ChangeBus<Topic>, 'onChange' | 'isHearing'>
type CacheEntry = { topics: readonly string[]; value: Promise<unknown> }

const stores = new WeakMap<object, LRUCache<string, CacheEntry>>()

function storeOf<Topic extends string>(live: Changes<Topic>): LRUCache<string, CacheEntry> {
  const known = stores.get(live)
  if (known) return known
  const store = new LRUCache<string, CacheEntry>({ maxSize: MAX_BYTES, max: 2000, ttl: TTL_MS })
  stores.set(live, store)
  live.onChange((changed) => {
    for (const [key, { topics }] of store.entries())
      if (topics.some((topic) => (changed as readonly string[]).includes(topic))) store.delete(key)
  })
  return store
}

export const clearCache = (live: object): void => stores.get(live)?.clear()

/** Returns the same frozen result of `read` until one of the topics changes. `key` must contain everything on which the result depends. */
export function cached<Topic extends string, Value>(
  { live }: { live: Changes<Topic>; db?: unknown },
  topics: readonly NoInfer<Topic>[],
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  if (!live.isHearing()) return read()
  const store = storeOf(live)
  const known = store.get(key)
  if (known) return known.value as Promise<Value>
  const value = read().then(frozen)
  const entry: CacheEntry = { topics, value }
  // While the value is being loaded, the size of the entry is only the size of its key. Then the entry gets its real size, unless a change has removed the entry.
  const ofKey = 1 + 2 * key.length
  store.set(key, entry, { size: ofKey })
  // lru-cache does not update the size of a value that the cache already contains, so the entry is deleted before it is set again.
  const removeIfCurrent = () => store.peek(key) === entry && store.delete(key)
  value.then(
    (found) => removeIfCurrent() && store.set(key, entry, { size: ofKey + sizeOf(found) }),
    removeIfCurrent,
  )
  return value
}

const sizeOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
