import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem, addPicture } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { setItemsDiscount } from '#app/features/discounts/discount-changes.server.ts'
import { findEditedItem } from './edit-items.server.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()
const photo = () => new File([new Uint8Array(image)], 'photo.jpg', { type: 'image/jpeg' })
const typed = { name: 'Moon', categoryId: 'walls', price: '25.00', description: 'Round.', width: '', soleType: '', size: '' }

/** The form as it was loaded with a revision: two stored images, both available. */
function form(revision: number | null, changed: Record<string, string> = {}, pictures = ['m-0', 'm-1'], files: File[] = []) {
  const sent = new FormData()
  for (const [name, value] of Object.entries({ intent: 'save', ...typed, ...changed })) sent.set(name, value)
  if (revision !== null) sent.set('revision', String(revision))
  for (const key of pictures) {
    sent.append('picture', key)
    sent.set(`available:${key}`, 'on')
  }
  for (const file of files) sent.append('files', file)
  return sent
}

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  await addItem(shop.db, 'm', 'walls', { name: 'Moon', description: 'Round.', pictures: [{}, {}] })
  const read = () => findEditedItem(shop.db, 'm')
  return { ...shop, owner: await shop.owner(), read }
}
const words = (html: string) => html.replaceAll('<!-- -->', '').replaceAll(/<script.*?<\/script>/gs, '')

test('MERCH-36 018 the second of two tabs is told field by field, and nothing is overwritten unseen', async () => {
  const { owner, read, heard } = await open()
  expect(await owner.page('/manage/item/m')).toMatch(/<input[^>]*name="revision"[^>]*value="1"/)
  expect((await owner.act('/manage/item/m', form(1, { name: 'Sun', price: '30' }))).text).toContain('Item Successfully Updated!')
  heard.length = 0
  const second = await owner.act('/manage/item/m', form(1, { name: 'Star', width: '5 cm' }))

  expect(second.status).toBe(409)
  expect(second.text).toContain('This item was changed meanwhile. Nothing is saved yet.')
  expect(await read()).toMatchObject({ name: 'Sun', priceCents: 3000, width: '', revision: 2 })
  expect(heard).toEqual([])
})

test('018 without script: the page holds what was typed, what differs, and both ways out', async () => {
  const { owner, read } = await open()
  await owner.act('/manage/item/m', form(1, { name: 'Sun', price: '30', categoryId: 'bags' }))
  const refused = await owner.post('/manage/item/m', form(1, { name: 'Star <b>', width: '5 cm' }, ['m-1', 'm-0'], [photo()]))
  const html = words(await refused.text())

  expect(refused.status).toBe(409)
  expect(html).toMatch(/<input[^>]*name="name"[^>]*value="Star &lt;b&gt;"/)
  expect(html).toMatch(/<input[^>]*name="revision"[^>]*value="1"/)
  const rows = [...html.matchAll(/<dt>(.*?)<\/dt><dd><span[^>]*>Yours: <\/span>(.*?)<\/dd><dd><span[^>]*>Stored: <\/span>(.*?)<\/dd>/g)]
  expect(rows.map((row) => row.slice(1))).toEqual([
    ['Name', 'Star &lt;b&gt;', 'Sun'],
    ['Category', 'Walls', 'Bags'],
    ['Price', '$25.00', '$30.00'],
    ['Width', '5 cm', '–'],
    ['Images', '2 images, in another order', '2 images, in another order'],
  ])
  expect(html).toContain('choose them again')
  expect(html.indexOf('value="m-1"')).toBeLessThan(html.indexOf('value="m-0"'))
  expect(/<button[^>]*>Keep mine/.exec(html)?.[0]).toContain('value="2" name="keep"')
  expect(html).toMatch(/<a[^>]*href="\/manage\/item\/m"[^>]*>Take the stored one/)

  const kept = await owner.post('/manage/item/m', form(1, { name: 'Star', keep: '2', back: '/manage/item/m' }))
  expect(kept.status).toBe(303)
  expect(await read()).toMatchObject({ name: 'Star', categoryId: 'walls', revision: 3 })
})

test('018 keeping mine overwrites only the state that was looked at', async () => {
  const { owner, read } = await open()
  await owner.act('/manage/item/m', form(1, { name: 'Sun' }))
  await owner.act('/manage/item/m', form(2, { name: 'Sea' }))

  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: '2' }))).status).toBe(409)
  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: 'x' }))).status).toBe(409)
  expect((await read())!.name).toBe('Sea')
  expect((await owner.act('/manage/item/m', form(1, { name: 'Star', keep: '3' }))).status).toBe(200)
  expect((await read())!.name).toBe('Star')
})

test('018 of two saves at the same moment one is told', async () => {
  const { owner, read } = await open()
  const answers = await Promise.all(['Sun', 'Star'].map((name) => owner.act('/manage/item/m', form(1, { name }))))

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await read()).toMatchObject({ name: answers[0]!.status === 200 ? 'Sun' : 'Star', revision: 2 })
})

