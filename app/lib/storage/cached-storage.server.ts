/** Caches recently requested images in memory, so that the shop does not read the remote storage for each view. */
import { LRUCache } from 'lru-cache'
import type { FileStorage } from './storage.server.ts'
import { ServiceUnavailableError } from '#app/lib/telemetry/outages.server.ts'

const MAX_BYTES = 64 * 1024 * 1024
/** A larger file, such as an original, is not cached, because it would evict many small files. */
const MAX_FILE_BYTES = 2 * 1024 * 1024
/** After the storage has failed, reads of uncached files fail immediately for this many milliseconds. Waiting images would block the six connections of a browser, which pages also need. */
const FAILURE_PAUSE_MS = 5000

/** Adds a cache in memory to `files`. The cache does not notice when another process changes or deletes a file. Concurrent readers of a file share one read. */
export function withMemoryCache(
  files: FileStorage,
  now: () => number,
  { bytes = MAX_BYTES, largest = MAX_FILE_BYTES } = {},
): FileStorage {
  let failedAt = -FAILURE_PAUSE_MS
  const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: bytes,
    maxEntrySize: largest,
    sizeCalculation: ({ length }) => length || 1,
    // If a file changes while the cache reads it, the reader gets the file, but the cache does not keep the file.
    ignoreFetchAbort: true,
    async fetchMethod(path) {
      const ago = now() - failedAt
      // `ago` is negative if the clock was set back. The pause then ends.
      if (ago >= 0 && ago < FAILURE_PAUSE_MS)
        throw new ServiceUnavailableError('the storage failed a moment ago')
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
