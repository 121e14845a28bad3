import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { addSale } from '#test/a-sale.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { openShopWithOrder } from '#test/shop-with-order.ts'
import type { Person } from '#test/person.ts'
import { readName } from './profile.server.ts'

const userOf = (shop: Pick<TestShop, 'db'>, id: string) =>
  shop.db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'image', 'emailVerified', 'isAnonymous'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const drawn = (width = 900, height = 600, background = '#a86') =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .withExif({ IFD0: { Artist: 'Secret Place' } })
    .toBuffer()

function photoForm(bytes: Uint8Array<ArrayBuffer>, name = 'me.jpg', type = 'image/jpeg') {
  const form = new FormData()
  form.set('file', new File([bytes], name, { type }))
  return form
}
const sendPhoto = async (who: Pick<Person, 'act'>, background?: string) =>
  who.act('/account/photo', photoForm(new Uint8Array(await drawn(900, 600, background))))

test('LOGIN-16 LOGIN-34 S-217 a name greets its person and stands over the conversation; sales keep the name they had', async () => {
  const { shop, ann, owner } = await openShopWithOrder()
  await addSale(shop.db, { buyerId: ann.id, buyerName: 'Ann Then' })

  const done = await ann.act('/account/name', { name: '  Ann   Maria\r\nKnott ' })

  expect([done.status, done.text.includes('Name saved')]).toEqual([200, true])
  expect(await ann.page('/about/')).toContain('Hello, Ann<')
  expect(await owner.page('/manage/messages/')).toContain('Ann Maria Knott')
  expect((await shop.db.selectFrom('sales').select('buyerName').execute()).map((sale) => sale.buyerName)).toEqual(['Ann Then'])
  expect(shop.heard).toEqual(expect.arrayContaining(['orders', `order:${ann.id}`, `user:${ann.id}`]))
})

test('LOGIN-16 S-009 a name may be taken back, and without script the form leads back to the page with its text', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer('ann@mail.test')
  await ann.act('/account/name', { name: 'Berta' })

  const response = await ann.post('/account/name', { name: ' ', back: '/account/' })

  expect([response.status, response.headers.get('location')]).toEqual([303, '/account/'])
  const html = await ann.page('/account/')
  expect(html).toContain('Name saved')
  expect(html).toContain('Hello, ann<')
})

test('LOGIN-49 a name that is none says "Unable to Update Profile" and changes nothing', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  for (const name of ['x'.repeat(81), 'y'.repeat(100_000)]) {
    const refused = await ann.act('/account/name', { name })
    expect([refused.status, refused.text.includes('Unable to Update Profile')]).toEqual([422, true])
  }
  expect((await userOf(shop, ann.id)).name).toBe('')
})

test('LOGIN-49 a name that cannot be written says "Unable to Update Profile", and the conversation keeps the old one too', async () => {
  const { shop, ann } = await openShopWithOrder()
  await refuseWrites(shop.db, shop.dialect, 'orders', 'update')

  const refused = await ann.act('/account/name', { name: 'Ann' })

  expect([refused.status, refused.text.includes('Unable to Update Profile')]).toEqual([500, true])
  expect((await userOf(shop, ann.id)).name).toBe('')
  expect(shop.logged.splice(0).map(({ message }) => message)).toEqual(['a name could not be changed'])
})

test('LOGIN-16 what cannot be seen, breaks lines or turns the words around it is no part of a name', () => {
  expect(readName('A\u202enn\u2066')).toBe('Ann')
  expect(readName('Ann\u0000\u0007\u2028B')).toBe('Ann B')
  expect(readName('Bcc: a@b\r\nX: y')).toBe('Bcc: a@b X: y')
  expect(readName('\u200b\u200d\ufe0f')).toBe('')
  expect(readName('👩‍👩‍👧 Familie Müller')).toBe('👩‍👩‍👧 Familie Müller')
  expect(readName('Zoe\u0308')).toBe('Zoë')
  expect(readName('<b>x</b>')).toBe('<b>x</b>')
  expect(readName('a'.repeat(80))).toHaveLength(80)
})

