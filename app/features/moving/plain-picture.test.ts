import sharp from 'sharp'
import { expect, test } from 'vitest'
import { isPlainPicture } from './plain-picture.ts'

const draw = () =>
  sharp({ create: { width: 48, height: 32, channels: 3, background: '#2f7f7f', noise: { type: 'gaussian', mean: 120, sigma: 30 } } })
const files = async () => ({
  jpg: await draw().jpeg().toBuffer(),
  png: await draw().png().toBuffer(),
  webp: await draw().webp().toBuffer(),
  avif: await draw().avif().toBuffer(),
  gif: await draw().gif().toBuffer(),
})

test('what the encoder writes of a picture alone is plain, in every format', async () => {
  for (const [ending, bytes] of Object.entries(await files())) expect(isPlainPicture(bytes, ending), ending).toBe(true)
  expect(isPlainPicture(await draw().jpeg({ progressive: true, mozjpeg: true }).toBuffer(), 'jpg')).toBe(true)
  expect(isPlainPicture(await draw().webp({ lossless: true }).toBuffer(), 'webp')).toBe(true)
})

test('a file that holds anything beside the picture is not plain: text behind its end, a place, a comment, a wrong ending', async () => {
  for (const [ending, bytes] of Object.entries(await files())) {
    expect(isPlainPicture(Buffer.concat([bytes, Buffer.from('<script>alert(1)</script>')]), ending), ending).toBe(false)
    expect(isPlainPicture(bytes.subarray(0, -1), ending), ending).toBe(false)
    expect(isPlainPicture(bytes, ending === 'jpg' ? 'png' : 'jpg')).toBe(false)
  }
  const exif = { IFD0: { Copyright: 'somebody', ImageDescription: 'here' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } }
  for (const kind of ['jpeg', 'png', 'webp'] as const) {
    const bytes = await draw().withExif(exif).toFormat(kind).toBuffer()
    expect(isPlainPicture(bytes, kind === 'jpeg' ? 'jpg' : kind), kind).toBe(false)
  }
  const { jpg, gif } = await files()
  const comment = Buffer.from([0xff, 0xfe, 0, 6, 0x68, 0x69, 0x68, 0x69])
  expect(isPlainPicture(Buffer.concat([jpg.subarray(0, 2), comment, jpg.subarray(2)]), 'jpg')).toBe(false)
  const inGif = Buffer.from([0x21, 0xfe, 2, 0x68, 0x69, 0])
  const afterTable = 13 + (gif[10]! & 0x80 ? 3 * 2 ** ((gif[10]! & 7) + 1) : 0)
  expect(isPlainPicture(Buffer.concat([gif.subarray(0, afterTable), inGif, gif.subarray(afterTable)]), 'gif')).toBe(false)
})
