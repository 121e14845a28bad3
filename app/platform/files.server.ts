/** Stored files by path; on disk under the data folder, or elsewhere by FILES_URL (s3-files.server.ts). */
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { newId8 } from './ids.ts'

export type Files = {
  /** Durable when it returns. */
  put: (path: string, bytes: Uint8Array) => Promise<void>
  /** null when there is no such file. */
  read: (path: string) => Promise<Uint8Array<ArrayBuffer> | null>
  /** A file that is already gone counts as deleted. */
  delete: (path: string) => Promise<void>
  /** Every file whose path begins so, in no order; also what a killed process left half-written, which delete() takes too. */
  list: (begin?: string) => Promise<StoredFile[]>
}

/** changedAt: UTC milliseconds */
export type StoredFile = { path: string; changedAt: number }

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
      await mkdir(dirname(target), { recursive: true })
      // Written beside and renamed, so that a reader or a crash never meets half a file.
      const unfinished = join(folder, `.${newId8()}.part`)
      try {
        const file = await open(unfinished, 'w')
        await file
          .writeFile(bytes)
          .then(() => file.sync())
          .finally(() => file.close())
        await rename(unfinished, target)
      } catch (error) {
        await rm(unfinished, { force: true })
        throw error
      }
    },
    async read(path) {
      if (!isStoredPath(path)) return null
      return readFile(at(path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'ENOTDIR') return null
        throw error
      })
    },
    async delete(path) {
      await rm(isUnfinished(path) ? join(folder, path) : at(path), { force: true })
    },
    async list(begin = '') {
      // Only the folder that the beginning names is walked through.
      const inside = begin.slice(0, begin.lastIndexOf('/') + 1)
      const entries = await readdir(join(folder, inside), { recursive: true, withFileTypes: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
          throw error
        },
      )
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
        .filter((path) => path.startsWith(begin) && (isStoredPath(path) || isUnfinished(path)))
      const found: StoredFile[] = []
      for (const path of paths) {
        // Deleted since it was listed: no longer there.
        const about = await stat(join(folder, path)).catch(() => null)
        if (about) found.push({ path, changedAt: Math.floor(about.mtimeMs) })
      }
      return found
    },
  }
}

/** What a killed upload has left. Only before the shop opens: then nobody is writing. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  await Promise.all(names.filter((name) => /^\.\w+\.part$/.test(name)).map((name) => rm(join(folder, name), { force: true })))
}
