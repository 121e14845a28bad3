import { hash } from 'node:crypto'
import { findVisibleItem, listCategories, listSamples } from '#catalog/catalog.server.ts'
import type { Category, Item } from '#catalog/catalog.ts'
import { isItemOnHold } from '#catalog/item-holds.server.ts'
import { pathOfUrl } from '#images/image-upload.ts'
import { discountedPrice, formatMoney } from '#pricing/money.ts'
import { readSettings } from '#settings/settings.server.ts'
import { currencyOf, type ShopSettings } from '#settings/shop-settings.ts'
import { withPrintableSymbol } from '#lib/text/currency.ts'
import type { AppServices } from '#services/context.ts'
import { variantUrl } from '#ui/image-url.ts'
import type { ImageView } from '#ui/responsive-image.tsx'
import type { Db } from '#db/schema.ts'
import { drawable, renderOgImage, type OgImage } from './render-og-image.server.ts'
import { shareImageTexts } from './texts.ts'

export type OgImageSubject = {
  key: string
  words: Omit<OgImage, 'images'>
  images: string[]
}

/** Increase this number when images are drawn differently, because it changes their URLs. */
const RENDER_VERSION = 1

export const subjectVersion = ({ words, images }: OgImageSubject) =>
  hash('sha256', JSON.stringify([RENDER_VERSION, words, images])).slice(0, 12)

export function ogImageUrl(origin: string, subject: OgImageSubject) {
  const path = subject.key.split('/').map(encodeURIComponent).join('/')
  return `${origin}/share/${path}.jpg?v=${subjectVersion(subject)}`
}

export function itemSubject(
  item: Pick<Item, 'id' | 'name' | 'priceCents' | 'discount' | 'images' | 'state'>,
  settings: ShopSettings,
  isOnHold: boolean,
) {
  const currency = withPrintableSymbol(currencyOf(settings), drawable)
  const now = discountedPrice(item.priceCents, item.discount)
  const price = {
    now: formatMoney(now, currency),
    was: now < item.priceCents ? formatMoney(item.priceCents, currency) : null,
  }
  const images = item.images.slice(0, 1).map(({ image }) => pathFor(image))
  const holdLine = isOnHold ? shareImageTexts.onHold : ''
  const line = item.state === 'sold' ? shareImageTexts.sold : holdLine
  return {
    key: `item/${item.id}`,
    words: { shopName: settings.name, title: item.name, line, price: line ? null : price },
    images,
  }
}

export function categorySubject({ id, title, image }: Category, shopName: string) {
  const words = { shopName, title, line: shareImageTexts.categoryLine, price: null }
  return { key: `category/${id}`, words, images: image ? [pathFor(image)] : [] }
}

export async function shopSubject(db: Db, shopName: string) {
  const { shopTitle: title, shopLine: line } = shareImageTexts
  const images = (await listSamples(db)).flatMap(({ image }) => image ?? []).slice(0, 3)
  return {
    key: 'shop',
    words: { shopName, title, line, price: null },
    images: images.map(pathFor),
  }
}

function pathFor({ url, widths }: ImageView) {
  const largest = Math.min(...widths.filter((width) => width >= 700), Math.max(0, ...widths))
  return pathOfUrl(largest > 0 ? variantUrl(url, largest) : url)
}

export async function findSubject({ db, now }: Pick<AppServices, 'db' | 'now'>, file: string) {
  const key = /^(.+)\.jpg$/.exec(file)?.[1]
  const [kind, id, ...rest] = key?.split('/') ?? []
  if (rest.length > 0) return null
  const settings = await readSettings(db)
  if (id === undefined) return kind === 'shop' ? shopSubject(db, settings.name) : null
  if (kind === 'item') {
    const item = await findVisibleItem(db, id)
    return item && itemSubject(item, settings, await isItemOnHold(db, id, now()))
  }
  if (kind !== 'category') return null
  const categories = await listCategories(db)
  const category = categories.find((candidate) => candidate.id === id && !candidate.isHidden)
  return category ? categorySubject(category, settings.name) : null
}

type Bytes = Uint8Array<ArrayBuffer>

let renderQueue: Promise<unknown> = Promise.resolve()

export async function readOgImage(
  app: Pick<AppServices, 'storage' | 'log'>,
  subject: OgImageSubject,
) {
  const { storage, log } = app
  const prefix = `share/${hash('sha256', subject.key).slice(0, 16)}.`
  const path = `${prefix}${subjectVersion(subject)}.jpg`
  const storedBytes = await storage.read(path)
  if (storedBytes) return storedBytes
  const rendering = renderQueue.then(async () => {
    const queuedBytes = await storage.read(path)
    if (queuedBytes) return queuedBytes
    const bytes = await render(app, subject)
    await replaceFile(storage, prefix, path, bytes).catch((error: unknown) =>
      log.error('a share image could not be stored', error),
    )
    return bytes
  })
  renderQueue = rendering.catch(() => {})
  return rendering
}

async function render(
  { storage, log }: Pick<AppServices, 'storage' | 'log'>,
  subject: OgImageSubject,
) {
  const files = await Promise.all(subject.images.map((path) => storage.read(path)))
  const images = files.filter((bytes) => bytes !== null)
  const jpeg = await renderOgImage({ ...subject.words, images }).catch((error: unknown) => {
    log.error('a share image was rendered without its photo', error)
    return renderOgImage({ ...subject.words, images: [] })
  })
  return new Uint8Array(jpeg)
}

async function replaceFile(
  storage: AppServices['storage'],
  prefix: string,
  path: string,
  bytes: Bytes,
) {
  await storage.put(path, bytes)
  const files = await storage.list(prefix)
  const olderFiles = files.filter((file) => file.path !== path)
  await Promise.all(olderFiles.map((file) => storage.delete(file.path)))
}
