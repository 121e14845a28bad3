import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { FailOnOptions, Metadata, Sharp } from 'sharp'
import {
  countItems,
  hasItemWithoutSize,
  hasNestedGrids,
  MAX_ITEMS,
  pixelsOfLargestItem,
  readItemBoxes,
} from './heif-boxes.ts'
import { loadSharp } from './resize.server.ts'

type ImageFormat = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

function detectFormat(bytes: Uint8Array) {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return hasManySegments(bytes) ? null : 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP/.test(head)) return hasManyFrames(bytes) ? null : 'webp'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.slice(4, 8) !== 'ftyp') return null
  const length = Buffer.from(bytes.subarray(0, 4)).readUInt32BE()
  // An SVG can imitate a header, as in '<!--ftypavif--><svg'.
  if (length > 2048) return null
  const items = readItemBoxes(Buffer.from(bytes))
  if (!items || hasNestedGrids(items) || hasItemWithoutSize(items)) return null
  // The decoder decodes AVIF items as AVIF, even if the file claims to be HEIC.
  const brands = head.slice(8, length).match(/[^]{4}/g) ?? []
  if (items.includes('av01') || brands.some((brand) => brand === 'avif' || brand === 'avis')) {
    return 'avif'
  }
  return brands.some((brand) => heicBrands.includes(brand)) ? 'heic' : null
}

/** Stops at the end of the image, because some phones append a video. */
function hasManySegments(file: Uint8Array) {
  for (let at = 2, scans = 0, appSegments = 0; at + 3 < file.length;) {
    const marker = file[at] === 0xff ? file[at + 1]! : 0
    if (marker === 0xd9) return false
    if (marker === 0xda && ++scans > MAX_JPEG_SCANS) return true
    if (marker >> 4 === 0xe && ++appSegments > MAX_JPEG_APP_SEGMENTS) return true
    // The compressed data of a JPEG has arbitrary bytes, and markers without a length.
    const hasLength = marker >= 0xc0 && marker !== 0xff && (marker < 0xd0 || marker > 0xd8)
    at += hasLength ? 2 + file[at + 2]! * 256 + file[at + 3]! : 1
  }
  return false
}

/** Searches the whole file, because libwebp also reads frames inside of other frames. */
function hasManyFrames(file: Uint8Array) {
  const text = Buffer.from(file).toString('latin1')
  return text.split('ANMF', MAX_WEBP_FRAMES + 2).length > MAX_WEBP_FRAMES + 1
}

/** libvips would inflate a text of 50 kB to 50 MB. [S-416] */
function withoutTexts(file: Uint8Array) {
  const wanted = new Set('IHDR PLTE tRNS gAMA cHRM sRGB iCCP eXIf IDAT IEND'.split(' '))
  const png = Buffer.from(file)
  let length = 8
  for (let at = 8; at + 8 <= png.length;) {
    const end = at + 12 + png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    if (wanted.has(type)) length += png.copy(png, length, at, end)
    if (type !== 'IDAT') wanted.delete(type)
    at = end
  }
  return png.subarray(0, length)
}

const MAX_PIXELS = 80_000_000
/**
 * Progressive, 16-bit and animated images are decoded completely in memory, with 8 bytes a pixel.
 * [S-414]
 */
const MAX_FULLY_DECODED_PIXELS = 25_000_000
/** Enough for the 12.6 megapixels of phones. The decoder needs 26 bytes a pixel. [S-414] */
const MAX_AVIF_PIXELS = 13_000_000
/** The reading time grows with the square of the number of frames. [S-415] */
const MAX_WEBP_FRAMES = 1000
/** Each scan takes as long to decode as a whole photo. Encoders write about ten scans. */
const MAX_JPEG_SCANS = 50
/** libjpeg needs much memory for each segment. */
const MAX_JPEG_APP_SEGMENTS = 1000
const MAX_SIDE_READ = 16_383
export const MAX_SIDE_STORED = 4096
const MAX_SIDE_COMPACT = 2560
/** An image with its variants takes about four times as much space. [S-353] */
const MAX_COMPACT_BYTES = 1_000_000
const MAX_PROFILE_BYTES = 4_000_000
const DECODE_CPU_SECONDS = 30
const JPEG_END = Buffer.from([0xff, 0xd9])

