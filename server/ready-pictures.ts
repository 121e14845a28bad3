/**
 * Pictures, from memory as long as their files are there (039): a visit asks for two dozen of them, and by way of the framework each cost as much as
 * ten or twenty pages that are ready. The very answers of routes/machine/picture.ts, which gives all others: what is not there, what cannot be read, other
 * spellings. Pictures of messages have another address, behind its check.
 */
import type { RequestListener } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Files } from '../app/platform/files.server.ts'
import { isShownPath, pictureTypeOf } from '../app/platform/picture-types.ts'
import { guarded } from './headers.ts'
import { openLanes } from './lanes.ts'
import { formOf, type ReadyPage } from './ready-page.ts'
import { isPlainLook } from './ready-request.ts'
import { send } from './send-ready.ts'

const PLACE = '/pictures/'
const CACHING = 'public, max-age=31536000, immutable'
const MOST_BYTES = 32 * 1024 * 1024
/** Larger ones, the originals, would drive out many small ones. */
const LARGEST = 512 * 1024
/** Files at a time, which is more than the disk does: what is read waits for nobody, what is asked for takes no memory. */
const READ_AT_ONCE = 16
/** Heads, names and the like. */
const BESIDE = 2000

type Kept = { picture: ReadyPage; mark: string }
type Parts = { files: Files; publicUrl: string | null; mostBytes?: number }

export function openReadyPictures({ files, publicUrl, mostBytes = MOST_BYTES }: Parts) {
  /** by address; only of a storage that can tell whether they are still true */
  const kept = new LRUCache<string, Kept>({ maxSize: mostBytes, sizeCalculation: ({ picture }) => picture.bytes })
  /** A storage that remembers gives the same bytes again: their ETag is made once. */
  const made = new WeakMap<Uint8Array, ReadyPage>()
  const heads = new Map<string, string[]>()
  /** Read once however many ask meanwhile; what waits to be sent has its bound elsewhere (overload.ts). */
  const reading = new Map<string, Promise<ReadyPage | null>>()
  const inTurn = openLanes(READ_AT_ONCE)

  function headOf(type: string): string[] {
    const known = heads.get(type)
    if (known) return known
    const { headers } = guarded(new Response(null, { headers: { 'Content-Type': type, 'Cache-Control': CACHING } }), publicUrl)
    const head = [...headers].flat()
    heads.set(type, head)
    return head
  }

  function pictureOf(bytes: Uint8Array<ArrayBuffer>, type: string): ReadyPage {
    const known = made.get(bytes)
    if (known) return known
    const identity = formOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), headOf(type), 'identity')
    const picture = { status: 200, forms: { identity }, bytes: bytes.length + BESIDE }
    made.set(bytes, picture)
    return picture
  }

  /** The mark is of before the reading: a file that has changed meanwhile has another one when it is asked for again. */
  async function read(url: string, path: string, type: string): Promise<ReadyPage | null> {
    if (!files.mark) return readNow(path, type)
    const mark = await files.mark(path)
    if (mark === null) return null
    const name = `${mark} ${url}`
    const making = reading.get(name) ?? inTurn('', () => readNow(path, type)).finally(() => reading.delete(name))
    reading.set(name, making)
    const picture = await making
    if (picture && picture.bytes <= LARGEST) kept.set(url, { picture, mark })
    return picture
  }

  async function readNow(path: string, type: string): Promise<ReadyPage | null> {
    const bytes = await files.read(path)
    return bytes && pictureOf(bytes, type)
  }

  async function stillThere(url: string): Promise<ReadyPage | null> {
    const { picture, mark } = kept.get(url)!
    if ((await files.mark!(url.slice(PLACE.length))) === mark) return picture
    kept.delete(url)
    return null
  }

  const answering =
    (find: (url: string) => Promise<ReadyPage | null> | null, next: RequestListener): RequestListener =>
    (request, response) => {
      const finding = request.url!.startsWith(PLACE) && isPlainLook(request) ? find(request.url!) : null
      if (!finding) return next(request, response)
      void finding.then(
        (picture) => (picture ? send(request, response, picture) : next(request, response)),
        // Asked once more, it says so and notes why.
        () => next(request, response),
      )
    }

  return {
    /** In front of the door of overload: costs as little as a page that is ready. */
    kept: (next: RequestListener) => answering((url) => (kept.has(url) ? stillThere(url) : null), next),
    /** Behind it: reads. */
    read: (next: RequestListener) =>
      answering((url) => {
        const path = url.slice(PLACE.length)
        const type = isShownPath(path) ? pictureTypeOf(path) : null
        return type === null ? null : read(url, path, type)
      }, next),
    stats: () => ({ pictures: kept.size, bytes: kept.calculatedSize }),
  }
}
