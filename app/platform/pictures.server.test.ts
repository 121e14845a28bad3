import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { corners, cornersOf, firstColor, hugePng, longGif, noise, withClaimedSize } from '#test/drawn-pictures.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { heicAsJpeg } from './normalize-upload.server.ts'
import { LONGEST_KEPT, makeOriginal } from './normalize-upload.server.ts'

/** 64 x 96 in Display P3, turned by its container, with the place in its Exif (made by heif-enc). */
const heic = readFileSync(new URL('../../test/pictures/phone.heic', import.meta.url))

async function kept(sent: Uint8Array) {
  const original = await makeOriginal(sent)
  if (!original.ok) throw new Error(original.refusal)
  return original
}
const refusalOf = async (sent: Uint8Array) => {
  const original = await makeOriginal(sent)
  return original.ok ? null : original.refusal
}

test('FILES-04 each format that is accepted stays what it is, and HEIC becomes a JPEG that every browser shows', async () => {
  const drawing = corners()
  const sent = {
    jpg: await drawing.clone().jpeg().toBuffer(),
    png: await drawing.clone().png().toBuffer(),
    webp: await drawing.clone().webp().toBuffer(),
    avif: await drawing.clone().avif({ effort: 0 }).toBuffer(),
    gif: await drawing.clone().gif().toBuffer(),
  }
  for (const [extension, bytes] of Object.entries(sent)) {
    const original = await kept(bytes)
    expect(original, extension).toMatchObject({
      extension,
      width: 96,
      height: 64,
      placeholder: expect.stringMatching(/^data:image\/webp;/),
    })
    expect(await cornersOf(original.bytes), extension).toEqual(['red', 'lime', 'blue', 'white'])
  }
  const original = await kept(heic)
  expect(original).toMatchObject({ extension: 'jpg', width: 64, height: 96 })
  expect((await sharp(original.bytes).metadata()).format).toBe('jpeg')
  expect(await cornersOf(original.bytes)).toEqual(['blue', 'red', 'white', 'lime'])
})

test('each of the eight ways to hold a phone comes out upright', async () => {
  // How the pixels lie in the file, by the orientation that is written beside them.
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
    const original = await kept(sent)
    expect([original.width, original.height], `${at + 1}`).toEqual([96, 64])
    expect(await cornersOf(original.bytes), `${at + 1}`).toEqual(['red', 'lime', 'blue', 'white'])
  }
})