/** Only the owner may send such large photos. 48 megapixels use 800 MB for a second. [S-414] */
const MAX_HEIC_PIXELS = 50_000_000
const worker = createRequire(import.meta.url).resolve('#lib/images/heic-worker.ts')

export type ImageRefusal = 'not-an-image' | 'damaged' | 'too-many-pixels' | 'unread-heic'
type Normalized =
  | {
      ok: true
      extension: string
      bytes: Uint8Array
      width: number
      height: number
      placeholder: string
    }
  | { ok: false; refusal: ImageRefusal }

const encoders: Record<ImageFormat, { extension: string; write: (image: Sharp) => Sharp }> = {
  jpeg: { extension: 'jpg', write: (image) => image.jpeg({ quality: 85 }) },
  png: { extension: 'png', write: (image) => image.png() },
  webp: { extension: 'webp', write: (image) => image.webp({ quality: 82, effort: 3 }) },
  gif: { extension: 'gif', write: (image) => image.gif({ effort: 1 }) },
  avif: { extension: 'avif', write: (image) => image.avif({ quality: 65, effort: 1 }) },
  heic: { extension: 'jpg', write: (image) => image.jpeg({ quality: 85 }) },
}

/** Lossy WebP, because a scaled PNG of a pattern or of transparent noise becomes huge. */
const compactEncoder: (typeof encoders)[ImageFormat] = {
  extension: 'webp',
  write: (image) => image.webp({ quality: 82, effort: 1, alphaQuality: 50 }),
}

/** `square` cuts out the middle. `isCompact` gives fewer pixels, and JPEG or lossy WebP. */
export async function normalizeUpload(
  upload: Uint8Array,
  { square, isCompact = false }: { square?: number; isCompact?: boolean } = {},
): Promise<Normalized> {
  const kind = detectFormat(upload)
  if (!kind) return { ok: false, refusal: 'not-an-image' }
  const file = kind === 'png' ? withoutTexts(upload) : upload
  const refusal = kind === 'heic' ? 'unread-heic' : 'damaged'
  const hasItems = kind === 'avif' || kind === 'heic'
  if (hasItems && countItems(readItemBoxes(Buffer.from(file))!) > MAX_ITEMS) {
    return { ok: false, refusal: 'too-many-pixels' }
  }
  const sharp = await loadSharp()
  const head = await sharp(file, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!head || (head.icc?.length ?? 0) > MAX_PROFILE_BYTES) return { ok: false, refusal }
  const pixels = Math.max(head.width * head.height, hasItems ? pixelsOfLargestItem(file) : 0)
  const isLarge = pixels > maxPixels(kind, head, square !== undefined || isCompact)
  if (Math.max(head.width, head.height) > MAX_SIDE_READ || isLarge) {
    return { ok: false, refusal: 'too-many-pixels' }
  }
  const { extension, write } =
    isCompact && encoders[kind].extension !== 'jpg' ? compactEncoder : encoders[kind]
  const longest = square ?? (isCompact ? MAX_SIDE_COMPACT : MAX_SIDE_STORED)
  const clean = (bytes: Uint8Array, side: number, failOn: FailOnOptions = 'error') =>
    withinCpuSeconds(DECODE_CPU_SECONDS, (seconds) =>
      write(
        sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn })
          .autoOrient()
          .resize(side, side, { fit: square ? 'cover' : 'inside', withoutEnlargement: true })
          .timeout({ seconds }),
      ).toBuffer({ resolveWithObject: true }),
    ).catch(() => null)
  let result = await clean(file, longest)
  if (!result && kind === 'jpeg') {
    // Some transfers lose the end marker. With the marker added, any other damage still causes a
    // warning.
    result = await clean(Buffer.concat([file, JPEG_END]), longest, 'warning')
  }
  if (!result && kind === 'heic') {
    const jpeg = await heicToJpeg(file, head.icc)
    result = jpeg && (await clean(jpeg, longest))
  }
  while (isCompact && result && result.data.length > MAX_COMPACT_BYTES) {
    const { data, info } = result
    const side = Math.max(info.width, info.height) * Math.sqrt(MAX_COMPACT_BYTES / data.length)
    result = await clean(data, Math.floor(0.9 * side))
  }
  if (!result) return { ok: false, refusal }
  const { width, height } = result.info
  const tiny = await sharp(result.data)
    .resize(16, 1024, { fit: 'inside' })
    .webp({ quality: 40 })
    .toBuffer()
  const placeholder = `data:image/webp;base64,${tiny.toString('base64')}`
  return { ok: true, extension, bytes: result.data, width, height, placeholder }
}