test('LOGIN-16 LOGIN-17 a form changes nothing but the name, and nobody but its sender', async () => {
  const shop = await openTestShop()
  const [ann, ben] = [await shop.customer('ann@mail.test'), await shop.customer('ben@mail.test')]
  const before = await userOf(shop, ann.id)

  await ann.act('/account/name', {
    name: 'Ann',
    id: ben.id,
    userId: ben.id,
    email: 'x@mail.test',
    emailVerified: 'true',
    image: 'javascript:alert(1)',
    role: 'admin',
    isAnonymous: 'true',
  })

  expect(await userOf(shop, ann.id)).toEqual({ ...before, name: 'Ann' })
  expect((await userOf(shop, ben.id)).name).toBe('')
})

test('LOGIN-17 LOGIN-34 S-218 a photo is kept as a small square without what was said about it, and shown in the menu and to the owner', async () => {
  const { shop, ann, owner } = await openShopWithOrder()

  const done = await sendPhoto(ann)

  expect([done.status, done.text.includes('Photo saved')]).toEqual([200, true])
  const { image } = await userOf(shop, ann.id)
  expect(image).toMatch(/^\/pictures\/people\/[A-Za-z0-9]{22}\.240\.webp$/)
  expect(await ann.page('/about/')).toContain(`src="${image}"`)
  expect(await owner.page(`/manage/messages/${ann.id}`)).toContain(`src="${image}"`)
  const shown = await ann.get(image!)
  expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp'])
  const original = await shop.files.read(
    (await shop.db.selectFrom('pictures').select('path').where('path', 'like', 'people/%').executeTakeFirstOrThrow()).path,
  )
  const { width, height, exif } = await sharp(original!).metadata()
  expect([width, height, exif]).toEqual([480, 480, undefined])
})

test('LOGIN-17 the next photo takes the place of the last one everywhere, whose files are gone; removing it brings the placeholder back', async () => {
  const { shop, ann } = await openShopWithOrder()
  await sendPhoto(ann)
  const first = (await userOf(shop, ann.id)).image!
  await addSale(shop.db, { buyerId: ann.id, buyerPhotoURL: first })

  await sendPhoto(ann, '#48a')

  const second = (await userOf(shop, ann.id)).image!
  expect(second).not.toBe(first)
  const shownIn = async () => [
    (await shop.db.selectFrom('orders').select('userPhotoURL').executeTakeFirstOrThrow()).userPhotoURL,
    (await shop.db.selectFrom('sales').select('buyerPhotoURL').executeTakeFirstOrThrow()).buyerPhotoURL,
  ]
  expect(await shownIn()).toEqual([second, second])
  expect((await ann.get(first)).status).toBe(404)
  const files = async () => (await shop.files.list()).map(({ path }) => path).filter((path) => path.startsWith('people/'))
  expect(await files()).toHaveLength(3)

  expect((await ann.act('/account/photo', { intent: 'remove' })).status).toBe(200)

  expect((await userOf(shop, ann.id)).image).toBeNull()
  expect(await shownIn()).toEqual(['', ''])
  expect(await files()).toEqual([])
  expect(await ann.page('/account/')).toContain('/placeholder-photo.svg')
})

test('LOGIN-17 a face that came with the shop, or that another account shows, is not taken away from it', async () => {
  const shop = await openTestShop()
  const [ann, ben] = [await shop.customer('ann@mail.test'), await shop.customer('ben@mail.test')]
  await sendPhoto(ann)
  const { image } = await userOf(shop, ann.id)
  await shop.db.updateTable('user').set({ image }).where('id', '=', ben.id).execute()
  await ben.act('/account/photo', { intent: 'remove' })
  expect((await ann.get(image!)).status).toBe(200)

  await shop.files.put('people/owner.240.webp', new Uint8Array(await drawn()))
  await shop.db.updateTable('user').set({ image: '/pictures/people/owner.240.webp' }).where('id', '=', ben.id).execute()
  await sendPhoto(ben)
  expect((await ann.get('/pictures/people/owner.240.webp')).status).toBe(200)
})

