import { LRUCache } from 'lru-cache'
import type { FileStorage } from './storage.server.ts'
import { ServiceUnavailableError } from '../telemetry/outages.server.ts'

const MAX_BYTES = 64 * 1024 * 1024
const MAX_FILE_BYTES = 2 * 1024 * 1024
/**
 * After a failure, reads fail at once, because waiting images would block the six connections of a
 * browser.
 */
const FAILURE_PAUSE_MS = 5000

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
    ignoreFetchAbort: true,
    async fetchMethod(path) {
      const ago = now() - failedAt
      // `ago` is negative if the clock was set back.
      if (ago >= 0 && ago < FAILURE_PAUSE_MS) {
        throw new ServiceUnavailableError('the storage failed a moment ago')
      }
      return files.read(path).then(
        (bytes) => bytes ?? undefined,
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
