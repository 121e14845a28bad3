/** Pictures for tests, drawn when they are needed: harmless ones, odd ones and hostile ones. */
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Files } from '#app/platform/files.server.ts'

/** Red, lime above blue, white, 96 x 64, unless told otherwise: any turn is seen. */
export const corners = (width = 96, height = 64, fills = ['red', 'lime', 'blue', 'white']): Sharp => {
  const [x, y] = [width / 2, height / 2]
  const parts = fills.map((fill, at) => `<rect x="${(at % 2) * x}" y="${at < 2 ? 0 : y}" width="${x}" height="${y}" fill="${fill}"/>`)
  return sharp(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${parts.join('')}</svg>`)).flatten()
}

/** Colours that no format packs well: the file is as large as a photo. */
export const noise = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: 'gray', noise: { type: 'gaussian', mean: 128, sigma: 60 } } })

/** The four corners of a picture, each by its strongest colours. */
export async function cornersOf(bytes: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => {
    const start = (Math.floor(info.height * y) * info.width + Math.floor(info.width * x)) * info.channels
    const [r, g, b] = [data[start]!, data[start + 1]!, data[start + 2]!].map((one) => one > 128)
    return r && g && b ? 'white' : r ? 'red' : g ? 'lime' : b ? 'blue' : 'black'
  }
  return [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)]
}

/** The colour at the top left, red, green, blue. */
export async function firstColor(bytes: Uint8Array): Promise<number[]> {
  const { data } = await sharp(bytes)
    .extract({ left: 4, top: 4, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** A true PNG of one colour, whatever its size: a few kilobytes that would unpack to gigabytes. */
export function hugePng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header.set([1, 0], 8)
  const row = 1 + Math.ceil(width / 8)
  const pixels = deflateSync(Buffer.alloc(row * height), { level: 1 })
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A GIF of `frames` frames of 16 x 16, each a few bytes. */
export async function longGif(frames: number): Promise<Buffer> {
  const one = await corners(16, 16).gif().toBuffer()
  // From its control block on, a frame is complete; the last byte ends the file.
  const start = one.indexOf('21f904', 0, 'hex')
  const frame = one.subarray(start, -1)
  return Buffer.concat([one.subarray(0, start), ...Array.from({ length: frames }, () => frame), one.subarray(-1)])
}

/** Where AVIF and HEIC say how large they are. */
export function withClaimedSize(bytes: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf('ispe'); at >= 0; at = copy.indexOf('ispe', at + 1)) {
    copy.writeUInt32BE(width, at + 8)
    copy.writeUInt32BE(height, at + 12)
  }
  return copy
}

/** What is stored, whenever it was. */
export const storedPaths = async ({ files }: { files: Files }): Promise<string[]> => (await files.list()).map(({ path }) => path)