test('place, camera, time, comments and colour profile are gone from whatever is kept', async () => {
  const secret = 'Phone-of-Marisol'
  const said = corners()
    .withExif({ IFD0: { Make: secret, Copyright: secret }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
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
    const original = await kept(bytes)
    const after = await sharp(original.bytes).metadata()
    expect([after.exif, after.xmp, after.iptc, after.icc, after.orientation], before.format).toEqual(Array(5).fill(undefined))
    expect(Buffer.from(original.bytes).includes(secret), before.format).toBe(false)
  }
})

test('what is kept is sRGB: wide colours of phones, CMYK of printers, sixteen bits', async () => {
  const wide = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#e02010' } })
    .withIccProfile('p3')
    .jpeg({ quality: 100 })
    .toBuffer()
  const [r, g, b] = await firstColor((await kept(wide)).bytes)
  expect(Math.abs(r! - 0xe0) + Math.abs(g! - 0x20) + Math.abs(b! - 0x10)).toBeLessThan(24)
  // Blue of the phone's profile would be 244 without it.
  expect((await firstColor((await kept(heic)).bytes))[2]).toBeGreaterThan(250)

  const printed = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#e02010' } })
    .toColourspace('cmyk')
    .jpeg({ quality: 100 })
    .toBuffer()
  expect((await sharp(printed).metadata()).space).toBe('cmyk')
  const original = await kept(printed)
  expect((await sharp(original.bytes).metadata()).space).toBe('srgb')
  const [red, green, blue] = await firstColor(original.bytes)
  expect(red! > 170 && green! < 90 && blue! < 90, `${red} ${green} ${blue}`).toBe(true)

  const deep = await corners().toColourspace('rgb16').png().toBuffer()
  expect((await sharp(deep).metadata()).depth).toBe('ushort')
  expect((await sharp((await kept(deep)).bytes).metadata()).depth).toBe('uchar')
})

test('of an animation the first frame is kept', async () => {
  const frames = await Promise.all(
    ['red', 'lime', 'blue'].map((background) =>
      sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
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
    const original = await kept(sent)
    expect([original.width, original.height]).toEqual([30, 20])
    expect((await sharp(original.bytes, { pages: -1 }).metadata()).pages ?? 1).toBe(1)
    expect((await cornersOf(original.bytes))[0]).toBe('red')
  }
})

test('a single pixel is a picture, and a photo larger than any screen is kept smaller', async () => {
  for (const format of ['jpeg', 'png', 'webp', 'gif', 'avif'] as const) {
    const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
      .toFormat(format)
      .toBuffer()
    expect(await kept(dot), format).toMatchObject({ width: 1, height: 1 })
  }
  const large = await sharp({ create: { width: 6000, height: 3000, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer()
  expect(await kept(large)).toMatchObject({ width: LONGEST_KEPT, height: LONGEST_KEPT / 2 })
})

test('a decompression bomb is refused from its first bytes, before it is unpacked', async () => {
  const avif = await corners().avif({ effort: 0 }).toBuffer()
  const bombs = [
    hugePng(30_000, 30_000),
    hugePng(16_384, 1),
    hugePng(9000, 9000),
    withClaimedSize(avif, 60_000, 60_000),
    withClaimedSize(heic, 16_000, 16_000),
  ]
  const before = process.memoryUsage().rss
  for (const [at, bomb] of bombs.entries()) expect(['too-many-pixels', 'damaged'], `bomb ${at}`).toContain(await refusalOf(bomb))
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  expect(await refusalOf(hugePng(30_000, 30_000))).toBe('too-many-pixels')
  expect(await refusalOf(withClaimedSize(heic, 16_000, 16_000))).toBe('too-many-pixels')
  expect(await refusalOf(withClaimedSize(avif, 2000, 2000))).toBe('damaged')
})

test('a GIF of 100,000 frames is one picture and takes no memory for the others', async () => {
  const gif = await longGif(100_000)
  expect((await sharp(gif, { pages: -1 }).metadata()).pages).toBe(100_000)
  const before = process.memoryUsage().rss
  expect(await kept(gif)).toMatchObject({ extension: 'gif', width: 16, height: 16 })
  expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
})

test('what is no picture, or only begins like one, is refused', async () => {
  const texts = [
    '',
    'no picture at all',
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>',
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    '<!--ftypavif--><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    // The same compressed, with a time and an extra field that are chosen so.
    `\x1f\x8b\x08\x04ftyp\0\xff\x06\0avif\0\0${gzipSync('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>').toString('latin1', 10)}`,
    '<!doctype html><script>alert(1)</script>',
    '%PDF-1.7\n1 0 obj',
    'II*\0\x08\0\0\0',
    '\0\0\0\x18ftypmp42\0\0\0\0mp42isom',
    '\0\0\0',
  ]
  for (const text of texts) expect(await refusalOf(Buffer.from(text, 'latin1')), text).toBe('not-an-image')
  const [jpeg, avif] = [await corners().jpeg().toBuffer(), await corners().avif({ effort: 0 }).toBuffer()]
  for (const [format, bytes] of Object.entries({
    jpeg,
    avif,
    png: await noise(90, 90).png().toBuffer(),
    webp: await noise(90, 90).webp().toBuffer(),
    gif: await noise(90, 90).gif().toBuffer(),
  }))
    for (const share of [0.1, 0.5, 0.9])
      expect(await refusalOf(bytes.subarray(0, bytes.length * share)), `${format} ${share}`).not.toBeNull()
  for (const share of [0.1, 0.5, 0.95]) expect(await refusalOf(heic.subarray(0, heic.length * share)), `heic ${share}`).toBe('unread-heic')
})

test('a picture of pictures that are put together themselves, or of tiles of AV1, is refused before any of it is decoded', async () => {
  for (const name of ['nested-overlays', 'nested-grids', 'large-tiles']) {
    const nested = readFileSync(new URL(`../../test/pictures/${name}.avif`, import.meta.url))
    expect(await sharp(nested).metadata()).toMatchObject({ format: 'heif' })
    expect(await refusalOf(nested), name).toBe('not-an-image')
  }
})

test('a file that is a picture and a page or an archive at once leaves only its pixels', async () => {
  const script = '<!doctype html><script>alert(document.domain)</script>'
  const jpeg = await corners().jpeg().toBuffer()
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), Buffer.from(script)])
  const polyglots = [
    Buffer.concat([jpeg, Buffer.from(script)]),
    Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]),
    Buffer.concat([await corners().png().toBuffer(), Buffer.from(`PK\x03\x04${script}`)]),
    Buffer.concat([await corners().gif().toBuffer(), Buffer.from(`*/=1;${script}`)]),
  ]
  for (const sent of polyglots) {
    const { bytes } = await kept(sent)
    expect(Buffer.from(bytes).includes('script')).toBe(false)
    expect(await cornersOf(bytes)).toEqual(['red', 'lime', 'blue', 'white'])
  }
})

test('a HEIC photo that takes too long, or ends its decoder, is given up and the shop goes on', async () => {
  expect(await heicAsJpeg(heic, undefined, 0)).toBeNull()
  expect(await heicAsJpeg(Buffer.concat([heic.subarray(0, 24), Buffer.alloc(5000, 0xff)]), undefined)).toBeNull()
  expect(await heicAsJpeg(withClaimedSize(heic, 16_000, 16_000), undefined)).toBeNull()
  expect(await heicAsJpeg(heic, undefined)).not.toBeNull()
})

test('twenty uploads at once take turns, and each gets its own picture', async () => {
  const shop = await openTestShop()
  const sent = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      corners(20 + 2 * at, 30)
        .png()
        .toBuffer(),
    ),
  )
  const stored = await Promise.all(sent.map((bytes) => shop.pictures.prepare('colors', bytes)))
  expect(stored.map((one) => one.ok && one.picture.width)).toEqual(sent.map((_, at) => 20 + 2 * at))
  expect(new Set(stored.map((one) => one.ok && one.picture.path)).size).toBe(20)
})
