import { expect, test } from 'vitest'
import { chosenColor, frameRatio, readShown, searchOf } from './shown-picture.ts'

const pictures = [{ colorIds: ['sand', 'moss'] }, { colorIds: ['plum'] }, { colorIds: [] }]

test('ITEM-01 what the address shows is the address that shows it', () => {
  for (const shown of [
    { index: 0, colorId: null },
    { index: 2, colorId: null },
    { index: 0, colorId: 'moss' },
    { index: 1, colorId: 'plum' },
  ])
    expect(readShown(pictures, new URLSearchParams(searchOf(shown)))).toEqual(shown)
  expect(searchOf({ index: 1, colorId: null }, '?color=sand&messages=')).toBe('?messages=&picture=2')
  expect(readShown([], new URLSearchParams('?picture=1&color=sand'))).toEqual({ index: 0, colorId: null })
})

test('ITEM-09 the colour that was pressed is the chosen one, else the only one of the picture', () => {
  expect(chosenColor(pictures, { index: 0, colorId: 'moss' })).toBe('moss')
  expect([0, 1, 2, 9].map((index) => chosenColor(pictures, { index, colorId: null }))).toEqual([null, 'plum', null, null])
})

test('ITEM-01 the frame has the shape of the first picture, within limits', () => {
  const item = (width: number, height: number) => ({
    pictures: [{ id: 'a', isAvailable: true, colorIds: [], picture: { url: '', widths: [], placeholder: '', width, height } }],
  })
  expect([item(900, 1000), item(1000, 1000), item(100, 1000), item(2000, 1000), { pictures: [] }].map(frameRatio)).toEqual([
    0.9, 1, 0.8, 1.25, 1,
  ])
})
