/** The pictures that an export's documents name: found in a copy of the bucket, and stored like uploads (053). */
import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Shop } from '#app/platform/context.ts'
import { itemFolder } from '#app/platform/picture-types.ts'
import type { PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { type Documents, isMap, type ReportIssue, shown } from './documents.ts'

/** Somewhat above what the shop takes from a form. */
const MAX_IMAGE_BYTES = 40_000_000

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

/** Returns the bytes, or why there are none. */
async function readFromFiles(files: string, url: string): Promise<Uint8Array<ArrayBuffer> | string> {
  // A link in the copy leads nowhere else on this machine.
  const real = await realpath(join(files, pathOf(url) ?? '')).catch(() => '')
  const found = real.startsWith(`${await realpath(files)}${sep}`) ? await stat(real) : null
  if (!found?.isFile()) return 'not in the copy of the bucket'
  return found.size > MAX_IMAGE_BYTES ? `more than ${MAX_IMAGE_BYTES} bytes` : readFile(real)
}

type Setting = { files: string | null; isDry: boolean; report: ReportIssue; say: (line: string) => void }

/**
 * Returns the ids of the pictures by their address in the documents. Adds to `stored` those that have files but no rows yet. `isDry`: looks whether
 * each is there, and writes nothing.
 */
export async function importImages(
  shop: Shop,
  documents: Documents,
  stored: StoredPicture[],
  { files, isDry, report, say }: Setting,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const wanted = files === null ? [] : [...listWanted(documents)]
  for (const [url, { folder, name }] of wanted) {
    const refuse = (what: string) => report({ where: 'pictures', field: shown(url), what, done: 'not taken' })
    const bytes = await readFromFiles(files!, url)
    if (typeof bytes === 'string') refuse(bytes)
    else if (isDry) ids.set(url, 'would be taken')
    else {
      const prepared = await shop.pictures.prepare(folder, bytes, name)
      if (!prepared.ok) {
        refuse(`no picture that the shop takes (${prepared.refusal})`)
        continue
      }
      ids.set(url, prepared.picture.id)
      if (stored.push(prepared.picture) % 100 === 0) say(`Pictures: ${stored.length} of ${wanted.length}`)
    }
  }
  return ids
}
