import { createReadStream } from 'node:fs'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { ensureFolder, writeFileAtomic } from './atomic-write.server.ts'
import { diskSpace } from './free-space.server.ts'
import { newId8 } from '#app/lib/text/ids.ts'

export type FileStorage = {
  /** stores a file; the file is durable when the promise resolves */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>
  /** opens a large file without reading it into memory; returns null for all other paths */
  openLarge?: (path: string) => Promise<FileBody | null>
  delete: (path: string) => Promise<void>
  /** returns the free space in bytes, or null if it is unknown; only a disk has this function */
  freeBytes?: () => Promise<number | null>
  /** lists all files whose path starts with `begin`, unsorted and including partial uploads */
  list: (begin?: string) => Promise<StoredFile[]>
}

/** `changedAt` is in UTC milliseconds, and `size` in bytes. */
export type StoredFile = { path: string; changedAt: number; size: number }

type FileBody = { body: BodyInit; size: number }

/** A larger file is streamed to the client. A stream buffers about as many bytes, so that streaming a smaller file would save no memory. */
const MAX_BYTES_READ = 256 * 1024

/** Reads a file for a response. If the storage can stream large files, a client that does not read its response occupies little memory. */
export async function readForResponse(
  storage: FileStorage,
  path: string,
): Promise<FileBody | null> {
  const large = await storage.openLarge?.(path)
  if (large) return large
  const bytes = await storage.read(path)
  return bytes && { body: bytes, size: bytes.length }
}

/** Opens the file only when the first bytes are requested, because the response of a HEAD request is never read. */
async function* readChunks(file: string) {
  yield* createReadStream(file)
}

/** Accepts only paths that the shop itself generates: plain segments without a dot at the beginning. */
export const isStoredPath = (path: string): boolean =>
  path.length < 200 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)

const isPartialUpload = (path: string): boolean => /^\.\w+\.part$/.test(path)

export function createDiskStorage(folder: string): FileStorage {
  const at = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return join(folder, path)
  }
  return {
    async put(path, bytes) {
      const target = at(path)
      await ensureFolder(dirname(target))
      await writeFileAtomic(target, bytes, { draft: join(folder, `.${newId8()}.part`) })
    },
    read: async (path) => (isStoredPath(path) ? readFile(at(path)).catch(nullIfMissing) : null),
    async openLarge(path) {
      const found = isStoredPath(path) ? await stat(at(path)).catch(nullIfMissing) : null
      if (!found?.isFile() || found.size <= MAX_BYTES_READ) return null
      return {
        body: NodeStream.from(readChunks(at(path))) as ReadableStream<Uint8Array<ArrayBuffer>>,
        size: found.size,
      }
    },
    // The folder itself exists only after the first file.
    freeBytes: async () =>
      ((await diskSpace(folder)) ?? (await diskSpace(dirname(folder))))?.free ?? null,
    async delete(path) {
      await rm(isPartialUpload(path) ? join(folder, path) : at(path), { force: true })
    },
    async list(begin = '') {
      const inside = begin.slice(0, begin.lastIndexOf('/') + 1)
      const entries = await readdir(join(folder, inside), {
        recursive: true,
        withFileTypes: true,
      }).catch(nullIfMissing)
      const paths = (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((path) => path.startsWith(begin) && (isStoredPath(path) || isPartialUpload(path)))
      const found: StoredFile[] = []
      for (const path of paths) {
        const about = await stat(join(folder, path)).catch(() => null)
        if (about) found.push({ path, changedAt: Math.floor(about.mtimeMs), size: about.size })
      }
      return found
    },
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null
  throw error
}

/** Deletes the partial files that a killed process has left. Must be called at startup, while no other code writes files. */
export async function deletePartialUploads(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names.filter(isPartialUpload).map((name) => rm(join(folder, name), { force: true })),
  )
}

/** Copies images from one storage to another (`npm run sync-storage`). Images that exist in both storages are skipped, because the bytes of a path never change. The copy can be interrupted and repeated. */
export async function copyFiles(
  from: FileStorage,
  to: FileStorage,
): Promise<{ copied: number; existing: number }> {
  const existingPaths = new Set((await to.list()).map(({ path }) => path))
  const missing = (await from.list()).filter(
    ({ path }) => isStoredPath(path) && !existingPaths.has(path),
  )
  for (let first = 0; first < missing.length; first += 8)
    await Promise.all(
      missing.slice(first, first + 8).map(async ({ path }) => {
        const bytes = await from.read(path)
        if (bytes) await to.put(path, bytes)
      }),
    )
  return { copied: missing.length, existing: existingPaths.size }
}
