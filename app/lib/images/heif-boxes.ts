/** Reads the boxes of HEIC and AVIF files, to refuse files that libheif would decode with much memory or time. Such a file has several items: an image, its tiles, its transparency, a thumbnail. */

/** The `meta` box of a real photo is much smaller. */
const MAX_ITEM_BOX_BYTES = 256 * 1024

/** Returns the boxes of a HEIC or AVIF file that describe its items, or null if the file has too many boxes or these boxes are too large. */
export function readItemBoxes(file: Buffer): Buffer | null {
  const found: Buffer[] = []
  for (let at = 0, boxes = 0; at + 8 <= file.length;) {
    if (++boxes > 100) return null
    const short = file.readUInt32BE(at)
    if (short === 1 && at + 16 > file.length) return null
    const length =
      short === 0 ? file.length - at : short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short
    if (length < 8) return null
    const box = file.subarray(at, at + length)
    if (box.toString('latin1', 4, 8) === 'meta') found.push(box)
    at += length
  }
  const all = Buffer.concat(found)
  return all.length > MAX_ITEM_BOX_BYTES ? null : all
}

/**
 * Returns true if an item has properties but no size (`ispe`): libheif checks the size of an item before it decodes the item, but decodes an item without a size
 * unchecked. The box `ipco` lists the properties, and the box `ipma` behind it the properties of each item. Also returns true for any other layout of these boxes,
 * which no camera creates. [S-414]
 */
export function hasItemWithoutSize(boxes: Buffer): boolean {
  const found = boxes.toString('latin1').matchAll(/(?<=[^]{4})ip(?:co|ma)(?=[^]{8})/g)
  const [ipco = -1, ipma = -1, ...more] = Array.from(found, ({ index }) => index)
  if (ipma < 0) return false
  if (more.length > 0 || boxes.toString('latin1', ipco, ipco + 4) !== 'ipco') return true
  const types = readPropertyTypes(boxes, ipco, ipma)
  const items = types && readItemProperties(boxes, ipma)
  return (
    !items ||
    items.some(
      (properties) =>
        properties.length > 0 && !properties.some((number) => types[number] === 'ispe'),
    )
  )
}

/** Returns the types of the properties, which are numbered from 1, or null if the boxes are not valid. */
function readPropertyTypes(boxes: Buffer, ipco: number, ipma: number): string[] | null {
  const types = ['']
  const end = ipco - 4 + boxes.readUInt32BE(ipco - 4)
  if (end !== ipma - 4 || boxes.readUInt32BE(end) < 8) return null
  for (let at = ipco + 4; at < end; at += boxes.readUInt32BE(at)) {
    if (at + 8 > end || boxes.readUInt32BE(at) < 8) return null
    types.push(boxes.toString('latin1', at + 4, at + 8))
  }
  return types
}

/** Returns the numbers of the properties of each item, or null if the list is longer than the boxes. */
function readItemProperties(boxes: Buffer, ipma: number): number[][] | null {
  const idBytes = boxes[ipma + 4] === 0 ? 2 : 4
  const hasWideNumbers = boxes[ipma + 7]! % 2 === 1
  const bytes = hasWideNumbers ? 2 : 1
  const items: number[][] = []
  let at = ipma + 12
  for (let left = boxes.readUInt32BE(ipma + 8); left > 0; left--) {
    at += idBytes
    const end = at + 1 + boxes[at]! * bytes
    if (!(end <= boxes.length)) return null
    const numbers: number[] = []
    // The highest bit of a number says whether the property is essential.
    for (at++; at < end; at += bytes)
      numbers.push(hasWideNumbers ? boxes.readUInt16BE(at) & 0x7fff : boxes[at]! & 0x7f)
    items.push(numbers)
  }
  return items
}

/** Returns the number of pixels of the largest item of a HEIC or AVIF file. The transparency can be larger than the image, and libheif decodes it before scaling it down. */
export function pixelsOfLargestItem(file: Uint8Array): number {
  const boxes = readItemBoxes(Buffer.from(file)) ?? Buffer.alloc(0)
  const sizes = boxes.toString('latin1').matchAll(/ispe(?=[^]{12})/g)
  return Math.max(
    0,
    ...Array.from(
      sizes,
      ({ index }) => boxes.readUInt32BE(index + 8) * boxes.readUInt32BE(index + 12),
    ),
  )
}

/** Detects files whose grids of tiles contain other grids. No camera creates such files, and decoding one could take hours, because a tile is decoded again for each use. */
export function hasNestedGrids(boxes: Buffer): boolean {
  const text = boxes.toString('latin1')
  const items = text.matchAll(/infe[^]{4}([^]{2}|[^]{4})[^]{2}(?:grid|iden|iovl)/g)
  const made = new Set(
    Array.from(items, ([, id = '']) => Buffer.from(id, 'latin1').readUIntBE(0, id.length)),
  )
  // An AVIF file that consists of tiles is refused, because sharp would decode it without a time limit. HEIC is decoded in a thread that can be terminated.
  if (made.size > 0 && /infe[^]{4}(?:[^]{2}|[^]{4})[^]{2}av01/.test(text)) return true
  let lists = 0
  for (const { index } of text.matchAll(/dimg/g))
    // The container stores the ids of its items in two or four bytes.
    for (const size of [2, 4]) {
      const count = index + 4 + size
      if (count + 2 > boxes.length || !made.has(boxes.readUIntBE(index + 4, size))) continue
      if (++lists > 50) return true
      const end = Math.min(boxes.length, count + 2 + size * boxes.readUInt16BE(count))
      for (let at = count + 2; at + size <= end; at += size)
        if (made.has(boxes.readUIntBE(at, size))) return true
    }
  return false
}
