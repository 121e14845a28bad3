/** The owner's backups: one at a time, noted in the database, told to her open pages (S-264 to S-267). */
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { listCopies } from '#app/platform/database-copies.server.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { momentText } from '#app/ui/moments.ts'
import { readArchiveName, type Reason } from './archive.ts'
import { listArchives, type StoredArchive } from './backup-folder.server.ts'
import { makeBackup, whyNot } from './make-backup.server.ts'
import { openArchive, UnusableArchive } from './read-archive.server.ts'
import { nextPoint } from './schedule.ts'
import { verifyArchive, type Verified } from './verify-archive.server.ts'

type Outcome = { ok: true; name: string } | { ok: false; error: string }

/** Of each shop in this process. */
const underWay = new WeakMap<Shop['backup'], Promise<Outcome>>()

/** S-264: whoever asks while one is being made gets that one. `id`: the row in which it is noted, there already or not. */
export function backUp(
  shop: Shop,
  reason: Reason,
  { id = newId15(), signal }: { id?: string; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const running = underWay.get(shop.backup)
  if (running) return running
  const begun = make(shop, reason, id, signal).finally(() => {
    underWay.delete(shop.backup)
    shop.live.announce('backups')
  })
  underWay.set(shop.backup, begun)
  return begun
}

export const isBackingUp = (shop: Shop): boolean => underWay.has(shop.backup)

async function make(shop: Shop, reason: Reason, id: string, signal: AbortSignal | undefined): Promise<Outcome> {
  const { db, log, now } = shop
  const row = { reason, startedAt: now(), finishedAt: null, error: null }
  try {
    await db
      .insertInto('backups')
      .values({ id, ...row })
      .onConflict((same) => same.column('id').doUpdateSet(row))
      .execute()
    const { name, rows, files, size, missing } = await makeBackup(shop, reason, signal)
    await db.updateTable('backups').set({ finishedAt: now() }).where('id', '=', id).execute()
    // Fields that are called name are taken for a person's.
    log.info('a backup was made', { archive: name, rows, files, size })
    if (missing.length > 0) log.error('a backup lacks pictures that the shop has lost', undefined, { count: missing.length })
    return { ok: true, name }
  } catch (error) {
    if (signal?.aborted) return { ok: false, error: 'The shop was stopped.' }
    log.error('a backup could not be made', error)
    // The reason may be that nothing can be written any more.
    await db
      .updateTable('backups')
      .set({ error: whyNot(error) })
      .where('id', '=', id)
      .execute()
      .catch(() => {})
    return { ok: false, error: whyNot(error) }
  }
}

export type BackupFacts = {
  archives: StoredArchive[]
  /** of the database, from before upgrades; they take room too */
  copies: { count: number; size: number }
  /** not so: a disk that is not mounted, or not the shop's to read */
  isFolderThere: boolean
  /** the last try came to nothing, and no later one succeeded */
  failure: { at: number; error: string } | null
  isUnderWay: boolean
  /** when the next one is made by itself; null: never */
  next: number | null
}

const sumOf = (stored: readonly { size: number }[]): number => stored.reduce((sum, { size }) => sum + size, 0)

/** Looked at with many pages, told once. */
const isTold = new WeakSet<Shop['backup']>()

/** What the page of backups and the status page show. */
export async function readBackups(shop: Shop): Promise<BackupFacts> {
  const { db, backup, log, now, timeZone, machine } = shop
  // Where backups break, the page that says so must stand.
  const listed = await listArchives(backup.folder).catch((error: unknown) => {
    if (!isTold.has(backup)) log.error('the folder of backups cannot be read', error)
    isTold.add(backup)
    return null
  })
  if (listed) isTold.delete(backup)
  const archives = listed ?? []
  const copies = await listCopies(machine.dataDir)
  const last = await db.selectFrom('backups').select(['startedAt', 'error']).orderBy('startedAt', 'desc').limit(1).executeTakeFirst()
  const isLater = last?.error && (archives[0]?.at ?? 0) < last.startedAt
  return {
    archives,
    copies: { count: copies.length, size: sumOf(copies) },
    isFolderThere: listed !== null,
    failure: isLater ? { at: last.startedAt, error: last.error! } : null,
    isUnderWay: isBackingUp(shop),
    next: backup.at === null ? null : nextPoint(backup.at, now(), timeZone),
  }
}

/** Only what the shop has named itself, and only in its folder. */
export async function findArchive({ backup }: Pick<Shop, 'backup'>, name: string): Promise<(StoredArchive & { path: string }) | null> {
  if (!readArchiveName(name)) return null
  const found = (await listArchives(backup.folder).catch(() => [])).find((one) => one.name === name)
  return found ? { ...found, path: join(backup.folder, name) } : null
}

export type Checked = ({ ok: true } & Verified) | { ok: false; error: string }

/** S-267: reads it from front to end. */
export async function checkArchive(path: string): Promise<Checked> {
  try {
    const archive = await openArchive(path)
    return { ok: true, ...(await verifyArchive(archive).finally(() => archive.close())) }
  } catch (error) {
    if (!(error instanceof UnusableArchive)) throw error
    return { ok: false, error: `${error.message.replace(basename(path), 'This backup')}.` }
  }
}

/** S-268: what she does with backups stands in the history. */
export async function recordBackupAct(
  { db, now, timeZone }: Shop,
  actor: string,
  act: 'make-backup' | 'download-backup' | 'delete-backup',
  { name, at }: Pick<StoredArchive, 'name' | 'at'>,
): Promise<void> {
  await transact(db, (tx) => recordAct(tx, { at: now(), actor, act, subject: name, name: momentText(at, timeZone) }))
}

export async function deleteArchive(shop: Shop, actor: string, archive: StoredArchive & { path: string }): Promise<void> {
  await recordBackupAct(shop, actor, 'delete-backup', archive)
  await rm(archive.path, { force: true })
  shop.live.announce('backups')
}
