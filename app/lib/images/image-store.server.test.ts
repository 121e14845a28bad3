import { readFileSync } from 'node:fs'
import { deflateSync, gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import {
  corners,
  cornersOf,
  firstColor,
  hugePng,
  longGif,
  longWebp,
  noise,
  pngChunk,
  withClaimedSize,
} from '#test/fixtures/images.ts'
import {
  heicToJpeg,
  MAX_SIDE_STORED,
  normalizeUpload,
  withinCpuSeconds,
} from './normalize-upload.server.ts'

/**
 * This HEIC photo of 64 x 96 pixels in Display P3 was made by heif-enc. The file also contains a
 * rotation, and a location in the Exif data.
 */
const heic = readFileSync(new URL('../../../test/fixtures/pictures/phone.heic', import.meta.url))

const solid = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })

async function storeUpload(sent: Uint8Array) {
  const original = await normalizeUpload(sent)
  if (!original.ok) throw new Error(original.refusal)
  return original
}
const refusalOf = async (sent: Uint8Array) => {
  const original = await normalizeUpload(sent)
  return original.ok ? null : original.refusal
}

test('keeps the format of an upload, and converts HEIC to a JPEG that every browser shows [FILES-04]', async () => {
  const drawing = corners()
  const sent = {
    jpg: await drawing.clone().jpeg().toBuffer(),
    png: await drawing.clone().png().toBuffer(),
    webp: await drawing.clone().webp().toBuffer(),
    avif: await drawing.clone().avif({ effort: 0 }).toBuffer(),
    gif: await drawing.clone().gif().toBuffer(),
  }
  for (const [extension, bytes] of Object.entries(sent)) {
    const original = await storeUpload(bytes)
    expect(original, extension).toMatchObject({
      extension,
      width: 96,
      height: 64,
      placeholder: expect.stringMatching(/^data:image\/webp;/),
    })
    expect(await cornersOf(original.bytes), extension).toEqual(['red', 'lime', 'blue', 'white'])
  }
  const original = await storeUpload(heic)
  expect(original).toMatchObject({ extension: 'jpg', width: 64, height: 96 })
  expect((await sharp(original.bytes).metadata()).format).toBe('jpeg')
  expect(await cornersOf(original.bytes)).toEqual(['blue', 'red', 'white', 'lime'])
})

test('rotates a photo upright for each of the eight Exif orientations', async () => {
  // For each Exif orientation from 1 to 8, this list contains the colors of the photo's four
  // quarters in the sequence in which the file stores them.
  const asHeld = [
    ['red', 'lime', 'blue', 'white'],
    ['lime', 'red', 'white', 'blue'],
    ['white', 'blue', 'lime', 'red'],
    ['blue', 'white', 'red', 'lime'],
    ['red', 'blue', 'lime', 'white'],
    ['lime', 'white', 'red', 'blue'],
    ['white', 'lime', 'blue', 'red'],
    ['blue', 'red', 'white', 'lime'],
  ]
  for (const [at, fills] of asHeld.entries()) {
    const [width, height] = at < 4 ? [96, 64] : [64, 96]
    const sent = await corners(width, height, fills)
      .withMetadata({ orientation: at + 1 })
      .jpeg()
      .toBuffer()
    expect((await sharp(sent).metadata()).orientation).toBe(at + 1)
    const original = await storeUpload(sent)
    expect([original.width, original.height], `${at + 1}`).toEqual([96, 64])
    expect(await cornersOf(original.bytes), `${at + 1}`).toEqual(['red', 'lime', 'blue', 'white'])
  }
})

