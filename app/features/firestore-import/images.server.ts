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
/** `ids`: by the address in the documents; `prepared`: stored, not yet in the tables */
export type ImportedImages = { ids: Map<string, string>; prepared: StoredPicture[] }
export type ImageFound = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; why: string }

/** Somewhat above what the shop takes from a form. */
export const MAX_IMAGE_BYTES = 40_000_000
const TOO_LARGE: ImageFound = { ok: false, why: `more than ${MAX_IMAGE_BYTES} bytes` }
const FETCH_TIMEOUT_MS = 30_000
/** More at once only costs memory. */
const IN_PARALLEL = 4

/** Where a picture of the hosted storage is in a copy of its bucket; null: no address of a storage, or one that leads out of the copy. */
export function pathOf(url: string): string | null {
  const hosted = /^https?:\/\/[^/]+\/v0\/b\/[^/]+\/o\/([^?#]+)/.exec(url)
  const plain = hosted ?? /^(?:https?:\/\/storage\.googleapis\.com|gs:\/)\/[^/]+\/([^?#]+)/.exec(url)
  const own = /^(?:https?:\/\/[^/]+)?\/pictures\/([^?#]+)/.exec(url)?.[1]
  // A path as it is: items/walls/abc.jpg
  const path = own ?? (plain ? decoded(plain[1]!) : /^[a-z]+:|^\//i.test(url) ? '' : url)
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part)) ? path : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Place = { folder: PictureFolder; name: string }

/**
 * The folder and name under which a picture is stored (FILES-01 to FILES-03): its own, so that addresses stay. An odd name, or one that another
 * picture has, gets a tail made from the address, the same at each import.
 */
export function placeOf(url: string, purpose: PictureFolder, isTaken: (place: string) => boolean): Place {
  const path = pathOf(url) ?? ''
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
  return { folder, name: name === '' ? tail : `${name}-${tail}` }
}

/** Each address once, with the folder for a picture of its purpose. */
function listWanted(documents: Documents): Map<string, Place> {
  const wanted = new Map<string, Place>()
  const taken = new Set<string>()
  const want = (value: unknown, purpose: PictureFolder) => {
    const url = isMap(value) ? value.url : undefined
    if (typeof url !== 'string' || url === '' || wanted.has(url)) return
    const place = placeOf(url, purpose, (name) => taken.has(name))
    taken.add(`${place.folder}/${place.name}`)
    wanted.set(url, place)
  }
  for (const fields of [...documents.category.values(), ...documents.showcase.values()]) want(fields, 'category')
  for (const fields of documents.colors.values()) want(fields, 'colors')
  for (const { images, category } of documents.items.values())
    for (const image of Array.isArray(images) ? images : []) want(image, `items/${typeof category === 'string' ? category : 'moved'}`)
  return wanted
}

async function readFromFiles(files: string, url: string): Promise<ImageFound> {
  const missing: ImageFound = { ok: false, why: 'not in the copy of the bucket' }
  const path = pathOf(url)
  if (path === null) return missing
  // A link in the copy leads nowhere else on this machine.
  const real = await realpath(join(files, path)).catch(() => '')
  if (!real.startsWith(`${await realpath(files)}${sep}`)) return missing
  const found = await stat(real)
  if (!found.isFile()) return missing
  return found.size > MAX_IMAGE_BYTES ? TOO_LARGE : { ok: true, bytes: await readFile(real) }
}

/** Limited in time and size, over https unless the owner says otherwise. */
export async function fetchImage(url: string, mayBeHttp: boolean): Promise<ImageFound> {
  const isAllowed = (address: string) => /^https:/i.test(address) || (mayBeHttp && /^http:/i.test(address))
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return { ok: false, why: 'no address that can be fetched' }
  if (!isAllowed(url)) return { ok: false, why: 'an http address (--allow-http fetches those too)' }
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) })
    const why = isAllowed(response.url) ? `the storage answered ${response.status}` : 'it leads on to an http address'
    if (!isAllowed(response.url) || !response.ok) {
      await response.body?.cancel()
      return { ok: false, why }
    }
    const parts: Uint8Array[] = []
    let size = 0
    for await (const part of response.body ?? []) {
      size += part.length
      if (size > MAX_IMAGE_BYTES) return TOO_LARGE
      parts.push(part)
    }
    return { ok: true, bytes: new Uint8Array(Buffer.concat(parts)) }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { ok: false, why: isLate ? `no answer within ${FETCH_TIMEOUT_MS / 1000} seconds` : 'the storage could not be reached' }
  }
}

type Setting = { isDry: boolean; report: ReportIssue; say: (line: string) => void }

/** `isDry`: looks whether each is there, and writes nothing. */
export async function importImages(
  shop: Shop,
  documents: Documents,
  { files, fetch }: ImageSource,
  { isDry, report, say }: Setting,
): Promise<ImportedImages> {
  const imported: ImportedImages = { ids: new Map(), prepared: [] }

  /** Returns the id, or null for a picture that is not taken. */
  async function importOne(url: string, { folder, name }: Place): Promise<string | null> {
    const refuse = (what: string) => {
      report({ where: 'pictures', field: shown(url), what, done: 'not taken' })
      return null
    }
    let found = files === null ? null : await readFromFiles(files, url)
    if (!found?.ok && fetch !== 'no') {
      if (isDry) return 'would be fetched'
      found = await fetchImage(url, fetch === 'http too')
    }
    if (!found) return null
    if (!found.ok) return refuse(found.why)
    if (isDry) return 'would be taken'
    const prepared = await shop.pictures.prepare(folder, found.bytes, name)
    if (!prepared.ok) return refuse(`no picture that the shop takes (${prepared.refusal})`)
    if (imported.prepared.push(prepared.picture) % 100 === 0) say(`Pictures: ${imported.prepared.length} of ${wanted.size}`)
    return prepared.picture.id
  }

  const wanted = listWanted(documents)
  const waiting = wanted.entries()
  const worker = async () => {
    for (const [url, place] of waiting) {
      const id = await importOne(url, place)
      if (id !== null) imported.ids.set(url, id)
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
