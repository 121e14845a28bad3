import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { finished } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { z } from 'zod'
import { isStoredPath } from '#lib/storage/storage.server.ts'
import {
  DATABASE_FILE,
  imageEntry,
  MANIFEST,
  README,
  REASONS,
  SECRETS,
  secretEntry,
} from './backup.ts'

export class UnusableBackupError extends Error {}

const Manifest = z.object({
  format: z.literal(2),
  madeAt: z.iso.datetime(),
  reason: z.enum(REASONS),
  checksums: z.record(z.string().max(300), z.string().regex(/^[0-9a-f]{64}$/)),
  missing: z.array(z.string().max(300)),
})
export type Manifest = z.infer<typeof Manifest>

export type Backup = Awaited<ReturnType<typeof openBackup>>

const MAX_ENTRIES = 2_000_000
const MAX_MANIFEST_BYTES = 256 * 1024 * 1024
const MAX_BACKUP_IMAGE_BYTES = 64 * 1024 * 1024
const MAX_COMPRESSION_RATIO = 100
const ALWAYS_ALLOWED_BYTES = 64 * 1024 * 1024

export async function openBackup(path: string) {
  const name = basename(path)
  const refuse: Refuse = (why) => new UnusableBackupError(`${name} ${why}`)
  const zip = await openPromise(path, {
    autoClose: false,
    lazyEntries: true,
    strictFileNames: true,
  }).catch((error: Error) => {
    throw refuse(reasonUnreadable(error))
  })
  try {
    const entries = await listEntries(zip, refuse)
    const size = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    if (size > ALWAYS_ALLOWED_BYTES + MAX_COMPRESSION_RATIO * zip.fileSize) {
      throw refuse('would expand to far more than any backup of the shop; it was not read')
    }
    const manifestEntry = entries.get(MANIFEST)
    if (!manifestEntry) throw refuse(`is not a backup of the shop: it has no ${MANIFEST}`)
    if (manifestEntry.uncompressedSize > MAX_MANIFEST_BYTES) {
      throw refuse(`has a ${MANIFEST} that is longer than any backup's`)
    }
    const open = (entry: string) => zip.openReadStreamPromise(entries.get(entry)!)
    const manifestText = await text(await open(MANIFEST)).catch((error: Error) => {
      throw refuse(`is damaged: ${MANIFEST} cannot be read (${error.message})`)
    })
    const manifest = parseManifest(manifestText)
    if (!manifest) {
      throw refuse(`has a ${MANIFEST} that this version of the shop does not understand`)
    }
    const unlisted = [...entries.keys()].find(
      (entry) => entry !== MANIFEST && !Object.hasOwn(manifest.checksums, entry),
    )
    if (unlisted) throw refuse(`is damaged: ${unlisted} has no checksum`)
    const listed = Object.keys(manifest.checksums)
    const missing = listed.find((entry) => !entries.has(entry))
    if (missing !== undefined) {
      throw refuse(`is damaged: ${JSON.stringify(missing.slice(0, 100))} is missing`)
    }
    const below = (folder: string) =>
      listed.flatMap((entry) => (entry.startsWith(folder) ? [entry.slice(folder.length)] : []))
    return {
      name,
      manifest,
      files: below(imageEntry('')),
      secrets: below(secretEntry('')),
      hasDatabase: listed.includes(DATABASE_FILE),
      open,
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

export async function verifyBackup({ name, manifest, open }: Backup) {
  for (const [entry, checksum] of Object.entries(manifest.checksums)) {
    const hash = createHash('sha256')
    try {
      const stream = await open(entry)
      stream.on('data', (bytes: Buffer) => hash.update(bytes))
      await finished(stream)
    } catch (error) {
      throw new UnusableBackupError(
        `${name} is damaged: ${entry} cannot be read (${(error as Error).message})`,
      )
    }
    if (hash.digest('hex') !== checksum) {
      throw new UnusableBackupError(`${name} is damaged: the checksum of ${entry} is wrong`)
    }
  }
}

type Refuse = (why: string) => UnusableBackupError

function reasonUnreadable(error: Error & { code?: string }) {
  if (error.code === 'ENOENT') return 'is not there'
  if (error.code === 'EISDIR') return 'is a folder'
  if (error.code) return `cannot be opened (${error.code})`
  return /end of central directory|too short/i.test(error.message)
    ? 'is not a complete archive: its end is missing. Either it is not a zip file, or copying it was interrupted'
    : `cannot be read as an archive (${error.message})`
}

async function listEntries(zip: ZipFile, refuse: Refuse) {
  if (zip.entryCount > MAX_ENTRIES) throw refuse('contains more files than any backup of the shop')
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const problem = entryProblem(entry)
      if (problem) throw refuse(problem)
      if (entries.has(entry.fileName)) throw refuse(`holds ${entry.fileName} twice`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw error instanceof UnusableBackupError
      ? error
      : refuse(`cannot be read as an archive (${(error as Error).message})`)
  }
  return entries
}

const isKnownName = (name: string) =>
  [README, MANIFEST, DATABASE_FILE].includes(name) ||
  (name.startsWith(imageEntry('')) && isStoredPath(name.slice(imageEntry('').length))) ||
  SECRETS.some((secret) => name === secretEntry(secret))

const FILE_TYPE_MASK = 0o170000
const PLAIN_FILE = 0o100000

function entryProblem(entry: Entry) {
  const name = JSON.stringify(entry.fileName.slice(0, 100))
  if (!isKnownName(entry.fileName)) {
    return `is not a backup of the shop: it contains ${name}, which no backup contains`
  }
  const type = (entry.externalFileAttributes >>> 16) & FILE_TYPE_MASK
  if (type !== 0 && type !== PLAIN_FILE) return `contains ${name}, which is not a regular file`
  if (entry.isEncrypted() || !entry.canDecodeFileData()) {
    return `contains ${name} with a compression that backups do not use`
  }
  const isImage = entry.fileName.startsWith(imageEntry(''))
  return isImage && entry.uncompressedSize > MAX_BACKUP_IMAGE_BYTES
    ? `contains ${name}, which is larger than any picture`
    : null
}

function parseManifest(manifestText: string) {
  try {
    return Manifest.safeParse(JSON.parse(manifestText)).data ?? null
  } catch {
    return null
  }
}
