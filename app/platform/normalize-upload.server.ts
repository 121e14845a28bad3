/** What is kept of a sent picture: its pixels written anew, upright, in sRGB, without anything that was said about them. */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Sharp } from 'sharp'
import { openSharp } from './resize.server.ts'

type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** Told by how the bytes begin: the name and the type that a browser claims count for nothing. null: none of these; SVG, HTML and PDF are programs and never reach a decoder. */
function kindOf(bytes: Uint8Array): PictureKind | null {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.slice(4, 8) !== 'ftyp') return null
  const length = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  // Longer than any picture's: '<!--ftypavif--><svg', or the same compressed, which the picture library would draw for as long as it takes.
  if (length > 2048) return null
  if (isNested(Buffer.from(bytes))) return null
  // AVIF and HEIC are the same box of two codecs; a list of brands says which.
  const brands = head.slice(8, length).match(/[^]{4}/g) ?? []
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  return brands.some((brand) => heicBrands.includes(brand)) ? 'heic' : null
}

/** No camera puts a picture together of such as are put together themselves. Each is decoded anew wherever it stands: a few bytes would take hours. */
function isNested(file: Buffer): boolean {
  const text = file.toString('latin1')
  const items = text.matchAll(/infe[^]{4}([^]{2}|[^]{4})[^]{2}(?:grid|iden|iovl)/g)
  const made = new Set(Array.from(items, ([, id = '']) => Buffer.from(id, 'latin1').readUIntBE(0, id.length)))
  // The library decodes these in one go, without patience, and each tile whole, however little of it is shown; HEVC has a thread that can be ended.
  if (made.size > 0 && /infe[^]{4}(?:[^]{2}|[^]{4})[^]{2}av01/.test(text)) return true
  let lists = 0
  for (const { index } of text.matchAll(/dimg/g))
    // Names of items have two bytes or four.
    for (const size of [2, 4]) {
      const count = index + 4 + size
      if (count + 2 > file.length || !made.has(file.readUIntBE(index + 4, size))) continue
      if (++lists > 50) return true
      const end = Math.min(file.length, count + 2 + size * file.readUInt16BE(count))
      for (let at = count + 2; at + size <= end; at += size) if (made.has(file.readUIntBE(at, size))) return true
    }
  return false
}

/** Above any phone's usual photo, below a decompression bomb. */
const MOST_PIXELS = 80_000_000
/** WebP knows no longer side. */
const LONGEST_READ = 16_383
/** A phone's photo of twelve megapixels stays whole; more than that no screen shows. */
export const LONGEST_KEPT = 4096
const PATIENCE = 30

/** What the largest phone cameras make of it, 48 megapixels; as plain colours that is 200 MB, for a second. */
const MOST_HEIC_PIXELS = 50_000_000
const worker = createRequire(import.meta.url).resolve('#app/platform/heic-worker.ts')

export type PictureRefusal = 'not-an-image' | 'damaged' | 'too-many-pixels' | 'unread-heic'
export type Original = { extension: string; bytes: Uint8Array; width: number; height: number; placeholder: string }

/** How each kind is written again; of an animation the first frame stays. HEIC becomes what every browser shows. */
const writers: Record<PictureKind, { extension: string; write: (picture: Sharp) => Sharp }> = {
  jpeg: { extension: 'jpg', write: (picture) => picture.jpeg({ quality: 85 }) },
  png: { extension: 'png', write: (picture) => picture.png() },
  webp: { extension: 'webp', write: (picture) => picture.webp({ quality: 82, effort: 3 }) },
  gif: { extension: 'gif', write: (picture) => picture.gif({ effort: 1 }) },
  avif: { extension: 'avif', write: (picture) => picture.avif({ quality: 65, effort: 1 }) },
  heic: { extension: 'jpg', write: (picture) => picture.jpeg({ quality: 85 }) },
}

/** `square`: of its middle only a square, with sides of at most this many pixels. */
export async function makeOriginal(
  sent: Uint8Array,
  square?: number,
): Promise<({ ok: true } & Original) | { ok: false; refusal: PictureRefusal }> {
  const kind = kindOf(sent)
  if (!kind) return { ok: false, refusal: 'not-an-image' }
  const refusal = kind === 'heic' ? 'unread-heic' : 'damaged'
  const sharp = await openSharp()
  // Only the header is read here, however large the picture claims to be.
  const head = await sharp(sent, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!head) return { ok: false, refusal }
  const most = kind === 'heic' ? MOST_HEIC_PIXELS : MOST_PIXELS
  if (Math.max(head.width, head.height) > LONGEST_READ || head.width * head.height > most) return { ok: false, refusal: 'too-many-pixels' }
  const { extension, write } = writers[kind]
  const clean = (bytes: Uint8Array) =>
    write(
      sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'error' })
        .autoOrient()
        .resize(square ?? LONGEST_KEPT, square ?? LONGEST_KEPT, { fit: square ? 'cover' : 'inside', withoutEnlargement: true })
        .timeout({ seconds: PATIENCE }),
    )
      .toBuffer({ resolveWithObject: true })
      .catch(() => null)
  let made = await clean(sent)
  if (!made && kind === 'heic') {
    const jpeg = await heicAsJpeg(sent, head.icc)
    made = jpeg && (await clean(jpeg))
  }
  if (!made) return { ok: false, refusal }
  const { width, height } = made.info
  const tiny = await sharp(made.data).resize(16, 1024, { fit: 'inside' }).webp({ quality: 40 }).toBuffer()
  return { ok: true, extension, bytes: made.data, width, height, placeholder: `data:image/webp;base64,${tiny.toString('base64')}` }
}

type Colors = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }

/** Most builds of the picture library cannot read the codec of HEIC, so libheif as WebAssembly does: a JPEG with the same colour profile, turned upright; null where it cannot be read. */
export async function heicAsJpeg(
  bytes: Uint8Array,
  profile: Uint8Array | undefined,
  patience = PATIENCE * 1000,
): Promise<Uint8Array | null> {
  const colors = await decodeInThread(bytes, patience).catch(() => null)
  if (!colors) return null
  const { width, height, data } = colors
  const sharp = await openSharp()
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return profile && profile.length < 65_000 ? withProfile(jpeg, profile) : jpeg
}

async function decodeInThread(bytes: Uint8Array, patience: number): Promise<Colors> {
  const thread = new Worker(worker, { workerData: { bytes, mostPixels: MOST_HEIC_PIXELS }, execArgv: [], stdout: true, stderr: true })
  let clock: NodeJS.Timeout | undefined
  try {
    return await new Promise<Colors>((done, fail) => {
      clock = setTimeout(() => fail(new Error('the photo takes too long')), patience)
      thread.once('message', done)
      thread.once('error', fail)
      thread.once('exit', () => fail(new Error('the decoder ended')))
    })
  } finally {
    clearTimeout(clock)
    // Ending the worker frees its memory, whether or not decoding succeeded.
    await thread.terminate()
  }
}

/** The profile as JPEG's second application segment, where the picture library finds it and turns the colours into sRGB. */
function withProfile(jpeg: Uint8Array, profile: Uint8Array): Uint8Array {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(head.length - 2 + profile.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}
