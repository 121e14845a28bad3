/** Imports the images that documents refer to from a copy of the storage bucket. */
import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { AppServices } from '#app/services/context.ts'
import { itemFolder } from '#app/services/image-paths.ts'
import { decodePercent } from '#app/lib/text/decode-percent.ts'
import type { ImageFolder, StoredImage } from '#app/lib/images/image-store.server.ts'
import { type Documents, isMap, type ReportIssue, reportValue } from './documents.ts'

/** An imported image may be somewhat larger than an uploaded image. */
const MAX_IMAGE_BYTES = 40_000_000

/** Returns the path of the image in the copy of the storage bucket. Returns null if the URL belongs to no image in the bucket, or if the path leads out of the copy. */
export function storagePath(url: string): string | null {
  const hosted = /^https?:\/\/[^/]+\/v0\/b\/[^/]+\/o\/([^?#]+)/.exec(url)
  const plain =
    hosted ?? /^(?:https?:\/\/storage\.googleapis\.com|gs:\/)\/[^/]+\/([^?#]+)/.exec(url)
  const own = /^(?:https?:\/\/[^/]+)?\/pictures\/([^?#]+)/.exec(url)?.[1]
  // The URL of an image may also be a path without a host, such as items/walls/abc.jpg.
  const path =
    own ?? (plain ? (decodePercent(plain[1]!) ?? plain[1]!) : /^[a-z]+:|^\//i.test(url) ? '' : url)
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part))
    ? path
    : null
}

type ImageTarget = { folder: ImageFolder; name: string }

/** Keeps the folder and the name of the file, so that URLs stay valid [FILES-01 to FILES-03]. An invalid name or a duplicate gets a suffix that is derived from the URL. */
export function targetFor(
  url: string,
  purpose: ImageFolder,
  isTaken: (place: string) => boolean,
): ImageTarget {
  const path = storagePath(url) ?? ''
  const own = path.slice(0, path.lastIndexOf('/'))
  const ofItems = (folder: string) =>
    folder.startsWith('items/') ? itemFolder(folder.slice('items/'.length)) : null
  const isKnown = ['colors', 'category', 'people', 'scenes'].includes(own) || ofItems(own) === own
  const folder = isKnown ? (own as ImageFolder) : (ofItems(purpose) ?? purpose)
  const written = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  const name = written
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 100)
  if (name !== '' && name === written && !isTaken(`${folder}/${name}`)) return { folder, name }
  const tail = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return { folder, name: name === '' ? tail : `${name}-${tail}` }
}

function listWanted(documents: Documents): Map<string, ImageTarget> {
  const targets = new Map<string, ImageTarget>()
  const taken = new Set<string>()
  const want = (value: unknown, purpose: ImageFolder) => {
    const url = isMap(value) ? value.url : undefined
    if (typeof url !== 'string' || url === '' || targets.has(url)) return
    const place = targetFor(url, purpose, (name) => taken.has(name))
    taken.add(`${place.folder}/${place.name}`)
    targets.set(url, place)
  }
  for (const fields of [...documents.category.values(), ...documents.showcase.values()])
    want(fields, 'category')
  for (const fields of documents.colors.values()) want(fields, 'colors')
  for (const { images, category } of documents.items.values())
    for (const image of Array.isArray(images) ? images : [])
      want(image, `items/${typeof category === 'string' ? category : 'moved'}`)
  return targets
}

/** Returns the bytes of the image, or an error text. */
async function readFromFiles(
  files: string,
  url: string,
): Promise<Uint8Array<ArrayBuffer> | string> {
  // A symbolic link must not lead out of the copy of the bucket.
  const real = await realpath(join(files, storagePath(url) ?? '')).catch(() => '')
  const found = real.startsWith(`${await realpath(files)}${sep}`) ? await stat(real) : null
  if (!found?.isFile()) return 'not in the copy of the bucket'
  return found.size > MAX_IMAGE_BYTES ? `more than ${MAX_IMAGE_BYTES} bytes` : readFile(real)
}

type ImportSettings = {
  files: string | null
  isDry: boolean
  report: ReportIssue
  say: (line: string) => void
}

/** Returns the ids of the imported images by URL. Adds these images to `stored`, because they have no rows yet. If `isDry` is true, only checks whether the files exist. */
export async function importImages(
  app: AppServices,
  documents: Documents,
  stored: StoredImage[],
  { files, isDry, report, say }: ImportSettings,
): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  const referenced = files === null ? [] : [...listWanted(documents)]
  for (const [url, { folder, name }] of referenced) {
    const refuse = (what: string) =>
      report({ where: 'pictures', field: reportValue(url), what, done: 'not imported' })
    const bytes = await readFromFiles(files!, url)
    if (typeof bytes === 'string') refuse(bytes)
    else if (isDry) ids.set(url, 'would be taken')
    else {
      const prepared = await app.images.prepare(folder, bytes, { name })
      if (!prepared.ok) {
        refuse(`no picture that the shop takes (${prepared.refusal})`)
        continue
      }
      ids.set(url, prepared.picture.id)
      if (stored.push(prepared.picture) % 100 === 0)
        say(`Pictures: ${stored.length} of ${referenced.length}`)
    }
  }
  return ids
}
