/** Copies of shop.db from before an upgrade changes it (045): made by themselves, so they go by themselves. */
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { syncFolder } from './durable-file.server.ts'

/** Two upgrades may be undone one after the other, and one that was made twice by mistake does not cost the way back. */
export const MOST_COPIES = 3

/** Beside the archives, unless these have a folder elsewhere. */
export const copiesFolder = (dataDir: string): string => join(dataDir, 'backups')
const NAME = /^before-migration-\d{4}-\d\d-\d\dT[\d-]+\.\d+Z\.db$/
const ofUnfinished = /^\.before-migration-.*\.part(-\w+)?$/

/** Newest first: the moment is in the name. */
export async function listCopies(dataDir: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(copiesFolder(dataDir)).catch(() => [])).filter((name) => NAME.test(name))
  const found = names.toSorted().toReversed()
  const sizes = await Promise.all(found.map((name) => stat(join(copiesFolder(dataDir), name)).catch(() => null)))
  return found.flatMap((name, at) => (sizes[at]?.isFile() ? [{ name, size: sizes[at].size }] : []))
}

/** Whole, or not there under its name; older ones go only once it is. */
export async function copyBeforeMigration(file: DatabaseSync, dataDir: string, at: Date): Promise<void> {
  const folder = copiesFolder(dataDir)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // Nobody else upgrades this database at the same time.
  for (const name of await readdir(folder)) if (ofUnfinished.test(name)) await rm(join(folder, name), { force: true })
  const name = `before-migration-${at.toISOString().replaceAll(':', '-')}.db`
  const draft = join(folder, `.${name}.part`)
  try {
    await backup(file, draft)
    await chmod(draft, 0o600)
    await rename(draft, join(folder, name))
    await syncFolder(folder)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  for (const old of (await listCopies(dataDir)).slice(MOST_COPIES)) await rm(join(folder, old.name), { force: true })
}
