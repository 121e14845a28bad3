import { expect, test } from 'vitest'
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