test('018 images that another tab added, removed or put in order are not lost unseen', async () => {
  const { db, owner, read } = await open()
  await addPicture(db, 'new')
  await owner.act('/manage/item/m', form(1, {}, ['upload-new', 'm-1']))
  const refused = words(await (await owner.post('/manage/item/m', form(1))).text())

  expect(refused).toMatch(/<dt>Images<\/dt><dd>.*?2 images, 1 of them only here<\/dd><dd>.*?2 images, 1 of them only here<\/dd>/)
  expect((await read())!.pictures).toHaveLength(2)
  await owner.act('/manage/item/m', form(2, {}, ['m-1', (await read())!.pictures[0]!.id]))
  expect((await owner.act('/manage/item/m', form(2, {}, ['m-1']))).status).toBe(409)
  expect((await read())!.pictures.map(({ id }) => id)).toEqual(['m-1', expect.any(String)])
})

test('018 a form that comes twice, since its answer got lost, is no conflict, and its upload hangs once', async () => {
  const { db, owner, read } = await open()
  await addPicture(db, 'new')
  const sent = () => form(1, { name: 'Sun', price: ' 30,0 ' }, ['upload-new', 'm-1', 'm-0'])
  expect((await owner.act('/manage/item/m', sent())).status).toBe(200)
  expect((await owner.act('/manage/item/m', sent())).status).toBe(200)

  expect((await read())!.pictures).toHaveLength(3)
})

test('018 a new item that comes twice, since its answer got lost, is added once; with other texts it is another one', async () => {
  const { db, owner } = await open()
  await addPicture(db, 'new')
  const count = async () => (await db.selectFrom('items').select('id').execute()).length
  const sent = (name: string) => form(null, { name }, ['upload-new'])
  expect((await owner.act('/manage/item/', sent('Sun'))).text).toContain('Item Successfully Added!')
  expect((await owner.act('/manage/item/', sent(' Sun'))).text).toContain('Item Successfully Added!')
  expect(await count()).toBe(2)

  const other = await owner.act('/manage/item/', sent('Star'))
  expect([other.status, await count()]).toEqual([409, 2])

  await addPicture(db, 'more')
  const more = await owner.act('/manage/item/', form(null, { name: 'Sun' }, ['upload-new', 'upload-more']))
  expect([more.status, await count()]).toEqual([409, 2])
})

test('018 uploads that were swept meanwhile are named, so that the form can send them again; nothing is written', async () => {
  const { db, owner, read, logged } = await open()
  await addPicture(db, 'new')
  const refused = await owner.act('/manage/item/m', form(1, { name: 'Sun' }, ['m-0', 'upload-swept', 'upload-new']))
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('Some images were no longer in the shop. They are sent again.')
  expect(refused.text).toMatch(/lost.{1,20}upload-swept/)
  expect(await read()).toMatchObject({ name: 'Moon', revision: 1 })
  expect(logged.filter((line) => line.level === 'error')).toEqual([])
})

test('018 a discount or a color that goes refuses no open form; a table that changed the price does', async () => {
  const { db, shop, owner, read } = await open()
  await addColor(db, 'ash')
  await setItemsDiscount(shop, 'owner', { ids: ['m'] }, { type: 'percent', value: 1000 }, { count: 1, free: 0 })
  await db.deleteFrom('colors').where('id', '=', 'ash').execute()
  const first = form(1, { name: 'Sun' })
  first.append('color:m-0', 'ash')
  expect((await owner.act('/manage/item/m', first)).status).toBe(200)
  expect(await read()).toMatchObject({ discount: { type: 'percent', value: 1000 }, revision: 2, colors: [] })
})

test('018 an item that was deleted in another tab: told, what was typed stays, and can be saved as a new item', async () => {
  const { db, owner } = await open()
  await owner.act('/manage/item/m', { intent: 'delete', confirm: 'Yes' })
  const refused = await owner.post('/manage/item/m', form(1, { name: 'Star' }))
  const html = words(await refused.text())

  expect(refused.status).toBe(404)
  expect(html).toContain('This item was deleted meanwhile')
  expect(html).toMatch(/<input[^>]*name="name"[^>]*value="Star"/)
  expect(/<form[^>]*multipart[^>]*>/.exec(html)![0]).toContain('action="/manage/item"')
  expect(html).not.toContain('name="picture"')
  expect((await owner.act('/manage/item/', form(1, { name: 'Star' }))).text).toContain('Please Add Atleast 1 Image for the Item')
  expect((await owner.act('/manage/item/', form(1, { name: 'Star' }, ['m-0'], [photo()]))).text).toContain('Item Successfully Added!')
  expect(await db.selectFrom('items').select(['name', 'revision']).execute()).toEqual([{ name: 'Star', revision: 1 }])
  expect(words(await owner.page('/manage/item/m'))).toContain('There is no such item any more')
})

test('018 all the images that were to stay were removed meanwhile: the save is refused, and nothing is written', async () => {
  const { owner, read } = await open()
  expect((await owner.act('/manage/item/m', form(1, { name: 'Star' }, ['gone']))).text).toContain('Please Add Atleast 1 Image for the Item')
  expect(await read()).toMatchObject({ name: 'Moon', revision: 1, pictures: [{}, {}] })
})
