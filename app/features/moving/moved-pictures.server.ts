/** The pictures that an export's documents name: found in a copy of the bucket or fetched, and kept like uploads. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import type { Shop } from '#app/platform/context.ts'
import type { PictureFolder, StoredPicture } from '#app/platform/pictures.server.ts'
import { openSharp } from '#app/platform/sharp.server.ts'
import { pictureUrl } from '#app/features/uploads/picture-upload.ts'
import { fetchPicture, MOST_BYTES } from './fetch-picture.server.ts'
import { openFields } from './fields.ts'
import { shown, type Fields, type Finding } from './moving.ts'
import { addressOf, placeOf } from './picture-address.ts'
import { isPlainPicture } from './plain-picture.ts'
import { readMessagePictures } from './read-people.ts'
import type { Spool } from './spool.server.ts'

export type PictureSource = {
  /** folder with a copy of the bucket */
  files: string | null
  /** over the network, from the addresses in the documents */
  fetch: 'no' | 'https' | 'http too'
}
export type MovedPictures = {
  /** id by the address in the documents, of messages by `messagePictureKey` */
  ids: Map<string, string>
  /** prepared, not yet in the tables */
  prepared: StoredPicture[]
}
type Wanted = { key: string; url: string; folder: PictureFolder; name: string }

/** A picture of a message is one of its own, also where the catalogue names the same address: what one of them shows is private. */
export const messagePictureKey = (url: string): string => `chat ${url}`

/** More at once only costs memory. */
const IN_FLIGHT = 4

/** Folders of pictures that no document names: the shop's own pages and faces. */
const UNNAMED = ['scenes', 'people']

function* addresses(spool: Spool): Generator<{ url: string; purpose: PictureFolder }> {
  const urlOf = (fields: Fields) => (typeof fields.url === 'string' ? fields.url : '')
  for (const { fields } of spool.read('category')) yield { url: urlOf(fields), purpose: 'category' }
  for (const { fields } of spool.read('showcase')) yield { url: urlOf(fields), purpose: 'category' }
  for (const { fields } of spool.read('colors')) yield { url: urlOf(fields), purpose: 'colors' }
  for (const { fields } of spool.read('items')) {
    const images = typeof fields.images === 'object' && fields.images !== null ? Object.values(fields.images) : []
    for (const image of images) {
      const url = typeof image === 'string' ? image : urlOf((image ?? {}) as Fields)
      yield { url, purpose: `items/${typeof fields.category === 'string' ? fields.category : 'moved'}` }
    }
  }
  for (const { fields } of spool.read('orders')) {
    const messages = typeof fields.messages === 'object' && fields.messages !== null ? Object.values(fields.messages) : []
    for (const message of messages) for (const url of readMessagePictures(openFields(message, () => {}))) yield { url, purpose: 'chat' }
  }
}

/** Each address once, under the name that it will have here. */
async function listWanted(spool: Spool, files: string | null): Promise<Wanted[]> {
  const wanted = new Map<string, Wanted>()
  const taken = new Set<string>()
  const want = (url: string, purpose: PictureFolder) => {
    const key = purpose === 'chat' ? messagePictureKey(url) : url
    if (url === '' || wanted.has(key)) return
    const place = placeOf(url, purpose, (name) => taken.has(name))
    taken.add(`${place.folder}/${place.name}`)
    wanted.set(key, { key, url, ...place })
  }
  for (const { url, purpose } of addresses(spool)) want(url, purpose)
  for (const folder of files === null ? [] : UNNAMED) {
    const names = await readdir(join(files!, folder)).catch(() => [])
    for (const name of names.toSorted()) want(pictureUrl(`${folder}/${name}`), folder as PictureFolder)
  }
  return [...wanted.values()]
}

async function bytesFromFiles(files: string, url: string): Promise<Uint8Array<ArrayBuffer> | 'too big' | null> {
  const address = addressOf(url)
  if (!address) return null
  for (const path of [join(files, address.path), ...(address.bucket ? [join(files, address.bucket, address.path)] : [])]) {
    // A link in the copy leads nowhere else on this machine.
    const real = await realpath(path).catch(() => '')
    if (!real.startsWith(`${await realpath(files)}${sep}`)) continue
    const found = await stat(real).catch(() => null)
    if (found?.isFile()) return found.size > MOST_BYTES ? 'too big' : readFile(real)
  }
  return null
}

/** `isDry`: looks whether each is there, and writes nothing. */
export async function movePictures(
  shop: Shop,
  spool: Spool,
  source: PictureSource,
  { isDry, find, say }: { isDry: boolean; find: (finding: Finding) => void; say: (line: string) => void },
): Promise<MovedPictures> {
  const rows = await shop.db.selectFrom('pictures').select(['id', 'path']).execute()
  const there = new Map(rows.map((row) => [row.path.replace(/\.\w+$/, ''), row.id]))
  const moved: MovedPictures = { ids: new Map(), prepared: [] }
  const wanted = await listWanted(spool, source.files)
  const waiting = wanted.values()
  const work = async () => {
    for (const picture of waiting) {
      const id = there.get(`${picture.folder}/${picture.name}`) ?? (await moveOne(picture))
      if (id) moved.ids.set(picture.key, id)
      if (moved.prepared.length > 0 && moved.prepared.length % 100 === 0) say(`Pictures: ${moved.prepared.length} of ${wanted.length}`)
    }
  }

  async function moveOne({ url, folder, name }: Wanted): Promise<string | null> {
    const refuse = (what: string) => {
      find({ where: 'pictures', field: shown(url), what, done: 'not taken' })
      return null
    }
    let bytes = source.files === null ? null : await bytesFromFiles(source.files, url)
    if (bytes === null && source.fetch !== 'no' && !isDry) {
      const fetched = await fetchPicture(url, source.fetch === 'http too')
      if (!fetched.ok) return refuse(fetched.why)
      bytes = fetched.bytes
    } else if (bytes === null && isDry && source.fetch !== 'no') return 'would be fetched'
    if (bytes === 'too big') return refuse(`more than ${MOST_BYTES} bytes`)
    if (bytes === null) return source.files === null && source.fetch === 'no' ? null : refuse('not in the copy of the bucket')
    if (isDry) return 'would be taken'
    const prepared = await shop.pictures.prepare(folder, bytes, name)
    if (!prepared.ok) return refuse(`no picture that the shop takes (${prepared.refusal})`)
    moved.prepared.push(prepared.picture)
    await keepOwnBytes(shop, prepared.picture, bytes)
    return prepared.picture.id
  }

  try {
    await Promise.all(Array.from({ length: IN_FLIGHT }, work))
  } catch (error) {
    await discardAll(shop, moved.prepared)
    throw error
  }
  return moved
}

export async function discardAll(shop: Shop, pictures: readonly StoredPicture[]): Promise<void> {
  for (const picture of pictures) await shop.pictures.discard(picture).catch(() => {})
}

/** A file that holds the picture and nothing else stays as it is, byte for byte: an export of the shop comes back as it was (022). */
async function keepOwnBytes(shop: Shop, picture: StoredPicture, bytes: Uint8Array): Promise<void> {
  if (!isPlainPicture(bytes, picture.path.slice(picture.path.lastIndexOf('.') + 1))) return
  const sharp = await openSharp()
  const { width, height, exif, xmp, iptc, icc, orientation = 1, space = '' } = await sharp(bytes).metadata()
  const isAsMade = orientation === 1 && ['srgb', 'b-w'].includes(space) && width === picture.width && height === picture.height
  if (exif || xmp || iptc || icc || !isAsMade) return
  await shop.files.put(picture.path, bytes)
}