test('removes location, camera, time, comments and color profile from an upload', async () => {
  const secret = 'Phone-of-Marisol'
  const said = corners()
    .withExif({
      IFD0: { Make: secret, Copyright: secret },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><place>${secret}</place></x:xmpmeta>`)
    .withIccProfile('p3')
  const sent = [
    await said.clone().jpeg().toBuffer(),
    await said.clone().png().toBuffer(),
    await said.clone().webp().toBuffer(),
    await said.clone().avif({ effort: 0 }).toBuffer(),
    heic,
  ]
  for (const bytes of sent) {
    const before = await sharp(bytes).metadata()
    expect(before.exif, before.format).toBeDefined()
    const original = await storeUpload(bytes)
    const after = await sharp(original.bytes).metadata()
    expect(
      [after.exif, after.xmp, after.iptc, after.icc, after.orientation],
      before.format,
    ).toEqual(Array(5).fill(undefined))
    expect(Buffer.from(original.bytes).includes(secret), before.format).toBe(false)
  }
})

test('converts uploads in Display P3, CMYK or with 16 bits per channel to sRGB', async () => {
  const wide = await solid(20, 20, '#e02010').withIccProfile('p3').jpeg({ quality: 100 }).toBuffer()
  const [r, g, b] = await firstColor((await storeUpload(wide)).bytes)
  expect(Math.abs(r! - 0xe0) + Math.abs(g! - 0x20) + Math.abs(b! - 0x10)).toBeLessThan(24)
  // Without a conversion to sRGB, the value of blue would be 244.
  expect((await firstColor((await storeUpload(heic)).bytes))[2]).toBeGreaterThan(250)

  const printed = await solid(20, 20, '#e02010')
    .toColorspace('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer()
  expect((await sharp(printed).metadata()).space).toBe('cmyk')
  const original = await storeUpload(printed)
  expect((await sharp(original.bytes).metadata()).space).toBe('srgb')
  const [red, green, blue] = await firstColor(original.bytes)
  expect(red! > 170 && green! < 90 && blue! < 90, `${red} ${green} ${blue}`).toBe(true)

  const deep = await corners().toColorspace('rgb16').png().toBuffer()
  expect((await sharp(deep).metadata()).depth).toBe('ushort')
  expect((await sharp((await storeUpload(deep)).bytes).metadata()).depth).toBe('uchar')
})

test('stores only the first frame of an animated image', async () => {
  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((background) => solid(30, 20, background).png().toBuffer()),
  )
  const animation = sharp(frames, { join: { animated: true } })
  for (const sent of [
    await animation
      .clone()
      .gif({ delay: [100, 100, 100] })
      .toBuffer(),
    await animation.clone().webp({ lossless: true }).toBuffer(),
  ]) {
    expect((await sharp(sent).metadata()).pages).toBe(3)
    const original = await storeUpload(sent)
    expect(original.width).toBe(30)
    expect(original.height).toBe(20)
    expect((await sharp(original.bytes, { pages: -1 }).metadata()).pages ?? 1).toBe(1)
    expect((await cornersOf(original.bytes))[0]).toBe('red')
  }
})

test('accepts an image of a single pixel, and scales a huge photo down to the maximum size', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const dot = await solid(1, 1, 'red').toFormat(format).toBuffer()
    expect(await storeUpload(dot), format).toMatchObject({ width: 1, height: 1 })
  }
  const longest = await solid(16_383, 1, 'red').png().toBuffer()
  expect(await storeUpload(longest)).toMatchObject({ width: MAX_SIDE_STORED, height: 1 })
  const large = await solid(6000, 3000, 'teal').jpeg().toBuffer()
  expect(await storeUpload(large)).toMatchObject({
    width: MAX_SIDE_STORED,
    height: MAX_SIDE_STORED / 2,
  })
})

test('refuses an image that is a decompression bomb before decoding the image', async () => {
  const avif = await corners().avif({ effort: 0 }).toBuffer()
  const bombs = [
    hugePng(30_000, 30_000),
    hugePng(9000, 9000),
    withClaimedSize(avif, 60_000, 60_000),
    withClaimedSize(heic, 16_000, 16_000),
  ]
  const before = process.memoryUsage().rss
  for (const [at, bomb] of bombs.entries()) {
    expect(['too-many-pixels', 'damaged'], `bomb ${at}`).toContain(await refusalOf(bomb))
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  for (const bomb of [hugePng(30_000, 30_000), hugePng(16_384, 1)]) {
    expect(await refusalOf(bomb)).toBe('too-many-pixels')
  }
  expect(await refusalOf(withClaimedSize(heic, 16_000, 16_000))).toBe('too-many-pixels')
  expect(await refusalOf(withClaimedSize(avif, 2000, 2000))).toBe('damaged')
})

test('reads only one frame of a GIF of 100,000 frames', async () => {
  const gif = await longGif(100_000)
  expect((await sharp(gif, { pages: -1 }).metadata()).pages).toBe(100_000)
  const before = process.memoryUsage().rss
  expect(await storeUpload(gif)).toMatchObject({ extension: 'gif', width: 16, height: 16 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

test('refuses uploaded files that are not pictures or are truncated', async () => {
  const texts = [
    '',
    'no picture at all',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    '<!--ftypavif--><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    // This file is a gzipped SVG whose header looks like the header of an AVIF file.
    `\x1f\x8b\x08\x04ftyp\0\xff\x06\0avif\0\0${gzipSync('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('latin1', 10)}`,
    '<!doctype html><script>alert(1)</script>',
    '\0\0\0\x18ftypmp42\0\0\0\0mp42isom',
  ]
  for (const text of texts) {
    expect(await refusalOf(Buffer.from(text, 'latin1')), text).toBe('not-an-image')
  }
  const [jpeg, avif] = [
    await corners().jpeg().toBuffer(),
    await corners().avif({ effort: 0 }).toBuffer(),
  ]
  for (const [format, bytes] of Object.entries({
    jpeg,
    avif,
    png: await noise(90, 90).png().toBuffer(),
    webp: await noise(90, 90).webp().toBuffer(),
    gif: await noise(90, 90).gif().toBuffer(),
  })) {
    for (const share of [0.1, 0.5, 0.9]) {
      expect(
        await refusalOf(bytes.subarray(0, bytes.length * share)),
        `${format} ${share}`,
      ).not.toBeNull()
    }
  }
  for (const share of [0.1, 0.5, 0.95]) {
    expect(await refusalOf(heic.subarray(0, heic.length * share)), `heic ${share}`).toBe(
      'unread-heic',
    )
  }
})

test('accepts a transparent AVIF that lists the properties of the photo and of its transparency in two boxes, and refuses it if the transparency has no size [S-414]', async () => {
  const avif = readFileSync(
    new URL('../../../test/fixtures/pictures/transparent-two-ipma.avif', import.meta.url),
  )
  expect(await refusalOf(avif)).toBeNull()
  expect((await sharp((await storeUpload(avif)).bytes).metadata()).hasAlpha).toBe(true)
  // The second box lists four properties of the second item. The second of them is the size.
  const list = avif.lastIndexOf('00020484020586', undefined, 'hex')
  expect(await refusalOf(avif.with(list + 4, 5))).toBe('not-an-image')
})

test('accepts a JPEG that lacks only its end marker [FILES-04]', async () => {
  const photo = await noise(300, 300).jpeg().toBuffer()
  expect(await refusalOf(photo.subarray(0, -2))).toBeNull()
  expect(await refusalOf(photo.subarray(0, -30))).toBe('damaged')
})

test('a HEIC photo of more than 256 parts has too many pixels [S-414]', async () => {
  const parts = Buffer.concat(
    Array<Buffer>(257).fill(Buffer.from('\0\0\0\x0cinfe\0\0\0\0', 'latin1')),
  )
  const meta = Buffer.concat([Buffer.alloc(4), Buffer.from('meta'), parts])
  meta.writeUInt32BE(meta.length)
  expect(await refusalOf(Buffer.concat([heic, meta]))).toBe('too-many-pixels')
})

test('decoding that ran out of time is repeated with twice the time, unless it has used up its CPU time', async () => {
  const times: number[] = []
  const attempt = async (seconds: number) => {
    times.push(seconds)
    if (times.length < 3) throw new Error('timeout: 42% complete')
    return 'decoded'
  }
  expect(await withinCpuSeconds(30, attempt, () => times.length)).toBe('decoded')
  expect(times).toEqual([30, 60, 120])

  times.length = 0
  await expect(withinCpuSeconds(30, attempt, () => times.length * 30)).rejects.toThrow('timeout')
  expect(times).toEqual([30])
})

test('refuses nested and tiled AVIF files before decoding them', async () => {
  for (const name of ['nested-overlays', 'nested-grids', 'large-tiles']) {
    const nested = readFileSync(
      new URL(`../../../test/fixtures/pictures/${name}.avif`, import.meta.url),
    )
    expect(await sharp(nested).metadata()).toMatchObject({ format: 'heif' })
    expect(await refusalOf(nested), name).toBe('not-an-image')
  }
})

test('refuses AVIF files with many boxes, or with a large description of items, without reading all of their bytes', async () => {
  const box = (type: string, bytes: number) => {
    const made = Buffer.alloc(8 + bytes, 'infe')
    made.writeUInt32BE(made.length)
    made.write(type, 4, 'latin1')
    return made
  }
  const head = Buffer.concat([box('ftyp', 0), Buffer.from('avif\0\0\0\0mif1')])
  head.writeUInt32BE(head.length)
  for (const rest of [
    box('meta', 300_000),
    Buffer.concat(Array.from({ length: 200 }, () => box('free', 0))),
  ]) {
    expect(await refusalOf(Buffer.concat([head, rest]))).toBe('not-an-image')
  }
  expect(await refusalOf(Buffer.concat([head, box('meta', 100), box('mdat', 10_000_000)]))).toBe(
    'damaged',
  )
})

test('refuses AVIF and HEIC files whose transparency has more pixels than the image [S-414]', async () => {
  const clear = await corners().ensureAlpha(0.5).avif({ effort: 0 }).toBuffer()
  expect(await refusalOf(clear)).toBeNull()
  // The list of the properties of the second item, which is the transparency, begins here. Its
  // second entry is the size.
  const list = clear.indexOf('00020484020586', 'hex')
  expect(await refusalOf(clear.with(list + 4, 5))).toBe('not-an-image')
  const size = Buffer.from('ispe\0\0\0\0\0\0\x22\xc4\0\0\x22\xc4', 'latin1')
  clear.set(size, clear.indexOf('urn:mpeg'))
  expect(await refusalOf(clear)).toBe('too-many-pixels')
  // A property of another type replaces the size of the photo.
  const photo = Buffer.from(heic.toString('latin1').replace('ispe', 'free'), 'latin1')
  expect(await refusalOf(photo)).toBe('not-an-image')
})

test('refuses a WebP animation of more than 1000 frames, also if frames contain frames [S-415]', async () => {
  expect((await sharp(await longWebp(1000)).metadata()).pages).toBe(1000)
  expect(await refusalOf(await longWebp(1000))).toBeNull()
  expect(await refusalOf(await longWebp(1001))).toBe('not-an-image')
})

test('inflates no texts of a PNG, and keeps its colors, transparency and rotation [S-416]', async () => {
  const text = deflateSync(Buffer.alloc(50_000_000, '0'))
  const texts = [
    pngChunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), text])),
    pngChunk('iTXt', Buffer.concat([Buffer.from('a\0\x01\0\0\0'), text])),
  ]
  const drawing = await corners()
    .ensureAlpha(0.5)
    .withMetadata({ orientation: 6 })
    .png({ palette: true })
    .toBuffer()
  const sent = Buffer.concat([
    drawing.subarray(0, 33),
    ...Array<Buffer[]>(8).fill(texts).flat(),
    drawing.subarray(33),
  ])
  const before = process.memoryUsage().rss
  const original = await storeUpload(sent)
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect(original).toEqual(await storeUpload(drawing))
  expect(await cornersOf(original.bytes)).toEqual(['blue', 'red', 'white', 'lime'])
  expect((await sharp(original.bytes).metadata()).hasAlpha).toBe(true)
  const { icc } = await sharp(await corners().withIccProfile('p3').png().toBuffer()).metadata()
  const huge = Buffer.concat([icc!, Buffer.alloc(5_000_000)])
  huge.writeUInt32BE(huge.length)
  const profile = pngChunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(huge)]))
  expect(
    await refusalOf(Buffer.concat([drawing.subarray(0, 33), profile, drawing.subarray(33)])),
  ).toBe('damaged')
})

