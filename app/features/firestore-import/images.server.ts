/** The pictures that an export's documents name: found in a copy of the bucket or fetched, and stored like uploads (053). */
import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Shop } from '#app/platform/context.ts'
import { itemFolder } from '#app/platform/picture-types.ts'
import type { PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { isMap, shown, type Documents, type ReportIssue } from './documents.ts'

export type ImageSource = {
  /** folder with a copy of the bucket */
  files: string | null
  /** over the network, from the addresses in the documents */
  fetch: 'no' | 'https' | 'http too'
}
export type ImportedImages = {
  /** id by the address in the documents */
  ids: Map<string, string>
  /** stored, not yet in the tables */
  prepared: StoredPicture[]
}
type Bytes = Uint8Array<ArrayBuffer>

/** Somewhat above what the shop takes from a form. */
export const MAX_IMAGE_BYTES = 40_000_000
const FETCH_TIMEOUT_MS = 30_000
/** More at once only costs memory. */
const IN_PARALLEL = 4

/** Where a picture of the hosted storage is in a copy of its bucket; `bucket` where the url names it; null: no storage's address. */
export function addressOf(url: string): { path: string; bucket: string } | null {
  const own = /^(?:https?:\/\/[^/]+)?\/pictures\/([^?#]+)/.exec(url)
  if (own) return checked(own[1]!, '')
  const hosted = /^https?:\/\/[^/]+\/v0\/b\/([^/]+)\/o\/([^?#]+)/.exec(url)
  const plain = hosted ?? /^(?:https?:\/\/storage\.googleapis\.com|gs:\/)\/([^/]+)\/([^?#]+)/.exec(url)
  if (plain) return checked(decoded(plain[2]!), plain[1]!)
  // A path as it is: items/walls/abc.jpg
  return /^[a-z]+:|^\//i.test(url) ? null : checked(url, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Nothing leads out of the copy. */
function checked(path: string, bucket: string) {
  const isInside = path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part))
  return isInside && !/^\.*$|[\0\\]/.test(bucket || '-') ? { path, bucket } : null
}

/**
 * The folder and name under which a picture is stored (FILES-01 to FILES-03): its own, so that addresses stay. An odd name, or one that another
 * picture has, gets a tail made from the address, the same at each import.
 */
export function placeOf(url: string, purpose: PictureFolder, isTaken: (place: string) => boolean): { folder: PictureFolder; name: string } {
  const path = addressOf(url)?.path ?? ''
  const own = path.slice(0, path.lastIndexOf('/'))
  const ofItems = (folder: string) => (folder.startsWith('items/') ? itemFolder(folder.slice('items/'.length)) : null)
  const isKnown = ['colors', 'category', 'people', 'scenes'].includes(own) || ofItems(own) === own
  const folder = isKnown ? (own as PictureFolder) : (ofItems(purpose) ?? purpose)
  const written = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  const name = written
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 100)
  if (name !== '' && name === written && !isTaken(`${folder}/${name}`)) return { folder, name }
  const tail = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return { folder, name: [name, tail].filter(Boolean).join('-') }
}

/** Each address once, with the folder for a picture of its purpose. */
function listWanted(documents: Documents): Map<string, { folder: PictureFolder; name: string }> {
  const wanted = new Map<string, { folder: PictureFolder; name: string }>()
  const taken = new Set<string>()
  const want = (value: unknown, purpose: PictureFolder) => {
    const url = isMap(value) ? value.url : value
    if (typeof url !== 'string' || url === '' || wanted.has(url)) return
    const place = placeOf(url, purpose, (name) => taken.has(name))
    taken.add(`${place.folder}/${place.name}`)
    wanted.set(url, place)
  }
  for (const fields of [...documents.category.values(), ...documents.showcase.values()]) want(fields, 'category')
  for (const fields of documents.colors.values()) want(fields, 'colors')
  for (const { images, category } of documents.items.values())
    for (const image of typeof images === 'object' && images !== null ? Object.values(images) : [])
      want(image, `items/${typeof category === 'string' ? category : 'moved'}`)
  return wanted
}

async function readFromFiles(files: string, url: string): Promise<Bytes | 'too big' | null> {
  const address = addressOf(url)
  if (!address) return null
  for (const path of [join(files, address.path), join(files, address.bucket, address.path)]) {
    // A link in the copy leads nowhere else on this machine.
    const real = await realpath(path).catch(() => '')
    if (!real.startsWith(`${await realpath(files)}${sep}`)) continue
    const found = await stat(real).catch(() => null)
    if (found?.isFile()) return found.size > MAX_IMAGE_BYTES ? 'too big' : readFile(real)
  }
  return null
}

export type Fetched = { ok: true; bytes: Bytes } | { ok: false; why: string }

/** Limited in time and size, over https unless the owner says otherwise. */
export async function fetchImage(url: string, mayBeHttp: boolean): Promise<Fetched> {
  const isAllowed = (address: string) => /^https:/i.test(address) || (mayBeHttp && /^http:/i.test(address))
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return { ok: false, why: 'no address that can be fetched' }
  if (!isAllowed(url)) return { ok: false, why: 'an http address (--allow-http fetches those too)' }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS), credentials: 'omit' })
    const why = isAllowed(response.url) ? `the storage answered ${response.status}` : 'it leads on to an http address'
    if (!isAllowed(response.url) || !response.ok) {
      await response.body?.cancel()
      return { ok: false, why }
    }
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > MAX_IMAGE_BYTES) return { ok: false, why: `more than ${MAX_IMAGE_BYTES} bytes` }
      parts.push(part)
    }
    return { ok: true, bytes: new Uint8Array(Buffer.concat(parts)) }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { ok: false, why: isLate ? `no answer within ${FETCH_TIMEOUT_MS / 1000} seconds` : 'the storage could not be reached' }
  }
}

