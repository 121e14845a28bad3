/** Caches the most requested images, so that remote storage is not read for each view. */
import { LRUCache } from 'lru-cache'
import type { FileStorage } from './storage.server.ts'
import { ServiceUnavailableError } from '#app/lib/telemetry/outages.server.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** A larger file, such as an original, would evict many small ones. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
/** Milliseconds after a failure in which requests fail immediately: a browser has only six connections, and pages need them, too. */
const FAILURE_PAUSE_MS = 5000

/** Only this process changes the bytes of a path, by `put` and `delete`. Concurrent readers share one read. */
export function withMemoryCache(files: FileStorage, now: () => number, { bytes = MAX_BYTES, largest = MAX_FILE_BYTES } = {}): FileStorage {
  let failedAt = -FAILURE_PAUSE_MS
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: bytes,
    maxEntrySize: largest,
    sizeCalculation: ({ length }) => length || 1,
    // A file that changes during a read is returned to its reader, but not cached.
    ignoreFetchAbort: true,
    async fetchMethod(path) {
      const ago = now() - failedAt
      // A failure in the future shows that the clock was set back.
      if (ago >= 0 && ago < FAILURE_PAUSE_MS) throw new ServiceUnavailableError('the storage failed a moment ago')
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
