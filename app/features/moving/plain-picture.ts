/**
 * Whether a picture's file holds one picture and nothing else: no place, no camera, no colour profile, nothing behind its end. Only such a file
 * may be kept as it is, byte for byte (022); every other one keeps what the shop's own encoding makes of it.
 */
type Bytes = Uint8Array

const ascii = (bytes: Bytes, from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
const view = (bytes: Bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Segments up to the end marker, which must be the last two bytes. */
function isPlainJpeg(bytes: Bytes): boolean {
  const data = view(bytes)
  let at = 2
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1]!
    const length = data.getUint16(at + 2)
    const holdsPicture = marker === 0xdb || marker === 0xc4 || marker === 0xdd || marker === 0xda || (marker >= 0xc0 && marker <= 0xcf)
    const isHeader = marker === 0xe0 && ascii(bytes, at + 4, at + 8) === 'JFIF' && length === 16
    if (!holdsPicture && !isHeader) return false
    at += 2 + length
    if (marker !== 0xda) continue
    // Coded picture: until a marker that is neither a stuffed byte nor a restart.
    while (at + 1 < bytes.length && !(bytes[at] === 0xff && bytes[at + 1] !== 0 && !(bytes[at + 1]! >= 0xd0 && bytes[at + 1]! <= 0xd7)))
      at++
    if (bytes[at + 1] === 0xd9) return at + 2 === bytes.length
  }
  return false
}

const pngChunks = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'pHYs', 'sRGB', 'gAMA', 'cHRM', 'sBIT', 'bKGD'])

function isPlainPng(bytes: Bytes): boolean {
  const data = view(bytes)
  for (let at = 8; at + 12 <= bytes.length;) {
    const [length, name] = [data.getUint32(at), ascii(bytes, at + 4, at + 8)]
    if (name === 'IEND') return length === 0 && at + 12 === bytes.length
    if (!pngChunks.has(name)) return false
    at += 12 + length
  }
  return false
}

const webpChunks = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH'])

function isPlainWebp(bytes: Bytes): boolean {
  const data = view(bytes)
  if (data.getUint32(4, true) + 8 !== bytes.length) return false
  let at = 12
  while (at + 8 <= bytes.length) {
    if (!webpChunks.has(ascii(bytes, at, at + 4))) return false
    const length = data.getUint32(at + 4, true)
    at += 8 + length + (length % 2)
  }
  return at === bytes.length
}

/** Boxes of their exact size; what lies inside `meta` the decoder has looked at for EXIF and XMP. */
function isPlainAvif(bytes: Bytes): boolean {
  const data = view(bytes)
  let at = 0
  while (at + 8 <= bytes.length) {
    const [size, name] = [data.getUint32(at), ascii(bytes, at + 4, at + 8)]
    if (!['ftyp', 'meta', 'mdat'].includes(name) || size < 8) return false
    at += size
  }
  return at === bytes.length
}

function isPlainGif(bytes: Bytes): boolean {
  const table = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  const afterBlocks = (from: number) => {
    let at = from
    while (at < bytes.length && bytes[at] !== 0) at += bytes[at]! + 1
    return at + 1
  }
  let frames = 0
  let at = 13 + table(bytes[10]!)
  while (at < bytes.length) {
    const kind = bytes[at]
    if (kind === 0x3b) return at + 1 === bytes.length
    if (kind === 0x2c && frames++ === 0) at = afterBlocks(at + 10 + table(bytes[at + 9]!) + 1)
    else if (kind === 0x21 && bytes[at + 1] === 0xf9) at = afterBlocks(at + 2)
    else return false
  }
  return false
}

const kinds: [ending: string, begins: (bytes: Bytes) => boolean, isPlain: (bytes: Bytes) => boolean][] = [
  ['jpg', (bytes) => bytes[0] === 0xff && bytes[1] === 0xd8, isPlainJpeg],
  ['png', (bytes) => ascii(bytes, 1, 4) === 'PNG', isPlainPng],
  ['webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP', isPlainWebp],
  ['avif', (bytes) => ascii(bytes, 4, 8) === 'ftyp', isPlainAvif],
  ['gif', (bytes) => ascii(bytes, 0, 4) === 'GIF8', isPlainGif],
]

/** `ending`: of the name under which it is stored, hence what it was decoded as. */
export function isPlainPicture(bytes: Bytes, ending: string): boolean {
  const kind = kinds.find(([name]) => name === ending)
  return bytes.length > 20 && kind !== undefined && kind[1](bytes) && kind[2](bytes)
}
