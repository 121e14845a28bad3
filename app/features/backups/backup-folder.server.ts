/** The folder of backups: what is in it, and what is old. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseBackupFileName, staysUntilDeleted, type Reason } from './backup.ts'

export type StoredBackup = { name: string; at: number; reason: Reason; size: number }

/** Newest first; [] for a folder that does not exist. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const found: StoredBackup[] = []
  for (const name of names) {
    const parsed = parseBackupFileName(name)
    const about = parsed && (await stat(join(folder, name)).catch(() => null))
    if (parsed && about?.isFile()) found.push({ name, ...parsed, size: about.size })
  }
  return found.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
}

/** After this time a half-written file is left from a killed process. */
const ABANDONED_MS = 86_400_000

/** Makes the folder, for the shop's user alone, and deletes what killed processes left half-written. */
export async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^\.shop-.*\.part(-\w+)?$/.test(name)) continue
    const about = await stat(join(folder, name)).catch(() => null)
    if (about && about.mtimeMs < Date.now() - ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
}

/** S-266: of the nightly backups the newest `keep` stay. */
export async function deleteOldBackups(folder: string, keep: number): Promise<void> {
  const old = (await listBackups(folder)).filter(({ reason }) => !staysUntilDeleted(reason)).slice(keep)
  for (const { name } of old) await rm(join(folder, name), { force: true })
}
