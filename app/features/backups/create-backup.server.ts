/** Creates a backup while the shop is running: a zip file with a snapshot of the database, the images and the secrets. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { AppServices } from '#app/services/context.ts'
import { diskSpace, databaseSize } from '#app/lib/storage/free-space.server.ts'
import { syncFolder } from '#app/lib/storage/atomic-write.server.ts'
import { isStoredPath } from '#app/lib/storage/storage.server.ts'
import {
  backupFileName,
  DATABASE_FILE,
  imageEntry,
  MANIFEST,
  parseBackupFileName,
  README,
  SECRETS,
} from './backup.ts'
import { secretEntry, staysUntilDeleted, type BackupReason } from './backup.ts'
import { backupErrorTexts, readmeText } from './texts.ts'
import { openBackup, verifyBackup, type Manifest } from './read-backup.server.ts'

export type BackupSource = Pick<AppServices, 'db' | 'storage' | 'now' | 'backup'>
/** `size` is in bytes, `files` is the number of images, and `missing` contains the paths of images without a file. */
type CreatedBackup = { name: string; path: string; size: number; files: number; missing: string[] }

/** The owner sees the message of this error. */
export class InsufficientSpaceError extends Error {}

/** A backup leaves at least this many bytes of the disk free. */
const RESERVED_BYTES = 64 * 1024 * 1024
/** A partial file that is older than this many milliseconds was left by a killed process. */
const ABANDONED_MS = 86_400_000

export type StoredBackup = { name: string; at: number; reason: BackupReason; size: number }

/** Lists the backups, with the newest first. Returns an empty list if the folder is missing. */
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

/** Creates a folder that only the shop's system user can read, and deletes partial files of killed processes. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^\.shop-.*\.part(-\w+)?$/.test(name)) continue
    const about = await stat(join(folder, name)).catch(() => null)
    if (about && about.mtimeMs < Date.now() - ABANDONED_MS)
      await rm(join(folder, name), { force: true })
  }
}

/** Creates a backup and reads it back. The file gets its final name only if the checksums match. `signal` aborts the backup when the process stops. */
export async function createBackup(
  app: BackupSource,
  reason: BackupReason,
  signal?: AbortSignal,
): Promise<CreatedBackup> {
  const { folder, keep } = app.backup
  await prepareFolder(folder)
  await refuseWithoutSpace(app)
  const at = app.now()
  const name = backupFileName(at, reason)
  const [draft, path] = [join(folder, `.${name}.part`), join(folder, name)]
  try {
    const written = await writeBackup(app, draft, { at, reason, signal })
    const backup = await openBackup(draft)
    await verifyBackup(backup).finally(() => backup.close())
    signal?.throwIfAborted()
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncFolder(folder)
    const nightly = (await listBackups(folder)).filter(
      (backup) => !staysUntilDeleted(backup.reason),
    )
    if (reason === 'nightly')
      for (const old of nightly.slice(keep)) await rm(join(folder, old.name), { force: true })
    return { ...written, name, path, size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function refuseWithoutSpace({ db, storage, backup }: BackupSource): Promise<void> {
  const room = await diskSpace(backup.folder)
  if (!room) return
  const pictures = (await storage.list()).reduce((sum, { size }) => sum + size, 0)
  // The disk must have space for two copies of the database: the snapshot and the copy in the zip file.
  const database = backup.copyDatabase ? ((await databaseSize(db, 'sqlite')) ?? 0) : 0
  const needed = pictures + 2 * database + RESERVED_BYTES
  if (room.free < needed)
    throw new InsufficientSpaceError(backupErrorTexts.noSpace(needed, room.free))
}

/** Returns a sentence for the owner. For an unknown error, the sentence contains the code or the message of the error. */
export function backupError(error: unknown): string {
  if (error instanceof InsufficientSpaceError) return error.message
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'ENOSPC' || code === 'EDQUOT') return backupErrorTexts.diskFull
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return backupErrorTexts.notWritable
  return backupErrorTexts.notWritten(code || message.split('\n')[0]!.slice(0, 200))
}

type Context = { at: number; reason: BackupReason; signal: AbortSignal | undefined }

async function writeBackup(
  { db, storage, backup }: BackupSource,
  path: string,
  { at, reason, signal }: Context,
) {
  const madeAt = new Date(at).toISOString()
  const zip = openZip(path, at, signal)
  const copy = `${path}.db.part`
  const images = new Set<string>()
  async function addImages() {
    for (const { path: image } of await storage.list()) {
      if (!isStoredPath(image) || images.has(image)) continue
      const bytes = await storage.read(image)
      // The image was deleted after it had been listed.
      if (!bytes) continue
      await zip.add(imageEntry(image), [bytes], false)
      images.add(image)
    }
  }
  try {
    await zip.add(README, [readmeText(madeAt, backup.copyDatabase !== null)])
    // Adds the images, then the database, and then images that were uploaded in the meantime. So the backup contains the images of all its rows.
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

/** Creates a zip file at `path`, where no file may exist. `add` writes one entry after the other and collects the SHA-256 checksums of the entries. */
function openZip(path: string, at: number, signal?: AbortSignal) {
  const zip = new ZipFile()
  const checksums: Record<string, string> = {}
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(zip.outputStream, file)
  // The error of a failed write is ignored here, because the next call of `add` or `end` throws it.
  written.catch(() => {})
  zip.on('error', () => {})

  async function add(
    name: string,
    content: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
    compress = true,
  ): Promise<void> {
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
