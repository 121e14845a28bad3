/** The pictures that are looked at most, kept in memory: a storage beyond the network is not asked for each of them at each view. */
import { LRUCache } from 'lru-cache'
import type { Files } from './files.server.ts'
import { AwayForNow } from './outage.server.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** Larger ones, the originals, would drive out many small ones. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
/** After a failure nobody waits for the next one: a browser has six connections, and pages need them too. */
const REST_MS = 5000

/** A path's bytes change only by this process's `put` and `delete`; many who ask at once are one reading. */
export function rememberedFiles(files: Files, now: () => number, { bytes = MAX_BYTES, largest = MAX_FILE_BYTES } = {}): Files {
  let failedAt = -REST_MS
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: bytes,
    maxEntrySize: largest,
    sizeCalculation: ({ length }) => length || 1,
    // Whoever waits for a file that is written or deleted meanwhile gets what was read, and the cache keeps nothing of it.
    ignoreFetchAbort: true,
    async fetchMethod(path) {
      const ago = now() - failedAt
      // A failure of the future: the clock has been set back.
      if (ago >= 0 && ago < REST_MS) throw new AwayForNow('the storage failed a moment ago')
      return files.read(path).then(
        (found) => found ?? undefined,
        (error: unknown) => {
          failedAt = now()
          throw error
        },
      )
    },
  })
  return {
    ...files,
    read: async (path) => (await cache.fetch(path)) ?? null,
    put: (path, content) => files.put(path, content).finally(() => cache.delete(path)),
    delete: (path) => files.delete(path).finally(() => cache.delete(path)),
  }
}
