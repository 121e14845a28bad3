import { expect, test } from 'vitest'
import { movedTo, stepOf } from './sortable-list.tsx'

test('an entry is moved to a place, and the others close up', () => {
  const letters = ['a', 'b', 'c', 'd']
  expect(movedTo(letters, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(movedTo(letters, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(movedTo(letters, 1, 1)).toEqual(letters)
  expect(letters).toEqual(['a', 'b', 'c', 'd'])
})

test('in a list all arrows go one step, in a grid up and down go one row, and nothing leaves it', () => {
  expect(['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight', 'Home', 'End'].map((key) => stepOf(key, 2, 5, 1))).toEqual([1, 1, 3, 3, 0, 4])
  expect(['ArrowUp', 'ArrowLeft', 'ArrowDown', 'ArrowRight'].map((key) => stepOf(key, 3, 7, 3))).toEqual([0, 2, 6, 4])
  expect([stepOf('ArrowUp', 0, 5, 1), stepOf('ArrowDown', 5, 7, 3)]).toEqual([undefined, undefined])
  expect(stepOf('a', 2, 5, 1)).toBe(null)
})
