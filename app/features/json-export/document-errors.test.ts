import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { readCollectionOrThrow } from './documents.server.ts'

test('when reading a collection fails halfway, the error is “could not fetch data” [S-129] [ERR-01] [ERR-07]', async () => {
  const shop = await openTestShop()
  const seen: unknown[] = []
  const read = async (parts: AsyncIterable<{ id: string }[]>) => {
    for await (const part of readCollectionOrThrow(shop.log, 'items', parts)) seen.push(...part)
  }
  async function* broken() {
    yield [{ id: 'moon' }]
    throw new Error('the database is gone')
  }
  await expect(read(broken())).rejects.toMatchObject({
    data: 'could not fetch data',
    init: { status: 500 },
  })
  expect(seen).toEqual([{ id: 'moon' }])
  expect(shop.logged.map(({ message }) => message)).toEqual(['could not fetch data'])
})
