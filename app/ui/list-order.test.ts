import { expect, test } from 'vitest'
import { formOf } from '#test/fixtures/html.ts'
import { parseReorder, reordered } from './list-order.ts'

const present = ['a', 'b', 'c']

test('the form of a sorted list contains all ids in order, or one id with a step or a place', () => {
  expect(parseReorder(formOf({ intent: 'order', order: ['b', 'a'] }))).toEqual({
    order: ['b', 'a'],
  })
  expect(parseReorder(formOf({ intent: 'move', id: 'a', by: 'down' }))).toEqual({ id: 'a', by: 1 })
  expect(parseReorder(formOf({ intent: 'move', id: 'a', to: '3' }))).toEqual({ id: 'a', to: 3 })
})

test.for<Record<string, string>>([
  { intent: 'save', id: 'a', by: 'up' },
  { intent: 'move', id: 'a' },
  { intent: 'move', id: 'a', by: 'sideways' },
  { intent: 'move', id: 'a', to: '0' },
  { intent: 'move', id: 'a', to: '1.5' },
])('the form %o sorts nothing', (fields) => {
  expect(parseReorder(formOf(fields))).toBeNull()
})

test('when the sent order is outdated, deleted entries are ignored and new entries stay at the end', () => {
  expect(reordered(present, { order: ['c', 'deleted', 'c'] })).toEqual(['c', 'a', 'b'])
})

test('an entry of a list moves by one step or to a place, but not beyond the ends of the list', () => {
  expect(reordered(present, { id: 'a', by: 1 })).toEqual(['b', 'a', 'c'])
  expect(reordered(present, { id: 'a', by: -1 })).toEqual(present)
  expect(reordered(present, { id: 'a', to: 2 })).toEqual(['b', 'a', 'c'])
  expect(reordered(present, { id: 'a', to: 99 })).toEqual(['b', 'c', 'a'])
  expect(reordered(present, { id: 'deleted', by: 1 })).toBeNull()
})
