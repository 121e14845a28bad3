import { expect, test } from 'vitest'
import { fitInto, isHuge, isWorthIt, typeOfResized } from './resize-worker.ts'

test('a picture is made smaller with its proportions, and never larger', () => {
  expect(fitInto({ width: 4032, height: 3024 }, 2560)).toEqual({ width: 2560, height: 1920 })
  expect(fitInto({ width: 3000, height: 4000 }, 2560)).toEqual({ width: 1920, height: 2560 })
  expect(fitInto({ width: 800, height: 600 }, 2560)).toEqual({ width: 800, height: 600 })
  expect(fitInto({ width: 30_000, height: 1 }, 2560)).toEqual({ width: 2560, height: 1 })
})

test('huge is what has many bytes or long sides; a small gain is not worth the loss', () => {
  expect(isHuge({ width: 2560, height: 1000 }, 600_000)).toBe(false)
  expect(isHuge({ width: 2561, height: 1000 }, 100)).toBe(true)
  expect(isHuge({ width: 100, height: 100 }, 600_001)).toBe(true)
  expect([isWorthIt(1000, 899), isWorthIt(1000, 900)]).toEqual([true, false])
})

test('FILES-04 a picture keeps its type; what moves, and what no browser writes, is sent untouched', () => {
  const still = new Uint8Array(100)
  const moving = (mark: string) => new TextEncoder().encode(`RIFF....WEBPVP8X..........${mark}......`)
  for (const type of ['image/jpeg', 'image/png', 'image/webp']) expect(typeOfResized(type, still)).toBe(type)
  expect(typeOfResized('image/heic', still)).toBe('image/jpeg')
  for (const type of ['image/gif', 'image/avif', '']) expect(typeOfResized(type, still)).toBeNull()
  expect(typeOfResized('image/webp', moving('ANIM'))).toBeNull()
  expect(typeOfResized('image/png', moving('acTL'))).toBeNull()
})
