/** The one file of all data of an account: a page to read, the same as JSON, and the pictures (S-224). Written as it is downloaded. */
import { readSettings } from '#app/features/settings/settings.server.ts'
import { pathOfUrl } from '#app/features/uploads/picture-upload.ts'
import type { Shop } from '#app/platform/context.ts'
import { jsonText } from '#app/platform/json-text.ts'
import { zipDownload, type ZipEntry } from '#app/platform/zip-download.server.ts'
import { pageBegin, pageEnd, pageMessages, type OwnBooks } from './data-page.server.tsx'
import { archiveName, isoTime } from './own-data.ts'
import {
  readAskedFor,
  readFavourites,
  readOwnMessages,
  readProfile,
  readPurchases,
  readTestimonies,
  type Wanted,
} from './own-data.server.ts'

/** null: there is no such account. */
export async function downloadArchive(shop: Shop, wanted: Wanted): Promise<Response | null> {
  const books = await readBooks(shop, wanted)
  return books && zipDownload(archive(shop, wanted.id, books), archiveName(books.at, wanted.isForOwner), shop)
}

async function readBooks(shop: Shop, wanted: Wanted): Promise<OwnBooks | null> {
  const { db } = shop
  const profile = await readProfile(db, wanted)
  if (!profile) return null
  const [favourites, asked] = [await readFavourites(db, wanted.id), await readAskedFor(db, wanted.id)]
  const [purchases, testimonies] = [await readPurchases(db, wanted.id), await readTestimonies(db, wanted.id)]
  const { name: shopName } = await readSettings(db)
  return { shopName, timeZone: shop.timeZone, at: shop.now(), profile, favourites, asked, purchases, testimonies }
}

const json = (value: unknown) => [`${JSON.stringify(value, null, 2)}\n`]

async function* archive(shop: Shop, id: string, books: OwnBooks): AsyncGenerator<ZipEntry> {
  const photo = await readPhoto(shop, books.profile.photo)
  yield { path: 'your-data.html', content: page(shop, id, books, photo?.path ?? null) }
  if (photo) yield photo
  yield { path: 'account.json', content: json({ exportedAt: isoTime(books.at), ...books.profile }) }
  yield { path: 'favorites.json', content: json(books.favourites) }
  yield { path: 'orders.json', content: json(books.asked) }
  yield { path: 'purchases.json', content: json(books.purchases) }
  yield { path: 'testimonies.json', content: json(books.testimonies) }
  yield { path: 'messages.json', content: jsonText({ messages: messageParts(shop, id) }) }
  for await (const part of readOwnMessages(shop, id))
    for (const { path, name } of part.flatMap((message) => message.pictures)) {
      const bytes = await shop.files.read(path)
      // Without its file the place in the conversation stays empty, as it does in the shop.
      if (bytes) yield { path: name, content: [bytes], isPacked: true }
      else shop.log.error('a picture has lost its file', undefined, { path })
    }
}

async function readPhoto({ files }: Shop, image: string | null): Promise<ZipEntry | null> {
  if (!image?.startsWith('/pictures/')) return null
  const bytes = await files.read(pathOfUrl(image))
  return bytes && { path: `photo${image.slice(image.lastIndexOf('.'))}`, content: [bytes], isPacked: true }
}

async function* page(shop: Shop, id: string, books: OwnBooks, photo: string | null): AsyncGenerator<string> {
  yield pageBegin(books, photo)
  let isEmpty = true
  for await (const part of readOwnMessages(shop, id)) {
    isEmpty = false
    yield pageMessages(part, books.shopName, books.timeZone)
  }
  yield pageEnd(isEmpty)
}

async function* messageParts(shop: Shop, id: string) {
  for await (const part of readOwnMessages(shop, id))
    yield part.map(({ at, from, text, pictures }) => ({ at: isoTime(at), from, text, pictures: pictures.map(({ name }) => name) }))
}
