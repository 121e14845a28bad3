import sharp from 'sharp'
import { expect, test } from 'vitest'
import { pageOf, readHead } from '#test/fixtures/html.ts'
import { corners, cornersOf, longGif, noise } from '#test/fixtures/images.ts'
import { openTestShop, ORIGIN } from '#test/fixtures/test-shop.ts'

const fileOf = (bytes: Uint8Array, type = 'image/png') =>
  new File([new Uint8Array(bytes)], 'logo.png', { type })

async function openShop() {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const act = (fields: Record<string, string | File>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return owner.act('/manage/logo', form)
  }
  const icons = async () => {
    const head = readHead(await shop.visitor().page('/about/'))
    return ['icon', 'apple-touch-icon'].map(head.link)
  }
  const read = async (url: string) =>
    new Uint8Array(await (await shop.visitor().get(url)).arrayBuffer())
  const stored = async () => (await shop.shop.storage.list('brand/')).length
  return { shop, owner, act, icons, read, stored }
}

test('the owner’s picture becomes the logo beside the shop’s name, in browser tabs and on home screens [OWN-26]', async () => {
  const { shop, act, icons, read } = await openShop()
  expect(await icons()).toEqual(['/favicon.svg', '/apple-touch-icon.png'])

  expect((await act({ file: fileOf(await corners(600, 400).png().toBuffer()) })).text).toContain(
    'Logo saved',
  )

  const [icon, touch] = await Promise.all((await icons()).map(read))
  expect((await sharp(icon).metadata()).width).toBe(64)
  expect((await sharp(touch).metadata()).width).toBe(180)
  expect(await cornersOf(touch!)).toEqual(['red', 'lime', 'blue', 'white'])
  expect(await shop.visitor().page('/')).toMatch(
    /"logo":"[^"]*\/pictures\/brand\/\w+\/any-512\.png"/,
  )
  const banner = pageOf(await shop.visitor().page('/')).getByRole('banner')
  expect(banner.querySelector('img')!.getAttribute('src')).toMatch(
    /^\/pictures\/brand\/\w+\/mark\.webp$/,
  )
  const manifest = (await (await shop.visitor().get('/manifest.webmanifest')).json()) as {
    icons: { src: string; sizes: string }[]
  }
  for (const { src, sizes } of manifest.icons) {
    const { width, height, format } = await sharp(await read(src)).metadata()
    expect(`${width}x${height}`).toEqual(sizes)
    expect(format).toBe('png')
  }
})

test('a new logo replaces the files of the old logo; after the owner removes the logo, the shop shows a knot [OWN-26]', async () => {
  const { act, icons, stored } = await openShop()
  await act({ file: fileOf(await corners(200, 200).png().toBuffer()) })
  const first = await icons()
  const count = await stored()
  await act({ file: fileOf(await corners(300, 300).jpeg().toBuffer(), 'image/jpeg') })
  expect(await icons()).not.toEqual(first)
  expect(await stored()).toBe(count)

  await act({ intent: 'remove' })
  expect(await stored()).toBe(count)
  expect((await act({ intent: 'remove', confirm: 'Yes' })).text).toContain('Logo removed')
  expect(await icons()).toEqual(['/favicon.svg', '/apple-touch-icon.png'])
  expect(await stored()).toBe(0)
})

test('the shop converts a CMYK, transparent or animated logo to opaque sRGB images without animation [OWN-26]', async () => {
  const { act, icons, read } = await openShop()
  const inCmyk = ['red', 'white', 'white', 'red']
  const clear = {
    create: { width: 200, height: 200, channels: 4, background: '#ff000000' },
  } as const
  const frames = await sharp(await longGif(3), { animated: true })
    .resize(200, 200, { kernel: 'nearest' })
    .gif()
    .toBuffer()
  for (const [bytes, type, shown] of [
    [await corners(200, 200, inCmyk).toColorspace('cmyk').jpeg().toBuffer(), 'image/jpeg', inCmyk],
    [await sharp(clear).png().toBuffer(), 'image/png', ['white', 'white', 'white', 'white']],
    [frames, 'image/gif', ['red', 'lime', 'blue', 'white']],
  ] as const) {
    expect((await act({ file: fileOf(bytes, type) })).text).toContain('Logo saved')
    const touch = await read((await icons())[1]!)
    const { space, hasAlpha, pages = 1 } = await sharp(touch).metadata()
    expect(space, type).toBe('srgb')
    expect(hasAlpha, type).toBe(false)
    expect(pages, type).toBe(1)
    expect(await cornersOf(touch), type).toEqual(shown)
  }
})

test('the logo form refuses an SVG, a text file, and a damaged, too small or too large picture; the old logo stays [OWN-27]', async () => {
  const { owner, act, icons, stored } = await openShop()
  await act({ file: fileOf(await corners(200, 200).png().toBuffer()) })
  const before = [await icons(), await stored()]
  const svg = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>alert(1)</script></svg>',
  )
  const photo = await noise(1000, 1000).png().toBuffer()
  const large = new Uint8Array(11_000_000)
  large.set(photo)
  for (const [file, text] of [
    [fileOf(svg, 'image/svg+xml'), 'Please choose a JPEG, PNG'],
    [fileOf(svg, 'image/png'), 'Please choose a JPEG, PNG'],
    [fileOf(new TextEncoder().encode('not a picture'), 'text/plain'), 'Please choose a JPEG, PNG'],
    [fileOf(photo.subarray(0, 20_000)), 'damaged or incomplete'],
    [fileOf(await corners(179, 400).png().toBuffer()), 'at least 180 × 180 pixels'],
    [fileOf(large), 'larger than 10 MB'],
    ['', 'Please choose a picture'],
  ] as const) {
    const refused = await act({ file })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining(text) })
  }
  const headers = {
    origin: ORIGIN,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '40000000',
  }
  expect((await owner.send('/manage/logo', { method: 'POST', body: 'x', headers })).status).toBe(
    413,
  )
  expect([await icons(), await stored()]).toEqual(before)
})

test('when the files of a new logo cannot be stored, the previous logo stays [OWN-27]', async () => {
  const { shop, act, icons, stored } = await openShop()
  await act({ file: fileOf(await corners(200, 200).png().toBuffer()) })
  const before = [await icons(), await stored()]
  const { put } = shop.shop.storage
  let writes = 0
  shop.shop.storage.put = (path, bytes) =>
    ++writes > 3 ? Promise.reject(new Error('the disk is full')) : put(path, bytes)
  expect((await act({ file: fileOf(await corners(300, 300).png().toBuffer()) })).text).toContain(
    'could not be saved',
  )
  expect([await icons(), await stored()]).toEqual(before)
})