test('refuses images that would need much memory or time, such as large progressive images, AVIF files and animations, and JPEG files with many segments [S-414]', async () => {
  const large = sharp({ create: { width: 6000, height: 5000, channels: 3, background: 'red' } })
  expect(await refusalOf(await large.clone().jpeg({ progressive: true }).toBuffer())).toBe(
    'too-many-pixels',
  )
  expect(
    await refusalOf(await large.clone().png({ progressive: true, compressionLevel: 1 }).toBuffer()),
  ).toBe('too-many-pixels')
  expect(
    await refusalOf(
      await large.clone().toColorspace('rgb16').png({ compressionLevel: 1 }).toBuffer(),
    ),
  ).toBe('too-many-pixels')
  expect(await refusalOf(await large.clone().jpeg().toBuffer())).toBeNull()
  const gif = await solid(20, 20, 'red').gif().toBuffer()
  for (const at of [6, gif.indexOf('2c00000000', 'hex') + 5]) {
    gif.writeUInt32LE(6000 + 5000 * 65_536, at)
  }
  expect(await refusalOf(gif)).toBe('too-many-pixels')
  const camera = withClaimedSize(heic, 8064, 6048)
  expect(await refusalOf(camera)).toBe('unread-heic')
  expect(await normalizeUpload(camera, { isCompact: true })).toEqual({
    ok: false,
    refusal: 'too-many-pixels',
  })
  expect(await refusalOf(await longWebp(1, 5500))).toBe('too-many-pixels')
  const avif = await solid(20, 20, 'red').avif({ effort: 0 }).toBuffer()
  const claimsHeic = Buffer.from(avif.toString('latin1').replaceAll('avif', 'heic'), 'latin1')
  for (const bytes of [avif, claimsHeic]) {
    expect(await refusalOf(withClaimedSize(bytes, 4096, 3200))).toBe('too-many-pixels')
    expect(await refusalOf(withClaimedSize(bytes, 4096, 3072))).toBe('damaged')
  }

  const small = await solid(40, 40, '#e02010').jpeg({ progressive: true }).toBuffer()
  const lastScan = small.subarray(small.lastIndexOf(Buffer.from([0xff, 0xda])), -2)
  const withScans = (count: number) =>
    Buffer.concat([
      small.subarray(0, -2),
      ...Array<Buffer>(count).fill(lastScan),
      small.subarray(-2),
    ])
  expect(await refusalOf(withScans(60))).toBe('not-an-image')
  const appSegments = Array<Buffer>(2000).fill(Buffer.from('ffe10002', 'hex'))
  expect(
    await refusalOf(Buffer.concat([small.subarray(0, 2), ...appSegments, small.subarray(2)])),
  ).toBe('not-an-image')
  expect(await refusalOf(Buffer.concat([small, ...Array<Buffer>(60).fill(lastScan)]))).toBeNull()
})

test('refuses a HEIC photo that takes too much CPU time or crashes its decoder', async () => {
  expect(await heicToJpeg(heic, undefined, 0)).toBeNull()
  expect(
    await heicToJpeg(Buffer.concat([heic.subarray(0, 24), Buffer.alloc(5000, 0xff)]), undefined),
  ).toBeNull()
  expect(await heicToJpeg(withClaimedSize(heic, 16_000, 16_000), undefined)).toBeNull()
  expect(await heicToJpeg(heic, undefined)).not.toBeNull()
})
