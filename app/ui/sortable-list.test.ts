import { expect, test } from 'vitest'
import { movedTo } from './sortable-list.tsx'

test('an entry is moved to a place, and the others close up', () => {
  const letters = ['a', 'b', 'c', 'd']
  expect(movedTo(letters, 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(movedTo(letters, 3, 0)).toEqual(['d', 'a', 'b', 'c'])
  expect(movedTo(letters, 1, 1)).toEqual(letters)
  expect(letters).toEqual(['a', 'b', 'c', 'd'])
})
