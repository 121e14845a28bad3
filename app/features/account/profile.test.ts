import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listOrphanedImages } from '#images/edit-images.server.ts'
import { greetingOf } from '#test/fixtures/accounts.ts'
import { fileOf } from '#test/fixtures/chat.ts'
import { formOf, pageOf } from '#test/fixtures/html.ts'
import { noise } from '#test/fixtures/images.ts'
import { addSale } from '#test/fixtures/orders.ts'
import { openShopWithOrder } from '#test/fixtures/prepared-shops.ts'
import {
  openTestShop,
  type Person,
  refuseWrites,
  type TestShop,
  openShopWithAnn,
} from '#test/fixtures/test-shop.ts'
import { parseName } from '#lib/auth/person-name.ts'

const userOf = (shop: Pick<TestShop, 'db'>, id: string) =>
  shop.db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'image', 'emailVerified', 'isAnonymous'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const drawn = (background = '#a86') =>
  sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'Secret Place' } })
    .toBuffer()

const sendPhoto = async (who: Pick<Person, 'act'>, background?: string) =>
  who.act('/account/photo', formOf({ file: fileOf(await drawn(background)) }))

test('a user’s new name appears in the greeting and the conversation, but her sales keep the old name [LOGIN-16, LOGIN-34, DATA-012]', async () => {
  const { shop, ann, owner } = await openShopWithOrder()
  await addSale(shop.db, { buyerId: ann.id, buyerName: 'Ann Then' })

  const answer = await ann.act('/account/name', { name: '  Ann   Maria\r\nKnott ' })

  expect(answer).toMatchObject({ status: 200, text: expect.stringContaining('Name saved') })
  expect(await greetingOf(ann)).toBe('Hello, Ann')
  expect(
    await shop.db.selectFrom('user').select('name').where('id', '=', ann.id).execute(),
  ).toEqual([{ name: 'Ann Maria Knott' }])
  expect(await owner.page('/manage/messages/')).toContain('Ann Maria Knott')
  expect(
    (await shop.db.selectFrom('sales').select('buyerName').execute()).map((sale) => sale.buyerName),
  ).toEqual(['Ann Then'])
  expect(shop.changedTopics).toEqual(
    expect.arrayContaining(['orders', `order:${ann.id}`, `user:${ann.id}`]),
  )
})

test('the shop stores the photo of a PNG file as a lossy image, so that noise does not fill the disk [S-353]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const png = await noise(480, 480).png().toBuffer()
  expect(
    (await ann.act('/account/photo', formOf({ file: fileOf(png, 'noise.png', 'image/png') })))
      .status,
  ).toBe(200)
  const original = (await shop.storage.list()).reduce((a, b) => (a.size > b.size ? a : b))
  expect(original.path).toMatch(/\.webp$/)
  expect(original.size).toBeLessThan(png.length / 2)
})

test('a user can remove her name from her account, even without JavaScript, and a hint says what the shop then calls her [LOGIN-16, S-009, S-406]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const owner = await shop.owner()
  await ann.act('/account/name', { name: 'Berta' })

  const response = await ann.post('/account/name', { name: ' ', back: '/account/' })

  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/account/')
  const page = pageOf(await ann.page('/account/'))
  expect(page.getByText('Name saved')).toBeTruthy()
  expect(page.getByText('Hello, ann')).toBeTruthy()
  expect(page.getByText(/Without a name, the shop calls you ann\./)).toBeTruthy()
  const ownHint = 'Without a name, customers see the name of the shop instead.'
  for (const path of ['/account/', '/manage/settings/']) {
    expect(await owner.page(path)).toContain(ownHint)
  }
})

test.each([81, 100_000])(
  'the account page refuses a user’s name of %d characters [LOGIN-49]',
  async (length) => {
    const name = 'x'.repeat(length)
    const { shop, ann } = await openShopWithAnn()
    expect(await ann.act('/account/name', { name })).toEqual({
      status: 422,
      text: expect.stringContaining('Unable to Update Profile'),
    })
    expect((await userOf(shop, ann.id)).name).toBe('')
  },
)

test.each(['name', 'photo'])(
  'when a user’s %s cannot be saved, nothing changes, and the page shows an error [LOGIN-49]',
  async (what) => {
    const { shop, ann } = await openShopWithOrder()
    await sendPhoto(ann)
    const before = await userOf(shop, ann.id)
    await refuseWrites(shop.db, shop.dialect, 'orders', 'update')

    const refused =
      what === 'name'
        ? await ann.act('/account/name', { name: 'Ann' })
        : await sendPhoto(ann, '#48a')

    expect(refused).toEqual({
      status: 500,
      text: expect.stringContaining('Unable to Update Profile'),
    })
    expect(await userOf(shop, ann.id)).toEqual(before)
    expect((await ann.get(before.image!)).status).toBe(200)
    expect((await listOrphanedImages(shop.shop)).files).toEqual([])
    expect(shop.logged.splice(0).map(({ message }) => message)).toEqual([
      `a ${what} could not be changed`,
    ])
  },
)

test.each([
  ['A\u202enn\u2066', 'Ann'],
  ['Ann\u0000\u0007\u2028B', 'Ann B'],
  ['Bcc: a@b\r\nX: y', 'Bcc: a@b X: y'],
  ['\u200b\u200d\ufe0f', ''],
  ['👩‍👩‍👧 Familie Müller', '👩‍👩‍👧 Familie Müller'],
  ['Zoe\u0308', 'Zoë'],
  ['<b>x</b>', '<b>x</b>'],
  ['a'.repeat(80), 'a'.repeat(80)],
])('the shop stores the typed name %j as %j [LOGIN-16]', (typed, name) => {
  expect(parseName(typed)).toBe(name)
})

