import { expect, test } from 'vitest'
import { storagePath, targetFor } from './images.server.ts'

const HOST = 'https://firebasestorage.googleapis.com/v0/b/knots.appspot.com/o/'
const isTaken = () => false

test('the import keeps the path that an image had in the hosted storage [FILES-01] [FILES-02] [FILES-03]', () => {
  for (const [url, path] of [
    [`${HOST}items%2Fwalls%2Fabc.jpg?alt=media&token=1`, 'items/walls/abc.jpg'],
    ['https://storage.googleapis.com/knots.appspot.com/colors/teal.png', 'colors/teal.png'],
    ['gs://knots.appspot.com/category/walls.png', 'category/walls.png'],
    ['/pictures/items/walls/abc.webp', 'items/walls/abc.webp'],
    ['https://shop.example/pictures/scenes/slide-1.webp?x=1', 'scenes/slide-1.webp'],
    ['items/walls/abc.jpg', 'items/walls/abc.jpg'],
  ] as const) {
    expect(storagePath(url), url).toBe(path)
  }
  expect(targetFor(`${HOST}items%2Fwalls%2Fabc.jpg?alt=media`, 'items/other', isTaken)).toEqual({
    folder: 'items/walls',
    name: 'abc',
  })
  expect(targetFor('/pictures/colors/teal.webp', 'colors', isTaken)).toEqual({
    folder: 'colors',
    name: 'teal',
  })
})

test('the import refuses a picture path that leads out of the folder with the downloaded pictures', () => {
  for (const url of [
    `${HOST}..%2F..%2Fetc%2Fpasswd`,
    `${HOST}%2Fetc%2Fpasswd`,
    `${HOST}a%00b.png`,
    '/etc/passwd',
    'javascript:alert(1)',
    '',
  ]) {
    expect(storagePath(url), url).toBeNull()
  }
})

test('the import replaces an invalid or duplicate file name of an image by a safe name with a stable suffix', () => {
  const odd = targetFor(`${HOST}items%2Fwalls%2Ffern%20one.v2.png`, 'items/walls', isTaken)
  expect(odd.name).toMatch(/^fern-one-v2-[0-9a-f]{8}$/)
  expect(targetFor(`${HOST}items%2Fwalls%2Ffern%20one.v2.png`, 'items/walls', isTaken)).toEqual(odd)
  expect(targetFor('https://elsewhere.example/some/photo.jpg', 'items/walls', isTaken)).toEqual({
    folder: 'items/walls',
    name: expect.stringMatching(/^[0-9a-f]{8}$/),
  })
  expect(targetFor('x.png', 'items/Wände & Co', isTaken).folder).toBe('items/moved')
  expect(
    targetFor(`${HOST}items%2Fwalls%2Fa.png`, 'items/walls', (place) => place === 'items/walls/a')
      .name,
  ).toMatch(/^a-[0-9a-f]{8}$/)
})
