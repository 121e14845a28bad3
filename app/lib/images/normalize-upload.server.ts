/** Rewrites an uploaded image upright, in sRGB and without metadata. */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Metadata, Sharp } from 'sharp'
import {
  hasItemWithoutSize,
  hasNestedGrids,
  pixelsOfLargestItem,
  readItemBoxes,
} from './heif-boxes.ts'
import { loadSharp } from './resize.server.ts'

type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** Detects the format by the content, and ignores the name and type that the browser sends. Returns null for any other format, so that SVG, HTML and PDF never reach a decoder. */
function detectFormat(bytes: Uint8Array): ImageFormat | null {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return hasManySegments(bytes) ? null : 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP/.test(head)) return hasManyFrames(bytes) ? null : 'webp'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.slice(4, 8) !== 'ftyp') return null
  const length = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  // No real image has a longer header. An SVG can imitate a header, as in '<!--ftypavif--><svg', and sharp might render the SVG for a very long time.
  if (length > 2048) return null
  const items = readItemBoxes(Buffer.from(bytes))
  if (!items || hasNestedGrids(items) || hasItemWithoutSize(items)) return null
  // AVIF and HEIC use the same container. Items in the AVIF format are decoded as such even if the file claims to be HEIC.
  const brands = head.slice(8, length).match(/[^]{4}/g) ?? []
  if (items.includes('av01') || brands.some((brand) => brand === 'avif' || brand === 'avis'))
    return 'avif'
  return brands.some((brand) => heicBrands.includes(brand)) ? 'heic' : null
}

/** Returns true if a JPEG has more than MAX_JPEG_SCANS scans or MAX_JPEG_APP_SEGMENTS APP segments. Stops at the end of the image, because some phones append a video. */
function hasManySegments(file: Uint8Array): boolean {
  for (let at = 2, scans = 0, appSegments = 0; at + 3 < file.length;) {
    const marker = file[at] === 0xff ? file[at + 1]! : 0
    if (marker === 0xd9) return false
    if (marker === 0xda && ++scans > MAX_JPEG_SCANS) return true
    if (marker >> 4 === 0xe && ++appSegments > MAX_JPEG_APP_SEGMENTS) return true
    // The data of a scan contains arbitrary bytes, and markers without a length.
    const hasLength = marker >= 0xc0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd8)
    at += hasLength ? 2 + file[at + 2]! * 256 + file[at + 3]! : 1
  }
  return false
}

/** Returns true if a WebP has more than MAX_WEBP_FRAMES frames, anywhere in the file: libwebp also reads frames that are inside other frames. */
function hasManyFrames(file: Uint8Array): boolean {
  const text = Buffer.from(file).toString('latin1')
  return text.split('ANMF', MAX_WEBP_FRAMES + 2).length > MAX_WEBP_FRAMES + 1
}

/** Keeps only the chunks of a PNG for pixels, colors and rotation. libvips would inflate a text of 50 kB to 50 MB. [S-416] */
function withoutTexts(file: Uint8Array): Buffer {
  const wanted = new Set([
    'IHDR',
    'PLTE',
    'tRNS',
    'gAMA',
    'cHRM',
    'sRGB',
    'iCCP',
    'eXIf',
    'IDAT',
    'IEND',
  ])
  const png = Buffer.from(file)
  let kept = 8
  for (let at = 8; at + 8 <= png.length;) {
    const end = at + 12 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (wanted.has(type)) kept += png.copy(png, kept, at, end)
    if (type !== 'IDAT') wanted.delete(type)
    at = end
  }
  return png.subarray(0, kept)
}

