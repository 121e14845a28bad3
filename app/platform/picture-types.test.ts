import { expect, test } from 'vitest'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { isShownPath, pictureTypeOf } from './picture-types.ts'

test('the type of a picture is that of its extension, and other extensions are none', () => {
  const told = ['a.jpg', 'a.480.webp', 'items/x/a.avif', 'a.png', 'a.gif'].map(pictureTypeOf)
  expect(told).toEqual(['image/jpeg', 'image/webp', 'image/avif', 'image/png', 'image/gif'])
  for (const path of ['a.svg', 'a.html', 'a', 'jpg', 'a.jpg.exe', 'a.constructor', 'a.JPG', ''])
    expect(pictureTypeOf(path), path).toBe(null)
})

test('only the folders of pictures are shown', () => {
  for (const path of ['items/wall/a.jpg', 'colors/a.240.webp', 'category/a.png', 'people/a.webp', 'scenes/a.webp'])
    expect(isShownPath(path), path).toBe(true)
  for (const path of ['share/a.jpg', 'a.jpg', 'items/wall/more/a.jpg', 'colors/../share/a.jpg', 'colors/.a.jpg', 'secrets/a.jpg'])
    expect(isShownPath(path), path).toBe(false)
})

test('a picture is served with the type of its name, for ever, and is nothing else to a browser; what lies beside pictures is not served', async () => {
  const shop = await openTestShop()
  const stored = new TextEncoder().encode('<script>alert(1)</script>')
  for (const path of ['colors/a.avif', 'share/0f.1a.jpg', 'colors/a.html', 'shop-was-here']) await shop.files.put(path, stored)
  const picture = await shop.visitor().get('/pictures/colors/a.avif')
  const told = (name: string) => picture.headers.get(name)
  expect([picture.status, told('content-type'), told('content-length')]).toEqual([200, 'image/avif', String(stored.length)])
  expect([told('cache-control'), told('x-content-type-options')]).toEqual(['public, max-age=31536000, immutable', 'nosniff'])
  expect(told('content-security-policy')).toContain("default-src 'none'")

  const head = await shop.app(new Request(`${ORIGIN}/pictures/colors/a.avif`, { method: 'HEAD' }))
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, String(stored.length), ''])
  for (const path of [
    'share/0f.1a.jpg',
    'colors/a.html',
    'shop-was-here',
    'colors/../share/0f.1a.jpg',
    'colors/%2e%2e/share/0f.1a.jpg',
    'colors',
  ])
    expect((await shop.visitor().get(`/pictures/${path}`)).status, path).not.toBe(200)
})
