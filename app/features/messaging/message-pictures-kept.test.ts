/** How long pictures of messages stay, and what is left when something goes or fails: neither file nor row. */
import { expect, test } from 'vitest'
import { expectNothingLeft, fileOf, idOf, nothing, post, readIn, rowsOf, send, upload } from '#test/chat-pictures.ts'
import { storedPaths } from '#test/drawn-pictures.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import { listOrphans, sweepPictures } from '#app/features/images/edit-pictures.server.ts'

const DAY = 86_400_000

test('S-175 MSG-20 pictures go with their conversation, files and all; those of others stay', async () => {
  const shop = await openTestShop()
  const [ann, mia, owner] = [await shop.customer(), await shop.customer('mia@mail.test'), await shop.owner()]
  const urls: string[] = []
  for (const who of [ann, mia]) {
    const { id, url } = await upload(who)
    await send(who, { messageId: idOf('a'), pictures: id })
    urls.push(url)
  }
  const hers = await upload(owner)
  await send(owner, { messageId: idOf('b'), pictures: hers.id }, `/manage/messages/${ann.id}`)
  expect((await owner.act(`/manage/messages/${ann.id}`, { intent: 'delete', confirm: 'Yes' })).status).toBe(200)
  expect(await rowsOf(shop)).toEqual({ pictures: 1, uploads: 0, shown: 1 })
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [], named: 5 })
  expect(await Promise.all(urls.map(async (url) => (await owner.get(url)).status))).toEqual([404, 200])
  await owner.act(`/manage/messages/${mia.id}`, { intent: 'delete', confirm: 'Yes' })
  await expectNothingLeft(shop)
})

test('S-175 S-004 what a guest sent goes with her, her words and the answers stay', async () => {
  const shop = await openTestShop()
  const [guest, owner] = [await shop.guest(), await shop.owner()]
  const [sent] = [await upload(guest), await upload(guest)]
  await send(guest, { messageId: idOf('a'), pictures: sent.id, message: 'In this color?' })
  const answer = await upload(owner)
  await send(owner, { messageId: idOf('b'), pictures: answer.id }, `/manage/messages/${guest.id}`)
  await guest.post('/logout', { confirm: 'Yes' })
  expect((await readIn(shop, guest.id)).map(({ message, pictures }) => [message, pictures!.map((one) => one?.url ?? null)])).toEqual([
    ['In this color?', [null]],
    ['', [answer.url]],
  ])
  expect(await rowsOf(shop)).toEqual({ pictures: 1, uploads: 0, shown: 2 })
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [], named: 5 })
  expect(await owner.page(`/manage/messages/${guest.id}`)).toContain('This picture is no longer there.')
})

test('S-175 what was never sent is deleted by its sender alone, and after a day by itself', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const [dropped, forgotten, sent] = [await upload(ann), await upload(ann), await upload(ann)]
  await send(ann, { messageId: idOf('a'), pictures: sent.id })
  for (const { id } of [dropped, sent]) await owner.post('/messages/pictures', { intent: 'delete', id })
  await ann.post('/messages/pictures', { intent: 'delete', id: sent.id })
  expect(await rowsOf(shop)).toEqual({ pictures: 3, uploads: 2, shown: 1 })
  await ann.post('/messages/pictures', { intent: 'delete', id: dropped.id })
  expect(await rowsOf(shop)).toEqual({ pictures: 2, uploads: 1, shown: 1 })

  shop.clock.now += DAY
  await sweepPictures(shop)
  expect((await ann.get(forgotten.url)).status).toBe(200)
  shop.clock.now += 1
  await sweepPictures(shop)
  expect((await ann.get(forgotten.url)).status).toBe(404)
  expect((await ann.get(sent.url)).status).toBe(200)
  expect(await rowsOf(shop)).toEqual({ pictures: 1, uploads: 0, shown: 1 })
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
})

test('S-174 a disk or a database that fails, and a sender who is gone, leave neither file nor row', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const { put } = shop.files
  for (const failing of [/\.jpg$/, /\.webp$/]) {
    shop.files.put = (path, bytes) => (failing.test(path) ? Promise.reject(new Error('the disk is full')) : put(path, bytes))
    expect(await post(ann, fileOf())).toMatchObject({ status: 500, text: 'This picture could not be sent.' })
    await expectNothingLeft(shop)
  }
  shop.files.put = put
  const { keep } = shop.pictures
  shop.pictures.keep = () => Promise.reject(new Error('the database is gone'))
  expect((await post(ann, fileOf())).status).toBe(500)
  shop.pictures.keep = keep
  await expectNothingLeft(shop)
  const form = new FormData()
  form.set('file', fileOf())
  const leaving = new AbortController()
  shop.pictures.keep = (...kept) => keep(...kept).finally(() => leaving.abort())
  await ann.send('/messages/pictures', { method: 'POST', body: form, headers: { origin: ORIGIN }, signal: leaving.signal }).catch(() => {})
  // The sender is gone once all of it is kept, and before the shop has cleared away.
  expect(leaving.signal.aborted).toBe(true)
  await expect.poll(async () => [await rowsOf(shop), await storedPaths(shop)]).toEqual([nothing, []])
})
