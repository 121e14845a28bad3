import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { listItemDocuments } from '#app/features/catalog/catalog-documents.server.ts'
import { refuseItem } from './item-input.ts'
import { refusePicked } from '#app/features/images/picture-upload.ts'

const image = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
  .jpeg()
  .toBuffer()
const photo = (name = 'photo.jpg') => new File([new Uint8Array(image)], name, { type: 'image/jpeg' })

const typed = { name: 'Moon wall', categoryId: 'walls', price: '45.50', description: 'Round.', width: '', soleType: '', size: '' }

function itemForm(changed: Record<string, string> = {}, files: File[] = [], pictures: string[] = []) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'save', ...typed, ...changed })) form.set(name, value)
  for (const file of files) form.append('files', file)
  for (const key of pictures) form.append('picture', key)
  return form
}

async function open() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Walls' })
  await addCategory(shop.db, 'bags', { title: 'Bags' })
  return { ...shop, owner: await shop.owner() }
}

async function upload(owner: Awaited<ReturnType<typeof open>>['owner'], file: File | null, categoryId = 'walls') {
  const form = new FormData()
  form.set('categoryId', categoryId)
  if (file) form.set('file', file)
  const response = await owner.post('/manage/item-picture', form)
  return { status: response.status, body: (await response.json()) as { state: string; id: string; url: string; text: string } }
}

test('NAV-08 ROLES-18 MERCH-01 MERCH-02 MERCH-03 MERCH-04 MERCH-05 MERCH-06 MERCH-21 the list beside the form', async () => {
  const { db, owner } = await open()
  await addItem(db, 'm', 'walls', { name: 'Moon wall' })
  const html = (await owner.page('/manage/item/?open=1~walls')).replaceAll('<!-- -->', '')

  expect(html).toMatch(
    /<details[^>]*><summary>Bags.*No Items.*<details[^>]*open=""[^>]*><summary>Walls.*href="\/manage\/item\/m[?"].*Moon wall/s,
  )
  expect(html).toMatch(/<button[^>]*>Add New Item<\/button>/)
  expect(html).toContain('Properties with * are required')
})

test('MERCH-04 MERCH-12 a shop without a category says why nothing can be added', async () => {
  const html = await (await (await openTestShop()).owner()).page('/manage/item/')
  expect(html).toContain('No Items')
  expect(html).toContain('There are no categories yet, and every item needs one.')
})

test('MERCH-08 MERCH-09 MERCH-11 MERCH-12 MERCH-13 MERCH-14 MERCH-15 MERCH-16 MERCH-17 MERCH-18 MERCH-19 MERCH-20 an item is loaded, without one the form is empty', async () => {
  const { db, owner } = await open()
  await addColor(db, 'ash')
  const texts = { name: 'Moon', description: 'Round.', width: '30 cm', soleType: 'jute', size: 'large' }
  await addItem(db, 'm', 'walls', { ...texts, priceCents: 4550, pictures: [{ colors: ['ash'], isAvailable: 0 }] })
  const html = await owner.page('/manage/item/m')

  for (const [name, value] of Object.entries({ name: 'Moon', price: '45.50', width: '30 cm', soleType: 'jute', size: 'large' }))
    expect(html).toMatch(new RegExp(`<input[^>]*name="${name}"[^>]*value="${value}"`))
  expect(html).toMatch(/<textarea[^>]*>Round\.<\/textarea>/)
  expect(html).toContain('<option value="walls" selected="">Walls</option>')
  expect(html).toMatch(/name="picture" value="m-0"/)
  expect(html).toMatch(/name="color:m-0" checked="" value="ash"|name="color:m-0" value="ash" checked=""|checked="" name="color:m-0"/)
  expect(html).toMatch(/name="available:m-0"\/>/)
  for (const path of ['/manage/item/', '/manage/item/unknown', '/manage/item/%00']) {
    const page = await owner.get(path)
    expect(page.status).toBeLessThan(500)
  }
  expect(await owner.page('/manage/item/')).not.toContain('name="picture"')
})

test('MERCH-22 MERCH-23 MERCH-24 MERCH-25 MERCH-26 MERCH-27 MERCH-28 ERR-08 the first failure only, in the order of the form', () => {
  const empty = { ...typed, name: ' ', categoryId: '', price: '0', description: ' ' }
  expect(refuseItem(empty, 0)).toEqual({ field: 'name', error: 'Please Enter Item Name' })
  expect(refuseItem({ ...empty, name: 'x' }, 0)?.error).toBe('Please Select a Category')
  for (const price of ['', '0', '-1', '1e9', '0.001', 'NaN'])
    expect(refuseItem({ ...empty, name: 'x', categoryId: 'walls', price }, 0)?.error).toBe('Please Enter a Valid Price')
  expect(refuseItem({ ...typed, price: '12,50', description: ' ' }, 0)?.error).toBe('Please Dont Leave Description Blank')
  expect(refuseItem(typed, 0)?.error).toBe('Please Add Atleast 1 Image for the Item')
  expect(refuseItem(typed, 1)).toBeNull()
})

