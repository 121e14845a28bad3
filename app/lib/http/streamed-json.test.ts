import fc from 'fast-check'
import { expect, test } from 'vitest'
import { streamJson } from './streamed-json.ts'

async function written(fields: object): Promise<string> {
  let text = ''
  for await (const part of streamJson(fields)) text += part
  return text
}

/** Yields a list in batches of the given length, followed by an empty batch. */
async function* inParts<Entry>(list: readonly Entry[], length: number): AsyncGenerator<Entry[]> {
  for (let at = 0; at < list.length; at += length) yield list.slice(at, at + length)
  yield []
}

test('streams nested lists as the same text that JSON.stringify returns', async () => {
  const value = fc.jsonValue({ maxDepth: 2 })
  const entry = fc.record({
    id: fc.string(),
    notes: fc.array(value, { maxLength: 5 }),
    more: fc.option(value, { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.string(), value),
      fc.array(entry, { maxLength: 7 }),
      fc.integer({ min: 1, max: 3 }),
      async (fields, list, length) => {
        const streamed = list.map((one) => ({ ...one, notes: inParts(one.notes, length) }))
        expect(await written({ ...fields, list: inParts(streamed, length), end: 1 })).toBe(
          JSON.stringify({ ...fields, list, end: 1 }),
        )
      },
    ),
    { numRuns: 60 },
  )
})
