import { readFile, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { makeFolder, putFile } from './durable-file.server.ts'
import { newId8 } from './ids.ts'

export type Files = {
  /** Durable when it returns. */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>
  delete: (path: string) => Promise<void>
  /** Every file whose path begins so, in no order; also what a killed process left half-written, which delete() takes too. */
  list: (begin?: string) => Promise<StoredFile[]>
}

/** changedAt: UTC milliseconds; size: bytes */
export type StoredFile = { path: string; changedAt: number; size: number }

/** Only names of our own making reach the disk: plain segments, no dots at their start, nothing that climbs out. */
export const isStoredPath = (path: string): boolean => path.length < 200 && /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/.test(path)

const isUnfinished = (path: string): boolean => /^\.\w+\.part$/.test(path)

export function diskFiles(folder: string): Files {
  const at = (path: string) => {
    if (!isStoredPath(path)) throw new Error('not a path of a stored file')
    return join(folder, path)
  }
  return {
    async put(path, bytes) {
      const target = at(path)
      await makeFolder(dirname(target))
      await putFile(target, bytes, { draft: join(folder, `.${newId8()}.part`) })
    },
    read: async (path) => (isStoredPath(path) ? readFile(at(path)).catch(nullIfGone) : null),
    async delete(path) {
      await rm(isUnfinished(path) ? join(folder, path) : at(path), { force: true })
    },
    async list(begin = '') {
      // Only the folder that the beginning names is walked through.
      const inside = begin.slice(0, begin.lastIndexOf('/') + 1)
      const entries = await readdir(join(folder, inside), { recursive: true, withFileTypes: true }).catch(nullIfGone)
      const paths = (entries ?? [])
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((path) => path.startsWith(begin) && (isStoredPath(path) || isUnfinished(path)))
      const found: StoredFile[] = []
      for (const path of paths) {
        const about = await stat(join(folder, path)).catch(() => null)
        if (about) found.push({ path, changedAt: Math.floor(about.mtimeMs), size: about.size })
      }
      return found
    },
  }
}

function nullIfGone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null
  throw error
}

/** What a killed upload has left. Only before the shop opens: then nobody is writing. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter(isUnfinished).map((name) => rm(join(folder, name), { force: true })))
}

/** Copies a shop's pictures from one place to the other (`npm run copy-files`). What is there already is left: a path's bytes never change. An end in the middle is no harm; the next run goes on. */
export async function copyFiles(from: Files, to: Files): Promise<{ copied: number; there: number }> {
  const there = new Set((await to.list()).map(({ path }) => path))
  // What is being uploaded just now comes with the next run.
  const missing = (await from.list()).filter(({ path }) => isStoredPath(path) && !there.has(path))
  for (let first = 0; first < missing.length; first += 8)
    await Promise.all(
      missing.slice(first, first + 8).map(async ({ path }) => {
        const bytes = await from.read(path)
        if (bytes) await to.put(path, bytes)
      }),
    )
  return { copied: missing.length, there: there.size }
}