test('MERCH-22 a refused form is shown again with everything typed, error beside the field', async () => {
  const { db, owner } = await open()
  const refused = await owner.post('/manage/item/', itemForm({ price: '0', description: 'Kept <words>' }, [photo()]))
  const html = await refused.text()

  expect(refused.status).toBe(422)
  expect(html).toMatch(/id="item-price-error"[^>]*>Please Enter a Valid Price</)
  expect(html).toContain('Kept &lt;words&gt;')
  expect(await db.selectFrom('items').select('id').execute()).toEqual([])
})

test('MERCH-34 MERCH-35 MERCH-38 FILES-01 FILES-04 FILES-05 DATA-120 a new item with several pictures in one form', async () => {
  const { db, owner, clock, heard } = await open()
  const added = await owner.act('/manage/item/', itemForm({}, [photo('a.jpg'), photo('b.jpg')]))

  expect(added).toMatchObject({ status: 200, text: expect.stringContaining('Item Successfully Added!') })
  const [item] = await listItemDocuments(db)
  expect(item).toMatchObject({ name: 'Moon wall', category: 'walls', price: 45.5, createdAt: clock.now })
  expect(item!.images).toHaveLength(2)
  for (const one of item!.images) {
    expect(one).toMatchObject({
      url: expect.stringMatching(/^\/pictures\/items\/walls\/[A-Za-z0-9]{8,}\.jpg$/),
      colors: [],
      isAvailable: true,
    })
    expect((await owner.get(one.url)).status).toBe(200)
  }
  expect(heard).toContain('catalogue')
  expect(await db.selectFrom('audit').select('act').execute()).toEqual([{ act: 'add-item' }])
})

test('MERCH-18 MERCH-19 MERCH-20 MERCH-33 MERCH-34 MERCH-36 MERCH-39 FILES-08 DATA-123 an uploaded picture, a new order, colours; what is taken out loses its file', async () => {
  const { db, files, owner, clock } = await open()
  await addColor(db, 'ash')
  await owner.act('/manage/item/', itemForm({}, [photo(), photo()]))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()
  const [first, second] = await db.selectFrom('itemPictures').select('id').orderBy('position').execute()
  const before = (await listItemDocuments(db))[0]!.images
  const sent = await upload(owner, photo())
  expect(sent).toMatchObject({ status: 200, body: { state: 'uploaded', url: expect.stringContaining('/pictures/items/walls/') } })
  clock.now += 1000

  const form = itemForm({ name: 'Sun wall' }, [], [`upload-${sent.body.id}`, second!.id])
  form.append(`color:upload-${sent.body.id}`, 'ash')
  form.append(`color:upload-${sent.body.id}`, 'a colour that is gone')
  form.set(`available:${second!.id}`, 'on')
  const saved = await owner.act(`/manage/item/${id}`, form)

  expect(saved).toMatchObject({ status: 200, text: expect.stringContaining('Item Successfully Updated!') })
  expect(await listItemDocuments(db)).toMatchObject([
    {
      id,
      name: 'Sun wall',
      createdAt: clock.now,
      images: [
        { url: sent.body.url, colors: ['ash'], isAvailable: false },
        { url: before[1]!.url, colors: [], isAvailable: true },
      ],
    },
  ])
  expect(first).toBeDefined()
  expect((await owner.get(before[0]!.url)).status).toBe(404)
  expect((await files.list()).filter(({ path }) => path.endsWith('.jpg'))).toHaveLength(2)

  const turned = (await db.selectFrom('itemPictures').select('id').orderBy('position').execute()).map((row) => row.id).reverse()
  expect((await owner.act(`/manage/item/${id}`, itemForm({ name: 'Sun wall' }, [], turned))).status).toBe(200)
  expect((await listItemDocuments(db))[0]!.images.map(({ url }) => url)).toEqual([before[1]!.url, sent.body.url])
})

test('MERCH-29 MERCH-30 MERCH-31 the texts of the image picker', async () => {
  const { owner } = await open()
  const words = new File(['words'], 'a.txt', { type: 'text/plain' })
  const large = new File([new Uint8Array(10_485_761)], 'a.jpg', { type: 'image/jpeg' })

  expect((await upload(owner, null)).body).toEqual({ state: 'error', text: 'please select a file' })
  expect((await upload(owner, words)).body).toEqual({ state: 'error', text: 'please select an image' })
  expect((await upload(owner, large)).body).toEqual({ state: 'error', text: 'file size is too big' })
})

