import { createHash } from 'node:crypto'
import { isItemOnHold } from '#app/features/catalog/holds.server.ts'
import { listCategories, listSamples } from '#app/features/catalog/catalog.server.ts'
import { findVisibleItem } from '#app/features/catalog/find-item.server.ts'
import type { Category, Item } from '#app/features/catalog/catalog.ts'
import { pathOfUrl } from '#app/features/images/image-upload.ts'
import { discountedPrice, formatMoney } from '#app/features/pricing/money.ts'
import { currencyOf, type ShopSettings } from '#app/features/settings/shop-settings.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { withPrintableSymbol } from '#app/lib/text/currency.ts'
import type { AppServices } from '#app/services/context.ts'
import type { PictureView } from '#app/ui/picture.tsx'
import { variantUrl } from '#app/ui/picture-url.ts'
import type { Db } from '#db/schema.ts'
import { drawable, renderOgImage, type OgImage } from './render-og-image.server.ts'
import { shareImageTexts } from './texts.ts'

export type OgImageSubject = {
  /** the key of the pictured page: 'shop', 'category/{id}' or 'item/{id}' */
  key: string
  words: Omit<OgImage, 'pictures'>
  pictures: string[]
}

/** Raise this number when you change how share images are rendered. The URLs then change, so that other sites load the new images. */
const RENDER_VERSION = 1

export const subjectVersion = ({ words, pictures }: OgImageSubject): string =>
  createHash('sha256')
    .update(JSON.stringify([RENDER_VERSION, words, pictures]))
    .digest('hex')
    .slice(0, 12)

export const ogImageUrl = (origin: string, subject: OgImageSubject): string =>
  `${origin}/share/${subject.key.split('/').map(encodeURIComponent).join('/')}.jpg?v=${subjectVersion(subject)}`

/** Returns the path of the smallest file of a picture that is large enough for the share image. */
function pathFor({ url, widths }: PictureView): string {
  const width =
    widths.filter((made) => made >= 700).toSorted((a, b) => a - b)[0] ?? Math.max(0, ...widths)
  return pathOfUrl(width > 0 ? variantUrl(url, width) : url)
}

/** Returns the text of an item's share image: the current price, and the original price of an item on sale. The image of a sold item or an item on hold says so instead. If the font lacks the symbol of the currency, the text contains the code. [DISC-55, AGREE-25, AGREE-28, S-290] */
export function itemSubject(
  item: Pick<Item, 'id' | 'name' | 'priceCents' | 'discount' | 'pictures' | 'state'>,
  settings: ShopSettings,
  isOnHold: boolean,
): OgImageSubject {
  const currency = withPrintableSymbol(currencyOf(settings), drawable)
  const now = discountedPrice(item.priceCents, item.discount)
  const price = {
    now: formatMoney(now, currency),
    was: now < item.priceCents ? formatMoney(item.priceCents, currency) : null,
  }
  const pictures = item.pictures.slice(0, 1).map(({ picture }) => pathFor(picture))
  const line = item.state === 'sold' ? shareImageTexts.sold : isOnHold ? shareImageTexts.onHold : ''
  return {
    key: `item/${item.id}`,
    words: { shopName: settings.name, title: item.name, line, price: line ? null : price },
    pictures,
  }
}

export function categorySubject(
  { id, title, picture }: Category,
  shopName: string,
): OgImageSubject {
  const words = { shopName, title, line: shareImageTexts.categoryLine, price: null }
  return { key: `category/${id}`, words, pictures: picture ? [pathFor(picture)] : [] }
}

export async function shopSubject(db: Db, shopName: string): Promise<OgImageSubject> {
  const samples = (await listSamples(db)).flatMap(({ picture }) => picture ?? []).slice(0, 3)
  const words = {
    shopName,
    title: shareImageTexts.shopTitle,
    line: shareImageTexts.shopLine,
    price: null,
  }
  return { key: 'shop', words, pictures: samples.map(pathFor) }
}

/** Returns what the share image at a URL shows, or null if the shop has no such share image. `file` is the decoded path after /share/. */
export async function findSubject(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  file: string,
): Promise<OgImageSubject | null> {
  const key = /^(.+)\.jpg$/.exec(file)?.[1]
  const [kind, id, ...rest] = key?.split('/') ?? []
  if (rest.length > 0) return null
  const settings = await readSettings(db)
  if (kind === 'shop' && id === undefined) return shopSubject(db, settings.name)
  if (id === undefined) return null
  if (kind === 'item') {
    const item = await findVisibleItem(db, id)
    return item && itemSubject(item, settings, await isItemOnHold(db, id, now()))
  }
  const category =
    kind === 'category'
      ? (await listCategories(db)).find((one) => one.id === id && !one.isHidden)
      : undefined
  return category ? categorySubject(category, settings.name) : null
}

type Bytes = Uint8Array<ArrayBuffer>

/** This queue renders one share image at a time, so that CPU time remains for pages. */
let renderQueue: Promise<unknown> = Promise.resolve()

/** Returns the current version of a share image. The first HTTP request for this version renders and stores the image. */
export async function readOgImage(
  app: Pick<AppServices, 'storage' | 'log'>,
  subject: OgImageSubject,
): Promise<Bytes> {
  const begin = `share/${createHash('sha256').update(subject.key).digest('hex').slice(0, 16)}.`
  const path = `${begin}${subjectVersion(subject)}.jpg`
  const stored = await app.storage.read(path)
  if (stored) return stored
  const drawing = renderQueue.then(() => renderAndStore(app, subject, begin, path))
  renderQueue = drawing.catch(() => {})
  return drawing
}

async function renderAndStore(
  { storage, log }: Pick<AppServices, 'storage' | 'log'>,
  subject: OgImageSubject,
  begin: string,
  path: string,
): Promise<Bytes> {
  // An earlier HTTP request in the queue may have rendered the same share image.
  const stored = await storage.read(path)
  if (stored) return stored
  const pictures = (
    await Promise.all(subject.pictures.map((stored) => storage.read(stored)))
  ).filter((bytes) => bytes !== null)
  const drawn = await renderOgImage({ ...subject.words, pictures }).catch((error: unknown) => {
    log.error('a share image was rendered without its photo', error)
    return renderOgImage({ ...subject.words, pictures: [] })
  })
  const bytes = new Uint8Array(drawn)
  // If the share image cannot be stored, for example on a full disk, the visitor still gets the image.
  await store(storage, begin, path, bytes).catch((error: unknown) =>
    log.error('a share image could not be stored', error),
  )
  return bytes
}

async function store(
  files: AppServices['storage'],
  begin: string,
  path: string,
  bytes: Bytes,
): Promise<void> {
  await files.put(path, bytes)
  const older = (await files.list(begin)).filter((other) => other.path !== path)
  await Promise.all(older.map((other) => files.delete(other.path)))
}
