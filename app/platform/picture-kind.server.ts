/** What bytes are, told by how they begin: the name and the type that a browser claims count for nothing. */

export type PictureKind = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** null: none of these; SVG, HTML and PDF are programs and never reach a decoder. */
export function kindOf(bytes: Uint8Array): PictureKind | null {
  const head = Buffer.from(bytes.subarray(0, 256)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'webp'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (head.slice(4, 8) !== 'ftyp') return null
  // AVIF and HEIC are the same box of two codecs; a list of brands says which.
  const length = Math.min(head.length, Buffer.from(bytes.subarray(0, 4)).readUInt32BE())
  const brands = head.slice(8, length).match(/[^]{4}/g) ?? []
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'avif'
  return brands.some((brand) => heicBrands.includes(brand)) ? 'heic' : null
}