test('FILES-11 FILES-12 a file of exactly the maximum size is accepted, in every picker', async () => {
  const exact = new Uint8Array(10_485_760)
  exact.set(new Uint8Array(image))
  const file = new File([exact], 'a.jpg', { type: 'image/jpeg' })
  expect(refusePicked(file)).toBeNull()
  const { owner } = await open()
  expect((await upload(owner, file)).body).toMatchObject({ state: 'uploaded' })
})

test('MERCH-37 MERCH-40 MERCH-41 DATA-121 deleting needs a Yes and takes the files along', async () => {
  const { db, files, owner } = await open()
  await owner.act('/manage/item/', itemForm({}, [photo()]))
  const { id } = await db.selectFrom('items').select('id').executeTakeFirstOrThrow()

  const declined = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'No' })
  expect(declined).toMatchObject({ status: 409, text: expect.stringContaining('Cancelled Deleting Item') })
  expect(await listItemDocuments(db)).toHaveLength(1)
  const deleted = await owner.act(`/manage/item/${id}`, { intent: 'delete', confirm: 'Yes' })
  expect(deleted).toMatchObject({ status: 200, text: expect.stringContaining('Deleted Item Successfully!') })
  expect(await listItemDocuments(db)).toEqual([])
  expect(await files.list()).toEqual([])
  expect(await db.selectFrom('audit').select('act').orderBy('seq').execute()).toEqual([{ act: 'add-item' }, { act: 'delete-item' }])
})

test('MERCH-42 MERCH-43 MERCH-44 MERCH-45 FILES-10 each failure has its text, and no file stays behind', async () => {
  const { db, shop, files, owner, logged } = await open()
  await addItem(db, 'm', 'walls')
  const before = await listItemDocuments(db)
  const { prepare } = shop.pictures
  shop.pictures.prepare = () => Promise.reject(new Error('the disk is full'))
  expect((await owner.act('/manage/item/', itemForm({}, [photo()]))).text).toContain('An Error Occured while Uploading Image...')
  expect((await upload(owner, photo())).body).toEqual({ state: 'error', text: 'An Error Occured while Uploading Image...' })
  shop.pictures.prepare = prepare
  await db.schema.dropTable('audit').execute()

  const failed = await owner.act('/manage/item/', itemForm({}, [photo(), photo()]))
  expect(failed.text).toMatch(
    /An Error Occured while Uploading Data\.\.\. Please ask provider to delete: \/pictures\/items\/walls\/\w+\.jpg, \/pictures\/items\/walls\/\w+\.jpg/,
  )
  expect(await files.list()).toEqual([])
  expect((await owner.act('/manage/item/m', itemForm({}, [], ['m-0']))).text).toContain('An Error Occured! Please contact your Provider...')
  expect((await owner.act('/manage/item/m', { intent: 'delete', confirm: 'Yes' })).text).toContain(
    'An Error Occured while Deleting Item...',
  )
  const { body: sent } = await upload(owner, photo())
  expect((await owner.act('/manage/item/', itemForm({}, [], [`upload-${sent.id}`]))).text).toContain(`ask provider to delete: ${sent.url}`)
  expect(await listItemDocuments(db)).toEqual(before)
  expect(logged.filter((line) => line.level === 'error')).toHaveLength(6)
})

test('FILES-06 FILES-07 FILES-09 an upload that nothing uses is deleted by its url; one in use is not', async () => {
  const { owner, files, db } = await open()
  const { body } = await upload(owner, photo())
  const remove = async (url: string) => (await owner.post('/manage/item-picture', { intent: 'delete', url })).json()

  expect(await remove(body.url)).toEqual({ state: 'deleted' })
  expect(await files.list()).toEqual([])
  await addItem(db, 'm', 'walls')
  expect(await remove('/pictures/items/m-0.webp')).toMatchObject({ state: 'error' })
})

test('a picture of another item, an unknown item and a customer change nothing', async () => {
  const { db, owner, customer } = await open()
  await addItem(db, 'm', 'walls')
  await addItem(db, 'n', 'walls')
  const before = await listItemDocuments(db)

  expect((await owner.act('/manage/item/m', itemForm({}, [], ['upload-n-0']))).status).toBe(409)
  expect((await owner.act('/manage/item/gone', itemForm({}, [], ['m-0']))).status).toBe(404)
  expect((await owner.act('/manage/item/m', itemForm({ categoryId: 'gone' }, [], ['m-0']))).status).toBe(422)
  const ann = await customer()
  expect((await ann.post('/manage/item/m', itemForm({}, [], ['m-0']))).headers.get('location')).toBe('/')
  expect((await ann.post('/manage/item-picture', { categoryId: 'walls' })).headers.get('location')).toBe('/')
  expect(await listItemDocuments(db)).toEqual(before)
})
