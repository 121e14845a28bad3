/** The pictures that are looked at most, remembered in memory: a storage beyond the network is not asked for each of them at each view. */
import type { Files } from './files.server.ts'
import { AwayForNow } from './outage.server.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** Some thousand pictures of the gallery. */
const BYTES = 64 * 1024 * 1024
/** Larger ones, the originals, would drive out many small ones. */
const LARGEST = 2 * 1024 * 1024
/** After a failure nobody waits for the next one: a browser has six connections, and pages need them too. */
const REST = 5000

/**
 * A path's bytes never change except by this process's own `put` and `delete`, so nothing has to be asked for again. Many who ask at once
 * for the same picture are one reading.
 */
export function rememberedFiles(files: Files, now: () => number, { bytes: room = BYTES, largest = LARGEST } = {}): Files {
  /** least recently asked for first */
  const kept = new Map<string, Bytes>()
  const underWay = new Map<string, Promise<Bytes | null>>()
  let size = 0
  let failedAt = -REST

  function forget(path: string) {
    size -= kept.get(path)?.length ?? 0
    kept.delete(path)
    // What is still being read may be what was there before.
    underWay.delete(path)
  }
  function keep(path: string, bytes: Bytes) {
    if (bytes.length > largest) return
    kept.set(path, bytes)
    size += bytes.length
    for (const oldest of kept.keys()) {
      if (size <= room) return
      forget(oldest)
    }
  }
  async function readAnew(path: string): Promise<Bytes | null> {
    const ago = now() - failedAt
    // A failure of the future: the clock has been set back.
    if (ago >= 0 && ago < REST) throw new AwayForNow('the storage failed a moment ago')
    const reading = files.read(path)
    underWay.set(path, reading)
    try {
      const bytes = await reading
      if (bytes && underWay.get(path) === reading) keep(path, bytes)
      return bytes
    } catch (error) {
      failedAt = now()
      throw error
    } finally {
      if (underWay.get(path) === reading) underWay.delete(path)
    }
  }
  return {
    ...files,
    async read(path) {
      const bytes = kept.get(path)
      if (!bytes) return underWay.get(path) ?? readAnew(path)
      kept.delete(path)
      kept.set(path, bytes)
      return bytes
    },
    put: (path, bytes) => files.put(path, bytes).finally(() => forget(path)),
    delete: (path) => files.delete(path).finally(() => forget(path)),
  }
}
