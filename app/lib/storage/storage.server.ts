import { createReadStream } from 'node:fs'
import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { ensureFolder, writeFileAtomic } from './atomic-write.server.ts'
import { diskSpace } from './free-space.server.ts'
import { newId8 } from '../text/ids.ts'

export type FileStorage = {
  /** The file is durable when this resolves. */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>
  openLarge?: (path: string) => Promise<FileBody | null>
  delete: (path: string) => Promise<void>
  /** A bucket lacks this function. Returns null if the system does not report the free space. */
  freeBytes?: () => Promise<number | null>
  list: (begin?: string) => Promise<StoredFile[]>
}

/** `changedAt` is in UTC ms, `size` in bytes. */
export type StoredFile = { path: string; changedAt: number; size: number }

type FileBody = { body: BodyInit; size: number }

const MAX_BYTES_READ = 256 * 1024

/** Streams a large file, because a client that does not read must occupy little memory. */
export async function readForResponse(storage: FileStorage, path: string) {
  const large = await storage.openLarge?.(path)
  if (large) return large
  const bytes = await storage.read(path)
  return bytes && { body: bytes, size: bytes.length }
}

/** Opens the file only when somebody reads it, because nobody reads the body of a HEAD response. */
async function* readChunks(file: string) {
  yield* createReadStream(file)
}

export const isStoredPath = (path: string) =>
  path.length < 200 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)

const isPartialUpload = (path: string) => /^\.\w+\.part$/.test(path)

export function createDiskStorage(folder: string): FileStorage {
  const locate = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return join(folder, path)
  }
  return {
    async put(path, bytes) {
      const target = locate(path)
      // Other users of the machine must not read the images of conversations.
      await ensureFolder(dirname(target), 0o700)
      await writeFileAtomic(target, bytes, {
        draft: join(folder, `.${newId8()}.part`),
        mode: 0o600,
      })
    },
    read: async (path) => (isStoredPath(path) ? readFile(locate(path)).catch(nullIfMissing) : null),
    async openLarge(path) {
      const file = isStoredPath(path) ? await stat(locate(path)).catch(nullIfMissing) : null
      if (!file?.isFile() || file.size <= MAX_BYTES_READ) return null
      return {
        body: NodeStream.from(readChunks(locate(path))) as ReadableStream<Uint8Array<ArrayBuffer>>,
        size: file.size,
      }
    },
    freeBytes: async () =>
      ((await diskSpace(folder)) ?? (await diskSpace(dirname(folder))))?.free ?? null,
    async delete(path) {
      await rm(isPartialUpload(path) ? join(folder, path) : locate(path), { force: true })
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
      const files: StoredFile[] = []
      for (const path of paths) {
        const file = await stat(join(folder, path)).catch(() => null)
        if (file) files.push({ path, changedAt: Math.floor(file.mtimeMs), size: file.size })
      }
      return files
    },
  }
}

function nullIfMissing(error: NodeJS.ErrnoException) {
  if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null
  throw error
}

export async function deletePartialUploads(folder: string) {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(
    names.filter(isPartialUpload).map((name) => rm(join(folder, name), { force: true })),
  )
}

/** May be interrupted and repeated, because the bytes of a path never change. */
export async function copyFiles(from: FileStorage, to: FileStorage) {
  const existingPaths = new Set((await to.list()).map(({ path }) => path))
  const missing = (await from.list()).filter(
    ({ path }) => isStoredPath(path) && !existingPaths.has(path),
  )
  for (let first = 0; first < missing.length; first += 8) {
    await Promise.all(
      missing.slice(first, first + 8).map(async ({ path }) => {
        const bytes = await from.read(path)
        if (bytes) await to.put(path, bytes)
      }),
    )
  }
  return { copied: missing.length, existing: existingPaths.size }
}
