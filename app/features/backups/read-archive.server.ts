/** Opens an archive that anybody may have sent or broken: nothing of it is believed before it was compared, and nothing leaves its place (045). */
import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { isStoredPath } from '#app/platform/files.server.ts'
import { fileEntry, MANIFEST, README, SECRETS, SUMS, tableEntry } from './archive.ts'
import { Manifest, readSums } from './manifest-input.ts'

/** One line for the person who named the file. */
export class UnusableArchive extends Error {}

export type Archive = {
  name: string
  manifest: Manifest
  /** SHA-256 by entry */
  sums: Map<string, string>
  /** stored paths of the pictures */
  files: string[]
  secrets: string[]
  /** bytes of everything that is in it */
  size: number
  open: (entry: string) => Promise<Readable>
  close: () => void
}

const MOST_ENTRIES = 2_000_000
/** Held in memory while they are read. */
const MOST_LIST = 256 * 1024 * 1024
const MOST_FILE = 64 * 1024 * 1024
/** Lines of rows pack to a tenth; what unfolds to a hundred times its size was made to fill a disk. */
const MOST_UNFOLDED = 100
const FREE_TO_UNFOLD = 64 * 1024 * 1024

export async function openArchive(path: string): Promise<Archive> {
  const name = basename(path)
  const refuse = (why: string) => new UnusableArchive(`${name} ${why}`)
  const zip = await openPromise(path, { autoClose: false, lazyEntries: true, strictFileNames: true }).catch((error: Error) => {
    throw refuse(whyUnreadable(error))
  })
  try {
    const entries = await listEntries(zip, refuse)
    const size = [...entries.values()].reduce((sum, entry) => sum + entry.uncompressedSize, 0)
    if (size > FREE_TO_UNFOLD + MOST_UNFOLDED * zip.fileSize)
      throw refuse('would unfold to far more than any backup of the shop; nothing of it was read')
    const open = (entry: string) => zip.openReadStreamPromise(entries.get(entry)!)
    const readText = async (entry: string) => {
      const found = entries.get(entry)
      if (!found) throw refuse(`is no backup of the shop: it has no ${entry}`)
      if (found.uncompressedSize > MOST_LIST) throw refuse(`has a ${entry} that is longer than any backup's`)
      return text(await open(entry)).catch((error: Error) => {
        throw refuse(`is damaged: ${entry} cannot be read (${error.message})`)
      })
    }
    const sums = readSums(await readText(SUMS))
    if (!sums) throw refuse(`is no backup of the shop: ${SUMS} is not what sha256sum writes`)
    const manifestText = await readText(MANIFEST)
    if (createHash('sha256').update(manifestText).digest('hex') !== sums.get(MANIFEST))
      throw refuse(`is damaged: the checksum of ${MANIFEST} is wrong`)
    const manifest = readManifest(manifestText)
    if (!manifest) throw refuse(`has a ${MANIFEST} that this version of the shop does not understand`)
    const wrong = compareLists(entries, sums, manifest)
    if (wrong) throw refuse(wrong)
    const listed = [...sums.keys()]
    const below = (folder: string) => listed.flatMap((entry) => (entry.startsWith(folder) ? [entry.slice(folder.length)] : []))
    return { name, manifest, sums, files: below('files/'), secrets: below('secrets/'), size, open, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

function whyUnreadable(error: Error & { code?: string }): string {
  if (error.code === 'ENOENT') return 'is not there'
  if (error.code === 'EISDIR') return 'is a folder'
  if (error.code) return `cannot be opened (${error.code})`
  return /end of central directory|too short/i.test(error.message)
    ? 'is no whole archive: its end is missing. Either it is no zip file, or a copy of it was broken off'
    : `cannot be read as an archive (${error.message})`
}

type Refuse = (why: string) => UnusableArchive

async function listEntries(zip: ZipFile, refuse: Refuse): Promise<Map<string, Entry>> {
  if (zip.entryCount > MOST_ENTRIES) throw refuse('holds more files than any backup of the shop')
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      const wrong = wrongWith(entry)
      if (wrong) throw refuse(wrong)
      if (entries.has(entry.fileName)) throw refuse(`holds ${entry.fileName} twice`)
      entries.set(entry.fileName, entry)
    }
  } catch (error) {
    throw error instanceof UnusableArchive ? error : refuse(`cannot be read as an archive (${(error as Error).message})`)
  }
  return entries
}

/** Names are compared with those that the shop gives; what would lead elsewhere is none of them. */
const isOurs = (name: string): boolean =>
  [README, MANIFEST, SUMS].includes(name) ||
  /^tables\/\w+\.jsonl$/.test(name) ||
  (name.startsWith('files/') && isStoredPath(name.slice(6))) ||
  SECRETS.some((secret) => name === `secrets/${secret}`)

const [KIND, PLAIN] = [0o170000, 0o100000]

function wrongWith(entry: Entry): string | null {
  const shown = JSON.stringify(entry.fileName.slice(0, 100))
  if (!isOurs(entry.fileName)) return `is no backup of the shop: it holds ${shown}, which no backup has`
  const kind = (entry.externalFileAttributes >>> 16) & KIND
  if (kind !== 0 && kind !== PLAIN) return `holds ${shown}, which is no plain file but a link or the like`
  if (entry.isEncrypted() || !entry.canDecodeFileData()) return `holds ${shown} packed in a way that backups are not`
  if (entry.fileName.startsWith('files/') && entry.uncompressedSize > MOST_FILE) return `holds ${shown}, which is larger than any picture`
  return null
}

function readManifest(manifestText: string): Manifest | null {
  try {
    return Manifest.safeParse(JSON.parse(manifestText)).data ?? null
  } catch {
    return null
  }
}

/** Every entry has its checksum, every checksum its entry, and the manifest counts the same tables and files. */
function compareLists(entries: Map<string, Entry>, sums: Map<string, string>, { tables, files }: Manifest): string | null {
  const unsummed = [...entries.keys()].find((name) => name !== SUMS && !sums.has(name))
  if (unsummed) return `is damaged: ${unsummed} has no checksum`
  const gone = [...sums.keys()].find((name) => !entries.has(name))
  if (gone) return `is damaged: ${JSON.stringify(gone.slice(0, 100))} is missing`
  const wanted = new Set(Object.keys(tables).map(tableEntry))
  const there = [...entries.keys()].filter((name) => name.startsWith('tables/'))
  const odd = there.find((name) => !wanted.has(name)) ?? [...wanted].find((name) => !entries.has(name))
  if (odd) return `is damaged: ${odd} is not both in it and in its ${MANIFEST}`
  const count = [...entries.keys()].filter((name) => name.startsWith(fileEntry(''))).length
  return count === files.count ? null : `is damaged: it holds ${count} pictures, and its ${MANIFEST} says ${files.count}`
}
