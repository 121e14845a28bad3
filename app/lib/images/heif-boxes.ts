const MAX_ITEM_BOX_BYTES = 256 * 1024
/** libheif reads no more items than this. */
export const MAX_ITEMS = 256

export function readItemBoxes(file: Buffer) {
  const metaBoxes: Buffer[] = []
  for (let at = 0, count = 0; at + 8 <= file.length;) {
    if (++count > 100) return null
    const short = file.readUInt32BE(at)
    if (short === 1 && at + 16 > file.length) return null
    let length = short
    if (short === 0) length = file.length - at
    if (short === 1) length = Number(file.readBigUInt64BE(at + 8))
    if (length < 8) return null
    const box = file.subarray(at, at + length)
    if (box.toString('latin1', 4, 8) === 'meta') metaBoxes.push(box)
    at += length
  }
  const boxes = Buffer.concat(metaBoxes)
  return boxes.length > MAX_ITEM_BOX_BYTES ? null : boxes
}

/**
 * libheif does not check an item without a size. Returns true for unusual layouts, too. Some
 * encoders write the properties of each item into an `ipma` box of its own. [S-414]
 */
export function hasItemWithoutSize(boxes: Buffer) {
  const lists = boxes.toString('latin1').matchAll(/(?<=[^]{4})ip(?:co|ma)(?=[^]{8})/g)
  const [ipco = -1, ...ipmas] = Array.from(lists, ({ index }) => index)
  if (ipmas.length === 0) return false
  const isList = (index: number, type: string) =>
    boxes.toString('latin1', index, index + 4) === type
  if (!isList(ipco, 'ipco') || !ipmas.every((ipma) => isList(ipma, 'ipma'))) return true
  const isAfter = (list: number, next: number) =>
    list - 4 + boxes.readUInt32BE(list - 4) === next - 4
  if (!ipmas.every((ipma, index) => isAfter(index === 0 ? ipco : ipmas[index - 1]!, ipma))) {
    return true
  }
  const types = readPropertyTypes(boxes, ipco)
  return !types || ipmas.some((ipma) => !hasSizes(readItemProperties(boxes, ipma), types))
}

const hasSizes = (items: number[][] | null, types: readonly string[]) =>
  items !== null &&
  items.every(
    (properties) =>
      properties.length === 0 || properties.some((number) => types[number] === 'ispe'),
  )

function readPropertyTypes(boxes: Buffer, ipco: number) {
  const types = ['']
  const end = ipco - 4 + boxes.readUInt32BE(ipco - 4)
  for (let at = ipco + 4; at < end; at += boxes.readUInt32BE(at)) {
    if (at + 8 > end || boxes.readUInt32BE(at) < 8) return null
    types.push(boxes.toString('latin1', at + 4, at + 8))
  }
  return types
}

function readItemProperties(boxes: Buffer, ipma: number) {
  const listEnd = ipma - 4 + boxes.readUInt32BE(ipma - 4)
  const idBytes = boxes[ipma + 4] === 0 ? 2 : 4
  const hasWideNumbers = boxes[ipma + 7]! % 2 === 1
  const bytes = hasWideNumbers ? 2 : 1
  const items: number[][] = []
  let at = ipma + 12
  for (let left = boxes.readUInt32BE(ipma + 8); left > 0; left--) {
    at += idBytes
    const end = at + 1 + boxes[at]! * bytes
    if (!(end <= Math.min(listEnd, boxes.length))) return null
    const numbers: number[] = []
    // The highest bit marks an essential property.
    for (at++; at < end; at += bytes) {
      numbers.push(hasWideNumbers ? boxes.readUInt16BE(at) & 0x7fff : boxes[at]! & 0x7f)
    }
    items.push(numbers)
  }
  return items
}

/** Looks at all items, because libheif decodes the transparency before scaling. */
export function pixelsOfLargestItem(file: Uint8Array) {
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

/** Decoding nested grids could take hours. */
export function hasNestedGrids(boxes: Buffer) {
  const text = boxes.toString('latin1')
  const items = text.matchAll(/infe[^]{4}([^]{2}|[^]{4})[^]{2}(?:grid|iden|iovl)/g)
  const gridIds = new Set(
    Array.from(items, ([, id = '']) => Buffer.from(id, 'latin1').readUIntBE(0, id.length)),
  )
  // sharp would decode an AVIF of tiles without a time limit.
  if (gridIds.size > 0 && /infe[^]{4}(?:[^]{2}|[^]{4})[^]{2}av01/.test(text)) return true
  let lists = 0
  for (const { index } of text.matchAll(/dimg/g)) {
    for (const size of [2, 4]) {
      const count = index + 4 + size
      if (count + 2 > boxes.length || !gridIds.has(boxes.readUIntBE(index + 4, size))) continue
      if (++lists > 50) return true
      const end = Math.min(boxes.length, count + 2 + size * boxes.readUInt16BE(count))
      for (let at = count + 2; at + size <= end; at += size) {
        if (gridIds.has(boxes.readUIntBE(at, size))) return true
      }
    }
  }
  return false
}

export const countItems = (boxes: Buffer) =>
  boxes.toString('latin1').split('infe', MAX_ITEMS + 2).length - 1
