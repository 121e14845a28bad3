// The item form's own uploads: who may send and delete them, and what is left when somebody leaves.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory } from '#test/sample-catalogue.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  return { ...shop, owner: await shop.owner() }
}
function pictureForm(categoryId = 'walls') {
  const form = new FormData()
  form.set('categoryId', categoryId)
  form.set('file', new File([new Uint8Array(image)], 'photo.jpg', { type: 'image/jpeg' }))
  return form
}
const upload = async (owner: Person) =>
  (await (await owner.post('/manage/item-picture', pictureForm())).json()) as { state: string; id: string; url: string }
const remove = async (who: Person, url: string) => {
  const response = await who.post('/manage/item-picture', { intent: 'delete', url })
  return { status: response.status, body: await response.text() }
}

test('FILES-05 FILES-08 an upload comes back with its url, under which everybody finds it; nobody but the owner may send or delete one', async () => {
  const { db, owner, visitor, customer } = await open()
  const { state, url } = await upload(owner)
  expect(state).toBe('uploaded')
  const outside = visitor()
  expect((await outside.get(url)).headers.get('content-type')).toBe('image/jpeg')

  for (const who of [outside, await customer()]) {
    expect((await who.post('/manage/item-picture', pictureForm())).headers.get('location')).toBe('/')
    expect(await remove(who, url)).toMatchObject({ status: 302 })
  }
  expect(await db.selectFrom('pictures').select('id').execute()).toHaveLength(1)
  expect((await outside.get(url)).status).toBe(200)
})

test('FILES-06 FILES-09 FILES-10 only an upload that no item has is deleted by its url, and only once', async () => {
  const { owner, files, db } = await open()
  const [kept, dropped] = [await upload(owner), await upload(owner)]
  const form = new FormData()
  const typed = { intent: 'save', name: 'Moon', categoryId: 'walls', price: '45', description: 'Round.', picture: `upload-${kept.id}` }
  for (const [name, value] of Object.entries(typed)) form.set(name, value)
  expect((await owner.act('/manage/item/', form)).status).toBe(200)

  expect(await remove(owner, kept.url)).toMatchObject({ status: 422, body: expect.stringContaining('"error"') })
  expect((await owner.get(kept.url)).status).toBe(200)
  expect(await remove(owner, dropped.url)).toEqual({ status: 200, body: '{"state":"deleted"}' })
  expect(await remove(owner, dropped.url)).toMatchObject({ status: 422 })
  for (const odd of ['', '/pictures/', '/pictures/../shop.db', 'https://elsewhere.test/pictures/colors/x.jpg'])
    expect(await remove(owner, odd)).toMatchObject({ status: 422 })
  expect(await db.selectFrom('pictures').select('id').execute()).toEqual([{ id: kept.id }])
  expect((await files.list()).every(({ path }) => !path.includes(dropped.url.slice(-20, -4)))).toBe(true)
})

test('an upload whose sender is gone before the answer leaves neither row nor file', async () => {
  const { owner, shop, files, db } = await open()
  const leaving = new AbortController()
  const { prepare } = shop.pictures
  let stored: unknown
  shop.pictures.prepare = (...given) => {
    leaving.abort()
    const preparing = prepare(...given)
    stored = preparing
    return preparing
  }
  const sent = { method: 'POST', body: pictureForm(), headers: { origin: ORIGIN }, signal: leaving.signal }
  await owner.send('/manage/item-picture', sent).catch(() => {})
  expect(await stored).toMatchObject({ ok: true })
  // The files are there by now; the row comes and goes with them.
  await expect.poll(async () => [await files.list(), await db.selectFrom('pictures').select('id').execute()]).toEqual([[], []])
})

test('MERCH-24 a category that is gone meanwhile takes no upload', async () => {
  const { owner, files } = await open()
  const response = await owner.post('/manage/item-picture', pictureForm('gone'))
  expect(await response.json()).toEqual({ state: 'error', text: 'Please Select a Category' })
  expect(await files.list()).toEqual([])
})
