import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()
const photo = () => new File([new Uint8Array(image)], 'photo.jpg', { type: 'image/jpeg' })
const texts = [
  'Please Enter Item Name',
  'Please Select a Category',
  'Please Enter a Valid Price',
  'Please Dont Leave Description Blank',
  'Please Add Atleast 1 Image for the Item',
]

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  const owner = await shop.owner()
  const read = () => shop.db.selectFrom('items').selectAll().execute()
  /** Without script: the whole page. */
  async function save(fields: Record<string, string>, files: File[] = [photo()]) {
    const form = new FormData()
    const all = { intent: 'save', name: 'Moon', categoryId: 'walls', price: '45', description: 'Round.', width: '', soleType: '', size: '' }
    for (const [name, value] of Object.entries({ ...all, back: '/manage/item/', ...fields })) form.set(name, value)
    for (const file of files) form.append('files', file)
    const answer = await owner.post('/manage/item/', form)
    const html = (await answer.text()).replaceAll(/<script.*?<\/script>/gs, '')
    return {
      status: answer.status,
      html,
      errors: [...html.matchAll(/id="item-(\w+)-error" role="alert">([^<]+)</g)].map((match) => match.slice(1)),
    }
  }
  return { ...shop, owner, read, save }
}

test('MERCH-22 MERCH-23 MERCH-24 MERCH-25 MERCH-26 MERCH-27 ERR-08 each check alone, in its order, beside its field, through the front door', async () => {
  const { save, read } = await open()
  const wrong = { name: ' ', categoryId: '', price: '0', description: '\n' }
  const right = { name: 'Moon', categoryId: 'walls', price: '45', description: 'Round.' }
  const fields = ['name', 'categoryId', 'price', 'description', 'images'] as const
  for (const [at, field] of fields.entries()) {
    const mended = Object.fromEntries(fields.slice(0, at).map((done) => [done, right[done as keyof typeof right]]))
    const { status, errors, html } = await save({ ...wrong, ...mended }, [])
    expect(status).toBe(422)
    expect(errors).toEqual([[field, texts[at]]])
    expect(texts.filter((text) => html.includes(text))).toEqual([texts[at]])
  }
  expect(await read()).toEqual([])
})

test('MERCH-25 prices as people type them: what is one is taken to the cent, what is none is refused and stays in the field', async () => {
  const { save, read } = await open()
  for (const price of ['1e9', '-1', '0.001', 'NaN', 'Infinity', '1.234,56', '12.345', '99999999', '0', '0.00', '٣', '1 000', '<b>']) {
    const { status, errors, html } = await save({ price })
    expect({ price, status, errors }).toEqual({ price, status: 422, errors: [['price', 'Please Enter a Valid Price']] })
    expect(html).toContain(`value="${price.replace('<b>', '&lt;b&gt;')}"`)
  }
  for (const price of ['12,50', ' $12.5 ', '12.50', '0.01', '9999999.99']) expect((await save({ price })).status).toBe(303)
  expect((await read()).map(({ priceCents }) => priceCents).sort((one, other) => one - other)).toEqual([1, 1250, 1250, 1250, 999_999_999])
})

test('MERCH-23 MERCH-28 a text that is too long is refused with its limit, at the limit it is taken, and nothing of it is lost', async () => {
  const { save, read } = await open()
  const long = 'n'.repeat(10_000)
  const { status, errors, html } = await save({ name: long })
  expect([status, errors]).toEqual([422, [['name', 'Please Use at Most 200 Characters (now 10000)']]])
  expect(html).toContain(long)
  expect((await save({ description: `${long}!` })).errors).toEqual([['description', 'Please Use at Most 10000 Characters (now 10001)']])
  for (const field of ['width', 'soleType', 'size'])
    expect((await save({ [field]: 'x'.repeat(201) })).errors).toEqual([[field, 'Please Use at Most 200 Characters (now 201)']])
  expect(await read()).toEqual([])

  expect((await save({ name: ` ${'n'.repeat(200)} `, description: long, width: 'x'.repeat(200) })).status).toBe(303)
  expect(await read()).toMatchObject([{ name: 'n'.repeat(200), description: long, soleType: '', size: '' }])
})

test('MERCH-24 a category that was deleted meanwhile is asked for again, all else stays', async () => {
  const { db, save, read, files } = await open()
  await db.deleteFrom('categories').execute()
  const { status, errors, html } = await save({ name: 'Kept name' })
  expect([status, errors]).toEqual([422, [['categoryId', 'Please Select a Category']]])
  expect(html).toContain('value="Kept name"')
  expect(html).toContain('choose them again')
  expect(await read()).toEqual([])
  expect(await files.list()).toEqual([])
})

test('what cannot be read is refused and never a failure of the shop', async () => {
  const { save } = await open()
  expect((await save({ name: 'a\u0000b' })).status).toBe(400)
  expect((await save({ revision: 'x', keep: '-1' })).status).toBe(303)
})