test('LOGIN-49 FILES-11 FILES-12 what is no picture, or too large, or nothing, says "Unable to Update Profile" and why; the photo stays', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await sendPhoto(ann)
  const before = await userOf(shop, ann.id)
  const tries: [FormData, string][] = [
    [new FormData(), 'select file'],
    [photoForm(new TextEncoder().encode('<svg onload="alert(1)"/>'), 'a.svg', 'image/svg+xml'), 'select image'],
    [photoForm(new TextEncoder().encode('%PDF'), 'a.pdf', 'application/pdf'), 'select image'],
    [photoForm(new Uint8Array(10_485_761)), 'too big'],
  ]
  for (const [form, why] of tries) {
    form.set('image', 'javascript:alert(1)')
    const refused = await ann.act('/account/photo', form)
    expect([why, refused.status, refused.text.includes('Unable to Update Profile'), refused.text.includes(why)]).toEqual([
      why,
      422,
      true,
      true,
    ])
  }
  expect(await userOf(shop, ann.id)).toEqual(before)
  expect((await ann.get(before.image!)).status).toBe(200)
})

test('LOGIN-49 a photo whose account cannot be written leaves no file behind, and the old one stays', async () => {
  const { shop, ann } = await openShopWithOrder()
  await sendPhoto(ann)
  const before = await userOf(shop, ann.id)
  await refuseWrites(shop.db, shop.dialect, 'orders', 'update')

  const refused = await sendPhoto(ann, '#48a')

  expect([refused.status, refused.text.includes('Unable to Update Profile')]).toEqual([500, true])
  expect(await userOf(shop, ann.id)).toEqual(before)
  expect((await ann.get(before.image!)).status).toBe(200)
  expect((await listOrphans(shop.shop)).files).toEqual([])
  expect(shop.logged.splice(0).map(({ message }) => message)).toEqual(['a photo could not be changed'])
})

test('LOGIN-17 of two photos at once one stays, and nothing of the other', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()

  const both = await Promise.all([sendPhoto(ann), sendPhoto(ann, '#48a')])

  expect(both.map(({ status }) => status)).toEqual([200, 200])
  const { image } = await userOf(shop, ann.id)
  expect((await ann.get(image!)).status).toBe(200)
  expect((await shop.files.list()).filter(({ path }) => path.startsWith('people/'))).toHaveLength(3)
  expect(await listOrphans(shop.shop)).toMatchObject({ files: [], missing: [] })
})

test('034 a photo that a crash left behind is found by the sweep; the faces that came with the shop are not', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await sendPhoto(ann)
  const left = `people/${'x'.repeat(22)}.240.webp`
  for (const path of [left, 'people/owner.240.webp']) await shop.files.put(path, new Uint8Array(await drawn()))

  const orphans = await listOrphans(shop.shop)

  expect([orphans.files.map(({ path }) => path), orphans.missing]).toEqual([[left], []])
})

test('S-009 a photo that lies elsewhere is not shown, and visitors and guests change nothing', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await shop.db.updateTable('user').set({ image: 'https://elsewhere.test/me.jpg' }).where('id', '=', ann.id).execute()
  expect(await ann.page('/account/')).not.toContain('elsewhere.test/me.jpg" width')
  const guest = await shop.guest()
  for (const stranger of [shop.visitor(), guest])
    for (const [path, form] of [
      ['/account/name', { name: 'Eve' }],
      ['/account/photo', photoForm(new Uint8Array(await drawn()))],
    ] as const) {
      const response = await stranger.post(path, form)
      expect([response.status, response.headers.get('location')]).toEqual([302, '/login'])
    }
  expect(await userOf(shop, guest.id)).toMatchObject({ name: 'Guest', image: null })
})

test('034 the owner changes hers too, and her history says so', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await owner.act('/account/name', { name: 'Olga' })
  await sendPhoto(owner)
  const html = (await owner.page('/manage/history/')).replaceAll('<!-- -->', '')
  expect(html).toContain('Changed the name of Olga')
  expect(html).toContain('Changed the photo of Olga')
})