/** An image with more pixels is refused, because it may be a decompression bomb. Photos of phones have fewer pixels. */
const MAX_PIXELS = 80_000_000
/** The limit of images that must be decoded completely in memory: GIF, animated WebP, progressive or interlaced images, and images with more than 8 bits per channel. They need up to 8 bytes for each pixel. Also the limit of HEIC, except for MAX_HEIC_PIXELS. [S-414] */
const MAX_FULLY_DECODED_PIXELS = 25_000_000
/** The limit of AVIF, whose decoder needs up to 26 bytes for each pixel. Photos of phones have 12.6 megapixels. [S-414] */
const MAX_AVIF_PIXELS = 13_000_000
/** A WebP animation with more frames is refused, because the time to read them grows with the square of their number. [S-415] */
const MAX_WEBP_FRAMES = 1000
/** A JPEG with more scans is refused, because each scan of a large image takes as long as a whole photo. Encoders write about ten. */
const MAX_JPEG_SCANS = 50
/** A JPEG with more APP segments is refused, because libjpeg needs much memory for each of them. A color profile and Exif data have a few. */
const MAX_JPEG_APP_SEGMENTS = 1000
/** An image with a side of more pixels is refused. This number is the maximum of the WebP format. */
const MAX_SIDE_READ = 16_383
/** The longer side of a larger image is scaled down to this many pixels, because no screen shows more. */
export const MAX_SIDE_STORED = 4096
/** A compact image is scaled down to this many pixels. */
const MAX_SIDE_COMPACT = 2560
/** A compact image with more bytes gets fewer pixels. With its variants, it has at most about four times as many bytes. [S-353] */
const MAX_COMPACT_BYTES = 1_000_000
/** A larger color profile is refused, because its copies in memory could need as much as a photo. */
const MAX_PROFILE_BYTES = 4_000_000
const DECODE_TIMEOUT_SECONDS = 30

/** The limit of HEIC in the owner's images of items, colors and pages. The largest phone cameras have 48 megapixels. Decoding such a photo uses 800 MB for about a second, and 25 megapixels use 430 MB. [S-414] */
const MAX_HEIC_PIXELS = 50_000_000
const worker = createRequire(import.meta.url).resolve('#app/lib/images/heic-worker.ts')

export type ImageRefusal = 'not-an-image' | 'damaged' | 'too-many-pixels' | 'unread-heic'
type NormalizedImage = {
  extension: string
  bytes: Uint8Array
  width: number
  height: number
  placeholder: string
}

/** Encoders write only the first frame of an animation. HEIC is written as JPEG, which every browser shows. */
const encoders: Record<ImageFormat, { extension: string; write: (picture: Sharp) => Sharp }> = {
  jpeg: { extension: 'jpg', write: (picture) => picture.jpeg({ quality: 85 }) },
  png: { extension: 'png', write: (picture) => picture.png() },
  webp: { extension: 'webp', write: (picture) => picture.webp({ quality: 82, effort: 3 }) },
  gif: { extension: 'gif', write: (picture) => picture.gif({ effort: 1 }) },
  avif: { extension: 'avif', write: (picture) => picture.avif({ quality: 65, effort: 1 }) },
  heic: { extension: 'jpg', write: (picture) => picture.jpeg({ quality: 85 }) },
}

/** A repeating pattern makes a tiny PNG, which would become huge when its scaled copy is stored without loss. Noise in the transparency would be just as large, so it loses detail, too. */
const compactEncoder: (typeof encoders)[ImageFormat] = {
  extension: 'webp',
  write: (picture) => picture.webp({ quality: 82, effort: 1, alphaQuality: 50 }),
}

