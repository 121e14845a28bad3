import { expect, test } from 'vitest'
import { readTold } from './told.ts'

test('043 what the shop tells is read; what somebody else says on its channel is not', () => {
  expect(readTold('["812","catalogue","order:ann"]')).toEqual(['812', 'catalogue', 'order:ann'])
  expect(readTold('["here","a","b",null,null]')).toEqual(['here', 'a', 'b', null, null])
  for (const text of ['', 'x', '{}', 'null', '7', '"catalogue"', '[]', '[null]', '[1]', '["1",2]', '["1",["x"]]', '["1",{}]', '["1",""]'])
    expect([text, readTold(text)]).toEqual([text, null])
  expect(readTold(JSON.stringify(['1', 'x'.repeat(5000)]))).toBe(null)
})
