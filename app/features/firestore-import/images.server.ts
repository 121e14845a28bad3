import { createHash } from 'node:crypto'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { decodePercent } from '#lib/text/decode-percent.ts'
import type { AppServices } from '#services/context.ts'
import { itemFolder } from '#services/image-paths.ts'
import type { ImageFolder, StoredImage } from '#services/image-store.server.ts'
import { type Documents, type ReportIssue, isMap, listOf, reportValue } from './documents.ts'

const MAX_IMPORTED_IMAGE_BYTES = 40_000_000

/** Returns a path in the copy of the bucket, or null if the URL leads elsewhere. */
export function storagePath(url: string) {
  const path = bucketPath(url)
  return path.split('/').every((part) => !['', '.', '..'].includes(part) && !/[\0\\]/.test(part))
    ? path
    : null
}

function bucketPath(url: string) {
  const shopPath = /^(?:https?:\/\/[^/]+)?\/pictures\/([^?#]+)/.exec(url)?.[1]
  if (shopPath) return shopPath
  const hosted =
    /^https?:\/\/[^/]+\/v0\/b\/[^/]+\/o\/([^?#]+)/.exec(url) ??
    /^(?:https?:\/\/storage\.googleapis\.com|gs:\/)\/[^/]+\/([^?#]+)/.exec(url)
  if (hosted) return decodePercent(hosted[1]!) ?? hosted[1]!
  return /^[a-z]+:|^\//i.test(url) ? '' : url
}

type ImageTarget = { folder: ImageFolder; name: string }

/** Keeps names, so that URLs stay valid. An invalid or used name gets a suffix. [FILES-01] */
export function targetFor(
  url: string,
  purpose: ImageFolder,
  isTaken: (place: string) => boolean,
): ImageTarget {
  const path = storagePath(url) ?? ''
  const sourceFolder = path.slice(0, path.lastIndexOf('/'))
  const ofItems = (folder: string) =>
    folder.startsWith('items/') ? itemFolder(folder.slice('items/'.length)) : null
  const isKnown =
    ['colors', 'category', 'people', 'scenes'].includes(sourceFolder) ||
    ofItems(sourceFolder) === sourceFolder
  const folder = isKnown ? (sourceFolder as ImageFolder) : (ofItems(purpose) ?? purpose)
  const fileName = path.slice(path.lastIndexOf('/') + 1).replace(/\.\w{1,5}$/, '')
  const name = fileName
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 100)
  if (name !== '' && name === fileName && !isTaken(`${folder}/${name}`)) return { folder, name }
  const tail = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return { folder, name: name === '' ? tail : `${name}-${tail}` }
}

function listTargets(documents: Documents) {
  const targets = new Map<string, ImageTarget>()
  const places = new Set<string>()
  const want = (value: unknown, purpose: ImageFolder) => {
    const url = isMap(value) ? value.url : undefined
    if (typeof url !== 'string' || url === '' || targets.has(url)) return
    const target = targetFor(url, purpose, (place) => places.has(place))
    places.add(`${target.folder}/${target.name}`)
    targets.set(url, target)
  }
  for (const fields of [...documents.category.values(), ...documents.showcase.values()]) {
    want(fields, 'category')
  }
  for (const fields of documents.colors.values()) want(fields, 'colors')
  for (const { images, category } of documents.items.values()) {
    for (const image of listOf(images)) {
      want(image, `items/${typeof category === 'string' ? category : 'moved'}`)
    }
  }
  return targets
}

async function readFromFiles(files: string, url: string) {
  // A symbolic link must not lead out of the copy.
  const path = await realpath(join(files, storagePath(url) ?? '')).catch(() => '')
  const file = path.startsWith(`${await realpath(files)}${sep}`) ? await stat(path) : null
  if (!file?.isFile()) return 'not in the copy of the bucket'
  return file.size > MAX_IMPORTED_IMAGE_BYTES
    ? `more than ${MAX_IMPORTED_IMAGE_BYTES} bytes`
    : readFile(path)
}

type ImportSettings = {
  files: string | null
  isDry: boolean
  report: ReportIssue
  say: (line: string) => void
}

export async function importImages(
  app: AppServices,
  documents: Documents,
  stored: StoredImage[],
  { files, isDry, report, say }: ImportSettings,
) {
  const ids = new Map<string, string>()
  const referenced = files === null ? [] : [...listTargets(documents)]
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
      ids.set(url, prepared.image.id)
      if (stored.push(prepared.image) % 100 === 0) {
        say(`Pictures: ${stored.length} of ${referenced.length}`)
      }
    }
  }
  return ids
}
