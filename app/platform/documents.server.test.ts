import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { readDocument, readParts } from './documents.server.ts'

const said = (promise: Promise<unknown>) =>
  promise.catch((thrown: { data: unknown; init: ResponseInit }) => [thrown.data, thrown.init.status])

/** A table that is not there is the nearest to a database that fails. */
const failing = (shop: Awaited<ReturnType<typeof openTestShop>>) =>
  shop.db
    .selectFrom('gone' as 'items')
    .selectAll()
    .execute()

test('ERR-01 ERR-07 S-129 a collection that cannot be read is told so, also halfway; the cause stays in the log', async () => {
  const shop = await openTestShop()
  const seen: unknown[] = []
  const read = async (parts: AsyncIterable<{ id: string }[]>) => {
    for await (const part of readParts(shop.log, 'items', parts)) seen.push(...part)
  }
  async function* broken() {
    yield [{ id: 'moon' }]
    yield await failing(shop)
  }
  await read((async function* () {})())
  expect(await said(read(broken()))).toEqual(['could not fetch data', 500])
  expect(seen).toEqual([{ id: 'moon' }])
  expect(shop.logged.map(({ message }) => message)).toEqual(['could not fetch data'])
})

test('ERR-02 ERR-07 a document that does not exist is told by DOCUMENT_NOT_EXIST, and is nothing to log', async () => {
  const shop = await openTestShop()
  const find = async (id: string) => (await shop.db.selectFrom('user').select('id').where('id', '=', id).executeTakeFirst()) ?? null
  expect(await readDocument(shop.log, 'users', () => find('owner'))).toEqual({ id: 'owner' })
  expect(await said(readDocument(shop.log, 'users', () => find('nobody')))).toEqual(['DOCUMENT_NOT_EXIST', 404])
  expect(shop.logged).toEqual([])
})

test('ERR-03 ERR-07 a document that cannot be read is told by FAILED_DOCUMENT, the cause stays in the log', async () => {
  const shop = await openTestShop()
  expect(await said(readDocument(shop.log, 'items', async () => (await failing(shop))[0] ?? null))).toEqual(['FAILED_DOCUMENT', 500])
  expect(shop.logged).toMatchObject([{ level: 'error', message: 'FAILED_DOCUMENT' }])
})
