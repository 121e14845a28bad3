/** The folder of archives: what lies in it, and what is old. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readArchiveName, staysUntilDeleted, type Reason } from './archive.ts'

export type StoredArchive = { name: string; at: number; reason: Reason; size: number }

/** Newest first. */
export async function listArchives(folder: string): Promise<StoredArchive[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: StoredArchive[] = []
  for (const name of names) {
    const read = readArchiveName(name)
    const about = read && (await stat(join(folder, name)).catch(() => null))
    if (read && about?.isFile()) found.push({ name, ...read, size: about.size })
  }
  return found.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
}

/** Half archives of processes that were killed: nobody writes for longer than a day. */
const ABANDONED = 86_400_000

/** Ready to be written to; for the shop's user alone. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^\.shop-.*\.part$/.test(name)) continue
    const about = await stat(join(folder, name)).catch(() => null)
    if (about && about.mtimeMs < Date.now() - ABANDONED) await rm(join(folder, name), { force: true })
  }
}

/** S-266: of the nightly ones the newest stay; those that somebody asked for stay until somebody deletes them. */
export async function dropOld(folder: string, keep: number): Promise<string[]> {
  const old = (await listArchives(folder)).filter(({ reason }) => !staysUntilDeleted(reason)).slice(keep)
  for (const { name } of old) await rm(join(folder, name), { force: true })
  return old.map(({ name }) => name)
}
