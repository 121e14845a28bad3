/** Creates a backup while the shop is open: one zip file with a copy of the database, the pictures and the keys (053). */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Shop } from '#app/platform/context.ts'
import { readRoom, sizeOfDatabase } from '#app/platform/storage-size.server.ts'
import { syncFolder } from '#app/platform/durable-file.server.ts'
import { isStoredPath } from '#app/platform/files.server.ts'
import { sizeText } from '#app/ui/amounts.ts'
import { backupFileName, DATABASE_FILE, imageEntry, MANIFEST, parseBackupFileName, README, readmeText, SECRETS } from './backup.ts'
import { secretEntry, staysUntilDeleted, type Reason } from './backup.ts'
import { openBackup, verifyBackup, type Manifest } from './read-backup.server.ts'

export type BackupSource = Pick<Shop, 'db' | 'files' | 'now' | 'backup'>
/** size: bytes of the file; files: number of pictures; missing: paths of pictures whose file the shop has lost */
type CreatedBackup = { name: string; path: string; size: number; files: number; missing: string[] }

/** Its message is for the owner. */
export class InsufficientSpaceError extends Error {}

/** Bytes that stay free: other work goes on while the disk is nearly full. */
const RESERVED_BYTES = 64 * 1024 * 1024
/** After this time a half-written file is left from a killed process. */
const ABANDONED_MS = 86_400_000

export type StoredBackup = { name: string; at: number; reason: Reason; size: number }

/** Newest first; [] for a folder that does not exist. */
export async function listBackups(folder: string): Promise<StoredBackup[]> {
  const names = await readdir(folder).catch(nullIfMissing)
  const found: StoredBackup[] = []
  for (const name of names ?? []) {
    const parsed = parseBackupFileName(name)
    const about = parsed && (await stat(join(folder, name)).catch(() => null))
    if (parsed && about?.isFile()) found.push({ name, ...parsed, size: about.size })
  }
  return found.toSorted((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1))
}

/** Makes the folder, for the shop's user alone, and deletes what killed processes left half-written. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^\.shop-.*\.part(-\w+)?$/.test(name)) continue
    const about = await stat(join(folder, name)).catch(() => null)
    if (about && about.mtimeMs < Date.now() - ABANDONED_MS) await rm(join(folder, name), { force: true })
  }
}

/**
 * A backup gets its name only after it was read again and compared, so a file with that name is always whole. Throws what went wrong.
 * `signal`: the shop is about to stop.
 */
export async function createBackup(shop: BackupSource, reason: Reason, signal?: AbortSignal): Promise<CreatedBackup> {
  const { folder, keep } = shop.backup
  await prepareFolder(folder)
  await refuseWithoutSpace(shop)
  const at = shop.now()
  const name = backupFileName(at, reason)
  const [draft, path] = [join(folder, `.${name}.part`), join(folder, name)]
  try {
    const written = await writeBackup(shop, draft, { at, reason, signal })
    const backup = await openBackup(draft)
    await verifyBackup(backup).finally(() => backup.close())
    signal?.throwIfAborted()
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncFolder(folder)
    // S-266: of the nightly backups the newest stay.
    const nightly = (await listBackups(folder)).filter((backup) => !staysUntilDeleted(backup.reason))
    if (reason === 'nightly') for (const old of nightly.slice(keep)) await rm(join(folder, old.name), { force: true })
    return { ...written, name, path, size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function refuseWithoutSpace({ db, files, backup }: BackupSource): Promise<void> {
  const room = await readRoom(backup.folder)
  if (!room) return
  const pictures = (await files.list()).reduce((sum, { size }) => sum + size, 0)
  // The database is there twice for a while: as a copy, and in the zip file.
  const database = backup.copyDatabase ? ((await sizeOfDatabase(db, 'sqlite')) ?? 0) : 0
  const needed = pictures + 2 * database + RESERVED_BYTES
  if (room.free < needed)
    throw new InsufficientSpaceError(
      `There is not enough room on the disk: a backup may need ${sizeText(needed)}, and ${sizeText(room.free)} are left.`,
    )
}

/** In words for the owner; a path or an error code only where nothing better is known. */
export function backupError(error: unknown): string {
  if (error instanceof InsufficientSpaceError) return error.message
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'The disk became full while it was written.'
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return 'The folder of the backups cannot be written.'
  return `It could not be written (${code || message.split('\n')[0]!.slice(0, 200)}).`
}

type Context = { at: number; reason: Reason; signal: AbortSignal | undefined }

async function writeBackup({ db, files, backup }: BackupSource, path: string, { at, reason, signal }: Context) {
  const madeAt = new Date(at).toISOString()
  const zip = openZip(path, at, signal)
  const copy = `${path}.db.part`
  const images = new Set<string>()
  async function addImages() {
    for (const { path: image } of await files.list()) {
      if (!isStoredPath(image) || images.has(image)) continue
      const bytes = await files.read(image)
      // Deleted since it was listed.
      if (!bytes) continue
      await zip.add(imageEntry(image), [bytes], false)
      images.add(image)
    }
  }
  try {
    await zip.add(README, [readmeText(madeAt, backup.copyDatabase !== null)])
    // Most pictures first; then the database; then those that came meanwhile. So no row lacks its picture.
    await addImages()
    if (backup.copyDatabase) {
      await writeFile(copy, '', { mode: 0o600, flag: 'wx' })
      await backup.copyDatabase(copy)
      await zip.add(DATABASE_FILE, createReadStream(copy))
    }
    const rows = await db.selectFrom('pictures').select('path').orderBy('path').execute()
    await addImages()
    for (const name of SECRETS) {
      const bytes = await readFile(join(backup.secrets, name)).catch(nullIfMissing)
      if (bytes) await zip.add(secretEntry(name), [bytes])
    }
    const missing = rows.flatMap((row) => (images.has(row.path) ? [] : [row.path]))
    const manifest: Manifest = { format: 2, madeAt, reason, checksums: zip.checksums, missing }
    await zip.add(MANIFEST, [`${JSON.stringify(manifest, null, 2)}\n`])
    await zip.end()
    return { files: images.size, missing }
  } finally {
    zip.close()
    for (const side of ['', '-journal', '-wal', '-shm']) await rm(`${copy}${side}`, { force: true })
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}

/** Writes a zip file, one entry after the other, with the SHA-256 of each. `path` must not exist yet. */
function openZip(path: string, at: number, signal?: AbortSignal) {
  const zip = new ZipFile()
  const checksums: Record<string, string> = {}
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(zip.outputStream, file)
  // Whoever adds the next entry, or ends the file, gets the error.
  written.catch(() => {})
  zip.on('error', () => {})

  async function add(name: string, content: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>, compress = true): Promise<void> {
    const hash = createHash('sha256')
    async function* hashed() {
      for await (const part of content) {
        signal?.throwIfAborted()
        hash.update(part)
        yield part
      }
    }
    const stream = Readable.from(hashed(), { objectMode: false })
    zip.addReadStream(stream, name, { mtime: new Date(at), mode: 0o100600, compress })
    try {
      await Promise.race([finished(stream), written])
    } catch (error) {
      stream.destroy()
      throw error
    }
    checksums[name] = hash.digest('hex')
  }
  async function end(): Promise<void> {
    zip.end()
    await written
  }
  return { add, checksums, end, close: () => void file.destroy() }
}