/** Rewrites an uploaded image. If `square` is given, the result is the middle square of the image, with sides of at most `square` pixels. If `isCompact` is true, the result has fewer pixels and is always a JPEG or a lossy WebP. */
export async function normalizeUpload(
  upload: Uint8Array,
  { square, isCompact = false }: { square?: number; isCompact?: boolean } = {},
): Promise<({ ok: true } & NormalizedImage) | { ok: false; refusal: ImageRefusal }> {
  const kind = detectFormat(upload)
  if (!kind) return { ok: false, refusal: 'not-an-image' }
  const sent = kind === 'png' ? withoutTexts(upload) : upload
  const refusal = kind === 'heic' ? 'unread-heic' : 'damaged'
  const sharp = await loadSharp()
  // sharp reads only the header here, so a large image does no harm.
  const head = await sharp(sent, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!head || (head.icc?.length ?? 0) > MAX_PROFILE_BYTES) return { ok: false, refusal }
  const hasItems = kind === 'avif' || kind === 'heic'
  const pixels = Math.max(head.width * head.height, hasItems ? pixelsOfLargestItem(sent) : 0)
  const isLarge = pixels > maxPixels(kind, head, square !== undefined || isCompact)
  if (Math.max(head.width, head.height) > MAX_SIDE_READ || isLarge)
    return { ok: false, refusal: 'too-many-pixels' }
  const { extension, write } =
    isCompact && encoders[kind].extension !== 'jpg' ? compactEncoder : encoders[kind]
  const longest = square ?? (isCompact ? MAX_SIDE_COMPACT : MAX_SIDE_STORED)
  const clean = (bytes: Uint8Array, side: number) =>
    write(
      sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' })
        .autoOrient()
        .resize(side, side, { fit: square ? 'cover' : 'inside', withoutEnlargement: true })
        .timeout({ seconds: DECODE_TIMEOUT_SECONDS }),
    )
      .toBuffer({ resolveWithObject: true })
      .catch(() => null)
  let made = await clean(sent, longest)
  if (!made && kind === 'heic') {
    const jpeg = await heicToJpeg(sent, head.icc)
    made = jpeg && (await clean(jpeg, longest))
  }
  while (isCompact && made && made.data.length > MAX_COMPACT_BYTES)
    made = await clean(
      made.data,
      Math.floor(
        0.9 *
          Math.max(made.info.width, made.info.height) *
          Math.sqrt(MAX_COMPACT_BYTES / made.data.length),
      ),
    )
  if (!made) return { ok: false, refusal }
  const { width, height } = made.info
  const tiny = await sharp(made.data)
    .resize(16, 1024, { fit: 'inside' })
    .webp({ quality: 40 })
    .toBuffer()
  return {
    ok: true,
    extension,
    bytes: made.data,
    width,
    height,
    placeholder: `data:image/webp;base64,${tiny.toString('base64')}`,
  }
}

/** Returns how many pixels an upload may have. `isSmall` is true if the stored image will be small, so a HEIC photo of 50 megapixels has no advantage. */
function maxPixels(
  kind: ImageFormat,
  { isProgressive, depth, loop }: Metadata,
  isSmall: boolean,
): number {
  if (kind === 'avif') return MAX_AVIF_PIXELS
  if (kind === 'heic') return isSmall ? MAX_FULLY_DECODED_PIXELS : MAX_HEIC_PIXELS
  // Only GIF and animated WebP files say how often they loop.
  const isFullyDecoded = isProgressive || depth === 'ushort' || loop !== undefined
  return isFullyDecoded ? MAX_FULLY_DECODED_PIXELS : MAX_PIXELS
}

type Pixels = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }

/** Converts HEIC to an upright JPEG with the same color profile. Returns null if the file is unreadable. The WebAssembly build of libheif decodes the photo, because most builds of sharp cannot decode HEIC. */
export async function heicToJpeg(
  bytes: Uint8Array,
  profile: Uint8Array | undefined,
  timeoutMs = DECODE_TIMEOUT_SECONDS * 1000,
): Promise<Uint8Array | null> {
  const colors = await decodeInThread(bytes, timeoutMs).catch(() => null)
  if (!colors) return null
  const { width, height, data } = colors
  const sharp = await loadSharp()
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return profile && profile.length < 65_000 ? addColorProfile(jpeg, profile) : jpeg
}

async function decodeInThread(bytes: Uint8Array, timeoutMs: number): Promise<Pixels> {
  const thread = new Worker(worker, {
    workerData: { bytes, mostPixels: MAX_HEIC_PIXELS },
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let clock: NodeJS.Timeout | undefined
  try {
    return await new Promise<Pixels>((done, fail) => {
      clock = setTimeout(() => fail(new Error('the photo takes too long')), timeoutMs)
      thread.once('message', done)
      thread.once('error', fail)
      thread.once('exit', () => fail(new Error('the decoder ended')))
    })
  } finally {
    clearTimeout(clock)
    // Terminating the worker frees its memory.
    await thread.terminate()
  }
}

/** Inserts the color profile as the second segment of the JPEG, so that sharp finds the profile and converts the colors to sRGB. */
function addColorProfile(jpeg: Uint8Array, profile: Uint8Array): Uint8Array {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(head.length - 2 + profile.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}
