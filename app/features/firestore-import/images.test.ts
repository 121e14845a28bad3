import { expect, test } from 'vitest'
import { pathOf, placeOf } from './images.server.ts'

const HOST = 'https://firebasestorage.googleapis.com/v0/b/knots.appspot.com/o/'
const nobody = () => false

test('FILES-01 FILES-02 FILES-03 a picture keeps the path that it had in the hosted storage', () => {
  for (const [url, path] of [
    [`${HOST}items%2Fwalls%2Fabc.jpg?alt=media&token=1`, 'items/walls/abc.jpg'],
    ['https://storage.googleapis.com/knots.appspot.com/colors/teal.png', 'colors/teal.png'],
    ['gs://knots.appspot.com/category/walls.png', 'category/walls.png'],
    ['/pictures/items/walls/abc.webp', 'items/walls/abc.webp'],
    ['https://shop.example/pictures/scenes/slide-1.webp?x=1', 'scenes/slide-1.webp'],
    ['items/walls/abc.jpg', 'items/walls/abc.jpg'],
  ] as const)
    expect(pathOf(url), url).toBe(path)
  expect(placeOf(`${HOST}items%2Fwalls%2Fabc.jpg?alt=media`, 'items/other', nobody)).toEqual({ folder: 'items/walls', name: 'abc' })
  expect(placeOf('/pictures/colors/teal.webp', 'colors', nobody)).toEqual({ folder: 'colors', name: 'teal' })
})

test('nothing climbs out of the copy of the bucket', () => {
  for (const url of [
    `${HOST}..%2F..%2Fetc%2Fpasswd`,
    `${HOST}items%2F..%2F..%2Fx.png`,
    `${HOST}%2Fetc%2Fpasswd`,
    `${HOST}a%00b.png`,
    '/pictures/../secrets/session',
    '/etc/passwd',
    'javascript:alert(1)',
    'data:image/png;base64,xx',
    '../x.png',
    '',
  ])
    expect(pathOf(url), url).toBeNull()
})

test('an odd name gets a plain one with a tail of its own, the same at each import', () => {
  const odd = placeOf(`${HOST}items%2Fwalls%2Ffern%20one.v2.png`, 'items/walls', nobody)
  expect(odd.name).toMatch(/^fern-one-v2-[0-9a-f]{8}$/)
  expect(placeOf(`${HOST}items%2Fwalls%2Ffern%20one.v2.png`, 'items/walls', nobody)).toEqual(odd)
  expect(placeOf('https://elsewhere.example/some/photo.jpg', 'items/walls', nobody)).toEqual({
    folder: 'items/walls',
    name: expect.stringMatching(/^[0-9a-f]{8}$/),
  })
  expect(placeOf('x.png', 'items/Wände & Co', nobody).folder).toBe('items/moved')
})

test('two names that would meet once their endings differ stay apart', () => {
  const taken = new Set(['items/walls/a'])
  expect(placeOf(`${HOST}items%2Fwalls%2Fa.png`, 'items/walls', (place) => taken.has(place)).name).toMatch(/^a-[0-9a-f]{8}$/)
})