/** `isDry`: looks whether each is there, and writes nothing. */
export async function importImages(
  shop: Shop,
  documents: Documents,
  source: ImageSource,
  { isDry, report, say }: { isDry: boolean; report: ReportIssue; say: (line: string) => void },
): Promise<ImportedImages> {
  const rows = await shop.db.selectFrom('pictures').select(['id', 'path']).execute()
  const existing = new Map(rows.map((row) => [row.path.replace(/\.\w+$/, ''), row.id]))
  const imported: ImportedImages = { ids: new Map(), prepared: [] }

  async function importOne(url: string, folder: PictureFolder, name: string): Promise<string | null> {
    const refuse = (what: string) => {
      report({ where: 'pictures', field: shown(url), what, done: 'not taken' })
      return null
    }
    let bytes = source.files === null ? null : await readFromFiles(source.files, url)
    if (bytes === null && source.fetch !== 'no') {
      if (isDry) return 'would be fetched'
      const fetched = await fetchImage(url, source.fetch === 'http too')
      if (!fetched.ok) return refuse(fetched.why)
      bytes = fetched.bytes
    }
    if (bytes === 'too big') return refuse(`more than ${MAX_IMAGE_BYTES} bytes`)
    if (bytes === null) return source.files === null ? null : refuse('not in the copy of the bucket')
    if (isDry) return 'would be taken'
    const prepared = await shop.pictures.prepare(folder, bytes, name)
    if (!prepared.ok) return refuse(`no picture that the shop takes (${prepared.refusal})`)
    if (imported.prepared.push(prepared.picture) % 100 === 0) say(`Pictures: ${imported.prepared.length} of ${wanted.size}`)
    return prepared.picture.id
  }

  const wanted = listWanted(documents)
  const waiting = wanted.entries()
  const worker = async () => {
    for (const [url, { folder, name }] of waiting) {
      const id = existing.get(`${folder}/${name}`) ?? (await importOne(url, folder, name))
      if (id) imported.ids.set(url, id)
    }
  }
  try {
    await Promise.all(Array.from({ length: IN_PARALLEL }, worker))
  } catch (error) {
    await discardImages(shop, imported.prepared)
    throw error
  }
  return imported
}

export async function discardImages(shop: Shop, images: readonly StoredPicture[]): Promise<void> {
  for (const image of images) await shop.pictures.discard(image).catch(() => {})
}
