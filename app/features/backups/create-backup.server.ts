import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import { syncFolder } from '#lib/storage/atomic-write.server.ts'
import { databaseSize, diskSpace } from '#lib/storage/free-space.server.ts'
import { isStoredPath } from '#lib/storage/storage.server.ts'
import type { AppServices } from '#services/context.ts'
import {
  type BackupReason,
  DATABASE_FILE,
  imageEntry,
  MANIFEST,
  README,
  SECRETS,
  backupFileName,
  parseBackupFileName,
  secretEntry,
  staysUntilDeleted,
} from './backup.ts'
import { openBackup, verifyBackup, type Manifest } from './read-backup.server.ts'
import { backupErrorTexts, readmeText } from './texts.ts'

export type BackupSource = Pick<AppServices, 'db' | 'storage' | 'now' | 'backup'>
export class InsufficientSpaceError extends Error {}

const RESERVED_BYTES = 64 * 1024 * 1024
const ABANDONED_MS = 86_400_000

export type StoredBackup = { name: string; at: number; reason: BackupReason; size: number }

export async function listBackups(folder: string) {
  const names = await readdir(folder).catch(nullIfMissing)
  const backups: StoredBackup[] = []
  for (const name of names ?? []) {
    const parsed = parseBackupFileName(name)
    const file = parsed && (await stat(join(folder, name)).catch(() => null))
    if (parsed && file?.isFile()) backups.push({ name, ...parsed, size: file.size })
  }
  return backups.toSorted((left, right) => right.at - left.at || (left.name < right.name ? -1 : 1))
}

async function prepareFolder(folder: string) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    if (!/^\.shop-.*\.part(-\w+)?$/.test(name)) continue
    const file = await stat(join(folder, name)).catch(() => null)
    if (file && file.mtimeMs < Date.now() - ABANDONED_MS) {
      await rm(join(folder, name), { force: true })
    }
  }
}

/**
 * The file gets its final name only if the checksums match. `missing` counts images without a file.
 */
export async function createBackup(app: BackupSource, reason: BackupReason, signal?: AbortSignal) {
  const { folder, keep } = app.backup
  await prepareFolder(folder)
  await refuseWithoutSpace(app)
  const at = app.now()
  const name = backupFileName(at, reason)
  const draft = join(folder, `.${name}.part`)
  const path = join(folder, name)
  try {
    const content = await writeBackup(app, draft, { at, reason, signal })
    const backup = await openBackup(draft)
    await verifyBackup(backup).finally(() => backup.close())
    signal?.throwIfAborted()
    const { size } = await stat(draft)
    await rename(draft, path)
    await syncFolder(folder)
    if (reason === 'nightly') {
      const nightly = (await listBackups(folder)).filter(
        (backup) => !staysUntilDeleted(backup.reason),
      )
      for (const old of nightly.slice(keep)) await rm(join(folder, old.name), { force: true })
    }
    return { ...content, name, path, size }
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function refuseWithoutSpace({ db, storage, backup }: BackupSource) {
  const disk = await diskSpace(backup.folder)
  if (!disk) return
  const images = (await storage.list()).reduce((sum, { size }) => sum + size, 0)
  const database = backup.copyDatabase ? ((await databaseSize(db, 'sqlite')) ?? 0) : 0
  const needed = images + 2 * database + RESERVED_BYTES
  if (disk.free < needed) {
    throw new InsufficientSpaceError(backupErrorTexts.noSpace(needed, disk.free))
  }
}

export function backupError(error: unknown) {
  if (error instanceof InsufficientSpaceError) return error.message
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string }
  if (code === 'ENOSPC' || code === 'EDQUOT') return backupErrorTexts.diskFull
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return backupErrorTexts.notWritable
  return backupErrorTexts.notWritten(code || message.split('\n')[0]!.slice(0, 200))
}

async function writeBackup(
  { db, storage, backup }: BackupSource,
  path: string,
  { at, reason, signal }: { at: number; reason: BackupReason; signal: AbortSignal | undefined },
) {
  const madeAt = new Date(at).toISOString()
  const zip = openZip(path, at, signal)
  const copy = `${path}.db.part`
  const images = new Set<string>()
  async function addImages() {
    for (const { path: image } of await storage.list()) {
      if (!isStoredPath(image) || images.has(image)) continue
      const bytes = await storage.read(image)
      if (!bytes) continue
      await zip.add(imageEntry(image), [bytes], false)
      images.add(image)
    }
  }
  try {
    await zip.add(README, [readmeText(madeAt, backup.copyDatabase !== null)])
    // This second call adds the images whose rows are newer than the first call.
    await addImages()
    if (backup.copyDatabase) {
      await writeFile(copy, '', { mode: 0o600, flag: 'wx' })
      await backup.copyDatabase(copy)
      await zip.add(DATABASE_FILE, createReadStream(copy))
    }
    const rows = await db.selectFrom('images').select('path').orderBy('path').execute()
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

function nullIfMissing(error: NodeJS.ErrnoException) {
  if (error.code !== 'ENOENT') throw error
  return null
}

function openZip(path: string, at: number, signal?: AbortSignal) {
  const zip = new ZipFile()
  const checksums: Record<string, string> = {}
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  const written = pipeline(zip.outputStream, file)
  written.catch(() => {})
  zip.on('error', () => {})

  async function add(
    name: string,
    content: Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>,
    compress = true,
  ) {
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
  async function end() {
    zip.end()
    await written
  }
  return { add, checksums, end, close: () => void file.destroy() }
}