test('a user’s photo is stored as a small square without metadata, and shown to the user and the owner [LOGIN-17, LOGIN-34, S-218]', async () => {
  const { shop, ann, owner } = await openShopWithOrder()

  expect(await sendPhoto(ann)).toMatchObject({
    status: 200,
    text: expect.stringContaining('Photo saved'),
  })
  const { image } = await userOf(shop, ann.id)
  expect(image).toMatch(/^\/pictures\/people\/[A-Za-z0-9]{22}\.240\.webp$/)
  const greeting = pageOf(await ann.page('/about/')).getByText('Hello, ann')
  expect(greeting.closest('p')!.querySelector('img')!.getAttribute('src')).toBe(image)
  const view = pageOf(await owner.page(`/manage/messages/${ann.id}`))
  const heading = view.getByRole('heading', { name: 'ann' }).closest('header')!
  expect(heading.querySelector('img')!.getAttribute('src')).toBe(image)
  const shown = await ann.get(image!)
  expect(shown.status).toBe(200)
  expect(shown.headers.get('content-type')).toBe('image/webp')
  const original = await shop.storage.read(
    (
      await shop.db
        .selectFrom('images')
        .select('path')
        .where('path', 'like', 'people/%')
        .executeTakeFirstOrThrow()
    ).path,
  )
  const { width, height, exif } = await sharp(original!).metadata()
  expect(width).toBe(480)
  expect(height).toBe(480)
  expect(exif).toBe(undefined)
})

test('a user’s new photo replaces the old photo on every page, and removing the photo deletes its files [LOGIN-17]', async () => {
  const { shop, ann } = await openShopWithOrder()
  await sendPhoto(ann)
  const first = (await userOf(shop, ann.id)).image!
  await addSale(shop.db, { buyerId: ann.id, buyerPhotoURL: first })

  await sendPhoto(ann, '#48a')

  const second = (await userOf(shop, ann.id)).image!
  expect(second).not.toBe(first)
  const shownIn = async () => [
    (await shop.db.selectFrom('orders').select('userPhotoURL').executeTakeFirstOrThrow())
      .userPhotoURL,
    (await shop.db.selectFrom('sales').select('buyerPhotoURL').executeTakeFirstOrThrow())
      .buyerPhotoURL,
  ]
  expect(await shownIn()).toEqual([second, second])
  expect((await ann.get(first)).status).toBe(404)
  const files = async () =>
    (await shop.storage.list()).map(({ path }) => path).filter((path) => path.startsWith('people/'))
  expect(await files()).toHaveLength(3)

  expect((await ann.act('/account/photo', { intent: 'remove' })).status).toBe(200)

  expect((await userOf(shop, ann.id)).image).toBeNull()
  expect(await shownIn()).toEqual(['', ''])
  expect(await files()).toEqual([])
  expect(await ann.page('/account/')).toContain('/placeholder-photo.svg')
})

test('when a user saves two photos simultaneously, one photo stays, and the file of the other photo is deleted [LOGIN-17]', async () => {
  const { shop, ann } = await openShopWithAnn()

  const both = await Promise.all([sendPhoto(ann), sendPhoto(ann, '#48a')])

  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const { image } = await userOf(shop, ann.id)
  expect((await ann.get(image!)).status).toBe(200)
  expect((await shop.storage.list()).filter(({ path }) => path.startsWith('people/'))).toHaveLength(
    3,
  )
  expect(await listOrphanedImages(shop.shop)).toMatchObject({ files: [], missing: [] })
})

test('when a user replaces or removes a photo, its file stays if the shop or another account uses it [LOGIN-17]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  const ben = await shop.customer('ben@mail.test')
  await sendPhoto(ann)
  const { image } = await userOf(shop, ann.id)
  await shop.db.updateTable('user').set({ image }).where('id', '=', ben.id).execute()
  await ben.act('/account/photo', { intent: 'remove' })
  expect((await ann.get(image!)).status).toBe(200)

  await shop.storage.put('people/owner.240.webp', new Uint8Array(await drawn()))
  await shop.db
    .updateTable('user')
    .set({ image: '/pictures/people/owner.240.webp' })
    .where('id', '=', ben.id)
    .execute()
  await sendPhoto(ben)
  expect((await ann.get('/pictures/people/owner.240.webp')).status).toBe(200)
})

test.each([
  ['nothing', 'select file', new FormData()],
  [
    'an SVG',
    'select image',
    formOf({ file: fileOf('<svg onload="alert(1)"/>', 'a.svg', 'image/svg+xml') }),
  ],
  ['a PDF', 'select image', formOf({ file: fileOf('%PDF', 'a.pdf', 'application/pdf') })],
  ['more than 10 MB', 'too big', formOf({ file: fileOf(new Uint8Array(10_485_761)) })],
])(
  'the account page refuses %s as a photo with the message "%s" [LOGIN-49, FILES-11, FILES-12]',
  async (_, why, form) => {
    const { shop, ann } = await openShopWithAnn()
    await sendPhoto(ann)
    const before = await userOf(shop, ann.id)
    form.set('image', 'javascript:alert(1)')
    const refused = await ann.act('/account/photo', form)
    expect(refused).toEqual({
      status: 422,
      text: expect.stringContaining('Unable to Update Profile'),
    })
    expect(refused.text).toContain(why)
    expect(await userOf(shop, ann.id)).toEqual(before)
  },
)
