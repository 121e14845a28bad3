/** Makes a backup: written beside its place, read again and compared, and only then called a backup (045). */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Shop } from '#app/platform/context.ts'
import { sizeOfDatabase } from '#app/platform/database-size.server.ts'
import { readRoom } from '#app/platform/disk-room.server.ts'
import { syncFolder } from '#app/platform/durable-file.server.ts'
import { sizeText } from '#app/ui/amounts.ts'
import { archiveName, type Reason } from './archive.ts'
import { dropOld, prepareFolder } from './backup-folder.server.ts'
import { openArchive } from './read-archive.server.ts'
import { verifyArchive } from './verify-archive.server.ts'
import { writeArchive, type Contents } from './write-archive.server.ts'

export type BackupShop = Pick<Shop, 'db' | 'files' | 'now' | 'backup'>
export type Made = Contents & { name: string; path: string; size: number }

/** Said to the owner as it stands. */
export class NoRoom extends Error {}

/** Other work goes on while the disk is nearly full. */
const SPARE = 64 * 1024 * 1024

/** Throws what went wrong; nothing that could be taken for a backup is there then. `signal`: the shop is about to stop. */
export async function makeBackup(shop: BackupShop, reason: Reason, signal?: AbortSignal): Promise<Made> {
  const { folder, keep } = shop.backup
  await prepareFolder(folder)
  await refuseWithoutRoom(shop)
  const name = archiveName(shop.now(), reason)
  const draft = join(folder, `.${name}.part`)
  const path = join(folder, name)
  try {
    const contents = await writeArchive({ ...shop.backup, files: shop.files, now: shop.now, ...(signal && { signal }) }, draft, reason)
    const archive = await openArchive(draft)
    await verifyArchive(archive).finally(() => archive.close())
    signal?.throwIfAborted()
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncFolder(folder)
    if (reason === 'nightly') await dropOld(folder, keep)
    return { ...contents, name, path, size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function refuseWithoutRoom({ db, files, backup }: BackupShop): Promise<void> {
  const room = await readRoom(backup.folder)
  if (!room) return
  const pictures = (await files.list()).reduce((sum, { size }) => sum + size, 0)
  const needed = pictures + ((await sizeOfDatabase(db, backup.dialect)) ?? 0) + SPARE
  if (room.free < needed)
    throw new NoRoom(`There is not enough room on the disk: a backup may need ${sizeText(needed)}, and ${sizeText(room.free)} are left.`)
}

/** In words for the owner; a path or a code of the system only where nothing better is known. */
export function whyNot(error: unknown): string {
  if (error instanceof NoRoom) return error.message
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk became full while it was written.'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'The folder of the backups cannot be written.'
  return `It could not be written (${code || message.split('\n')[0]!.slice(0, 200)}).`
}