function maxPixels(kind: ImageFormat, { isProgressive, depth, loop }: Metadata, isSmall: boolean) {
  if (kind === 'avif') return MAX_AVIF_PIXELS
  if (kind === 'heic') return isSmall ? MAX_FULLY_DECODED_PIXELS : MAX_HEIC_PIXELS
  // Only animated images, GIF and WebP, have a value for `loop`.
  const isFullyDecoded = isProgressive || depth === 'ushort' || loop !== undefined
  return isFullyDecoded ? MAX_FULLY_DECODED_PIXELS : MAX_PIXELS
}

const MAX_ATTEMPTS = 4

/**
 * sharp limits the time by the clock, but a busy machine may need longer for a good image. So an
 * attempt that ran out of time is repeated with twice the time, unless it has used up the CPU time.
 */
export async function withinCpuSeconds<Result>(
  cpuSeconds: number,
  attempt: (seconds: number) => Promise<Result>,
  readCpuSeconds = () => secondsOf(process.cpuUsage()),
): Promise<Result> {
  for (let number = 1; ; number++) {
    const before = readCpuSeconds()
    try {
      return await attempt(cpuSeconds * 2 ** (number - 1))
    } catch (error) {
      const isOutOfTime = error instanceof Error && error.message.startsWith('timeout')
      const isCpuUsed = readCpuSeconds() - before >= cpuSeconds
      if (!isOutOfTime || isCpuUsed || number === MAX_ATTEMPTS) throw error
    }
  }
}

const secondsOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000_000

/** Most builds of sharp cannot decode HEIC. */
export async function heicToJpeg(
  bytes: Uint8Array,
  profile: Uint8Array | undefined,
  cpuSeconds = DECODE_CPU_SECONDS,
) {
  const colors = await decodeInThread(bytes, cpuSeconds).catch(() => null)
  if (!colors) return null
  const { width, height, data } = colors
  const sharp = await loadSharp()
  const jpeg = await sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return profile && profile.length < 65_000 ? addColorProfile(jpeg, profile) : jpeg
}

type Pixels = { width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }

const CPU_POLL_MS = 250

async function decodeInThread(bytes: Uint8Array, cpuSeconds: number) {
  const thread = new Worker(worker, {
    workerData: { bytes, mostPixels: MAX_HEIC_PIXELS, cpuSeconds },
    execArgv: [],
    stdout: true,
    stderr: true,
  })
  let clock: NodeJS.Timeout | undefined
  try {
    return await new Promise<Pixels>((done, fail) => {
      const checkCpuTime = async () => {
        const usage = await thread.cpuUsage()
        if (secondsOf(usage) >= cpuSeconds) fail(new Error('the photo takes too long'))
      }
      // A thread that has ended has no CPU time anymore.
      void checkCpuTime().catch(() => {})
      clock = setInterval(() => void checkCpuTime().catch(() => {}), CPU_POLL_MS)
      thread.once('message', done)
      thread.once('error', fail)
      thread.once('exit', () => fail(new Error('the decoder ended')))
    })
  } finally {
    clearInterval(clock)
    await thread.terminate()
  }
}

/** sharp needs the profile to convert to sRGB. */
function addColorProfile(jpeg: Uint8Array, profile: Uint8Array) {
  const head = Buffer.from('\xff\xe2\0\0ICC_PROFILE\0\x01\x01', 'latin1')
  head.writeUInt16BE(head.length - 2 + profile.length, 2)
  return Buffer.concat([jpeg.subarray(0, 2), head, profile, jpeg.subarray(2)])
}
