import { createHash } from 'node:crypto'
import { listCategories, findItem, listSamples } from '#app/features/catalog/catalog.server.ts'
import type { Category, Item } from '#app/features/catalog/catalog.ts'
import { pathOfUrl } from '#app/features/images/picture-upload.ts'
import { discountedPrice, formatMoney } from '#app/features/pricing/money.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { variantUrl, type PictureView } from '#app/ui/picture.tsx'
import type { Db } from '#db/schema.ts'
import { drawSharePicture, type ShareDrawing } from './draw-share-picture.server.ts'

export type ShareSubject = {
  /** shop | category/{id} | item/{id} */
  key: string
  words: Omit<ShareDrawing, 'pictures'>
  pictures: string[]
}

/** Raised whenever the drawing changes, so that other sites ask for the new one. */
const DRAWING = 1

export const versionOf = ({ words, pictures }: ShareSubject): string =>
  createHash('sha256')
    .update(JSON.stringify([DRAWING, words, pictures]))
    .digest('hex')
    .slice(0, 12)

export const shareUrl = (origin: string, subject: ShareSubject): string =>
  `${origin}/share/${subject.key.split('/').map(encodeURIComponent).join('/')}.jpg?v=${versionOf(subject)}`

/** Wide enough for the whole height of the drawing. */
function pathFor({ url, widths }: PictureView): string {
  const width = widths.filter((made) => made >= 700).toSorted((a, b) => a - b)[0] ?? Math.max(0, ...widths)
  return pathOfUrl(width > 0 ? variantUrl(url, width) : url)
}

/** The price as pages show it, the original struck where the item is on sale (DISC-55). */
export function itemSubject(item: Pick<Item, 'id' | 'name' | 'priceCents' | 'discount' | 'pictures'>, shopName: string): ShareSubject {
  const now = discountedPrice(item.priceCents, item.discount)
  const price = { now: formatMoney(now), was: now < item.priceCents ? formatMoney(item.priceCents) : null }
  const pictures = item.pictures.slice(0, 1).map(({ picture }) => pathFor(picture))
  return { key: `item/${item.id}`, words: { shopName, title: item.name, line: '', price }, pictures }
}

export function categorySubject({ id, title, picture }: Category, shopName: string): ShareSubject {
  const words = { shopName, title, line: 'Knotted by hand, in your colors', price: null }
  return { key: `category/${id}`, words, pictures: picture ? [pathFor(picture)] : [] }
}

export async function shopSubject(db: Db, shopName: string): Promise<ShareSubject> {
  const samples = (await listSamples(db)).flatMap(({ picture }) => picture ?? []).slice(0, 3)
  const words = { shopName, title: 'Macrame, knotted by hand', line: 'In the colors that you choose', price: null }
  return { key: 'shop', words, pictures: samples.map(pathFor) }
}

/** `file`: what stands behind /share/, decoded; null where nothing is shared under it. */
export async function findSubject(db: Db, file: string): Promise<ShareSubject | null> {
  const key = /^(.+)\.jpg$/.exec(file)?.[1]
  const [kind, id, ...rest] = key?.split('/') ?? []
  if (rest.length > 0) return null
  const { name } = await readSettings(db)
  if (kind === 'shop' && id === undefined) return shopSubject(db, name)
  if (id === undefined) return null
  if (kind === 'item') {
    const item = await findItem(db, id)
    return item && itemSubject(item, name)
  }
  const category = kind === 'category' ? (await listCategories(db)).find((one) => one.id === id) : undefined
  return category ? categorySubject(category, name) : null
}

type Bytes = Uint8Array<ArrayBuffer>

/** One is drawn at a time, so that a crowd that asks for all of them leaves the machine to the pages. */
let last: Promise<unknown> = Promise.resolve()

/** Draws on the first request, and only what the shop has now: asking for other versions costs nothing. */
export async function readSharePicture(shop: Pick<Shop, 'files' | 'log'>, subject: ShareSubject): Promise<Bytes> {
  const begin = `share/${createHash('sha256').update(subject.key).digest('hex').slice(0, 16)}.`
  const path = `${begin}${versionOf(subject)}.jpg`
  const kept = await shop.files.read(path)
  if (kept) return kept
  const drawing = last.then(() => drawAndKeep(shop, subject, begin, path))
  last = drawing.catch(() => {})
  return drawing
}

async function drawAndKeep(
  { files, log }: Pick<Shop, 'files' | 'log'>,
  subject: ShareSubject,
  begin: string,
  path: string,
): Promise<Bytes> {
  // Whoever waited finds what the one before has drawn.
  const kept = await files.read(path)
  if (kept) return kept
  const pictures = (await Promise.all(subject.pictures.map((stored) => files.read(stored)))).filter((bytes) => bytes !== null)
  const drawn = await drawSharePicture({ ...subject.words, pictures }).catch((error: unknown) => {
    log.error('a shared picture is drawn without its photo', error)
    return drawSharePicture({ ...subject.words, pictures: [] })
  })
  const bytes = new Uint8Array(drawn)
  // A full disk is no reason to show nothing: it is drawn again next time.
  await keep(files, begin, path, bytes).catch((error: unknown) => log.error('a shared picture could not be kept', error))
  return bytes
}

async function keep(files: Shop['files'], begin: string, path: string, bytes: Bytes): Promise<void> {
  await files.put(path, bytes)
  const older = (await files.list(begin)).filter((other) => other.path !== path)
  await Promise.all(older.map((other) => files.delete(other.path)))
}
