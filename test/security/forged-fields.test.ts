/**
 * Sends forms with extra fields, forms with repeated fields, and forms that the shop rendered for
 * another user.
 */
import { expect, test } from 'vitest'
import { OWNER_ID } from '#services/owner-id.ts'
import { emailTo } from '#test/fixtures/accounts.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { readIn } from '#test/fixtures/chat.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { formOf, hiddenFieldsOf } from '#test/fixtures/html.ts'
import { corners } from '#test/fixtures/images.ts'
import {
  openTestShop,
  ORIGIN,
  OWNER,
  type Person,
  openShopWithAnn,
} from '#test/fixtures/test-shop.ts'

const PASSWORD = 'a-good-password'

async function openShopWithMoon() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  return shop
}

/**
 * Extra fields that would change the user's id or role if an action stored every field that it
 * receives.
 */
const morePrivileges = (id: string) => ({
  ...{
    id,
    uid: id,
    userId: id,
    user: id,
    orderId: id,
    sender: id,
    sessionId: id,
    accountId: id,
    buyerId: id,
  },
  ...{
    role: 'owner',
    isOwner: 'true',
    isAnonymous: 'true',
    emailVerified: 'true',
    twoFactorEnabled: 'true',
  },
  ...{
    createdAt: '0',
    image: 'javascript:alert(1)',
    photoURL: 'javascript:alert(1)',
    providerId: 'google',
    trustDevice: 'true',
  },
})

test('no extra field in an account form changes the id, the role or the guest flag of the user [ROLES-16, LOGIN-16]', async () => {
  const shop = await openShopWithMoon()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const flags = shop.db
    .selectFrom('user')
    .select(['id', 'isAnonymous', 'emailVerified', 'twoFactorEnabled', 'image', 'createdAt'])
    .orderBy('id')
  const state = async () => [
    await flags.execute(),
    (await listAllRows(shop.db)).user!.filter(({ id }) => id !== ann.id),
  ]
  const before = await state()
  for (const id of [OWNER_ID, bea.id]) {
    const forms: Record<string, Record<string, string>> = {
      '/account/name': { name: 'Ann' },
      '/account/email': { email: 'annie@mail.test', password: PASSWORD },
      '/account/verification': {},
      '/account/photo': { intent: 'remove' },
      '/account/password': { password: PASSWORD, newPassword: PASSWORD },
      '/favourite': { itemId: 'moon', wanted: 'yes' },
      '/messages': { intent: 'send', message: 'Hello', messageId: '' },
      '/order-request': { itemId: 'moon', message: 'Mine?', messageId: '' },
      '/theme': { theme: 'light' },
    }
    for (const [path, form] of Object.entries(forms)) {
      const { status } = await ann.act(path, { ...morePrivileges(id), ...form })
      expect(status < 400 || status === 409, path).toBe(true)
    }
    expect((await ann.get('/manage/')).status).toBe(302)
  }
  expect(await state()).toEqual(before)
  for (const table of ['orders', 'favorites'] as const) {
    expect(await shop.db.selectFrom(table).select('userId').execute()).toEqual([{ userId: ann.id }])
  }
  expect(await shop.db.selectFrom('messages').select('sender').distinct().execute()).toEqual([
    { sender: ann.id },
  ])
})

test('the forms for registration, linking, codes and login ignore extra fields [ROLES-16, S-002]', async () => {
  const shop = await openTestShop()
  const [guest, bea] = [await shop.guest(), await shop.customer('bea@mail.test')]
  const more = morePrivileges(bea.id)
  await guest.post('/link-guest/', {
    ...more,
    id: OWNER_ID,
    userId: OWNER_ID,
    email: 'new@mail.test',
    password: PASSWORD,
  })
  const { id, ...row } = await shop.db
    .selectFrom('user')
    .selectAll()
    .where('email', '=', 'new@mail.test')
    .executeTakeFirstOrThrow()
  expect(id).toEqual(guest.id)
  expect(row.image).toBe(null)
  expect([row.isAnonymous, row.emailVerified, row.twoFactorEnabled].map(Boolean)).toEqual([
    false,
    false,
    false,
  ])
  const { code } = await emailTo(shop, 'new@mail.test')
  await shop.visitor().post('/confirm-email/', {
    ...more,
    code,
    email: 'bea@mail.test',
    newEmail: OWNER.email,
    password: 'another-new-password',
  })
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'new@mail.test' })
  const reset = {
    intent: 'choose',
    email: 'bea@mail.test',
    code: (await emailTo(shop, 'new@mail.test')).code,
  }
  await shop.visitor().post('/reset-password/', { ...more, ...reset, password: 'the-new-password' })
  const people = await shop.db
    .selectFrom('user')
    .select(['id', 'email', 'emailVerified'])
    .orderBy('email')
    .execute()
  expect(people.map(({ id, email, emailVerified }) => [id, email, Boolean(emailVerified)])).toEqual(
    [
      [bea.id, 'bea@mail.test', false],
      [guest.id, 'new@mail.test', true],
      [OWNER_ID, OWNER.email, true],
    ],
  )
  expect((await bea.get('/account/')).status).toBe(200)
  const asOwner = morePrivileges(OWNER_ID)
  const [eve, stranger] = [shop.visitor(), shop.visitor()]
  await eve.post('/login/', {
    ...asOwner,
    intent: 'register',
    email: 'eve@mail.test',
    password: PASSWORD,
    name: 'Owner',
  })
  await stranger.post('/login/', { ...asOwner, intent: 'guest' })
  for (const client of [eve, stranger]) {
    expect((await client.get('/manage/')).headers.get('location')).toBe('/')
  }
  const registered = await shop.db
    .selectFrom('user')
    .selectAll()
    .where('email', '=', 'eve@mail.test')
    .executeTakeFirstOrThrow()
  expect(registered.id === OWNER_ID).toBe(false)
  expect(registered.name).toBe('Owner')
  expect(registered.image).toBe(null)
  expect(
    [registered.isAnonymous, registered.emailVerified, registered.twoFactorEnabled].map(Boolean),
  ).toEqual([false, false, false])
  const client = shop.visitor()
  await client.post('/login/', {
    ...asOwner,
    intent: 'login',
    email: 'new@mail.test',
    password: 'the-new-password',
  })
  expect((await client.get('/account/')).status).toBe(200)
  expect((await client.get('/manage/')).headers.get('location')).toBe('/')
})

test('the shop reads the first of several fields with the same name, and ignores URL parameters with that name', async () => {
  const shop = await openTestShop()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const headers = { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' }
  const send = (path: string, body: string, who: Person = ann) =>
    who.send(path, { method: 'POST', body, headers })
  await send(
    `/account/name?name=Two&userId=${bea.id}`,
    `name=One&name=Three&name[]=Two&id=${bea.id}`,
  )
  const named = shop.db
    .selectFrom('user')
    .select(['id', 'name'])
    .where('name', 'in', ['One', 'Two', 'Three'])
  expect(await named.execute()).toEqual([{ id: ann.id, name: 'One' }])

  await send('/account/devices?intent=others&confirm=Yes', '')
  await send('/account/devices?confirm=Yes', 'intent=others&confirm=No&confirm=Yes')
  await send('/account/photo?intent=remove', 'x=1')
  expect((await ann.get('/account/')).status).toBe(200)
  for (const [path, body] of [
    ['/account/delete?password=a-good-password', 'back=/account/'],
    ['/account/delete', 'password=wrong-password&password=a-good-password&back=/account/'],
  ] as const) {
    expect((await send(path, body)).headers.get('location')).toBe('/account/')
  }
  const guest = await shop.guest()
  expect((await send('/logout?confirm=Yes', 'back=/', guest)).status).toBe(303)
  expect((await send('/logout', 'confirm=No&confirm=Yes&back=/', guest)).status).toBe(303)
  const users = await shop.db.selectFrom('user').select('id').execute()
  expect(users.map(({ id }) => id).toSorted()).toEqual(
    ['owner', ann.id, bea.id, guest.id].toSorted(),
  )

  // A form with two email addresses must not log in, because the shop reads only the first email
  // address and the first password.
  const twice = shop.visitor()
  await send(
    '/login/',
    'intent=login&email=ann@mail.test&email=bea@mail.test&password=wrong-password&password=a-good-password',
    twice,
  )
  await send(
    '/login/?intent=guest',
    'intent=login&intent=guest&email=unknown@mail.test&password=wrong-password',
    twice,
  )
  expect(twice.cookies.has('shop.session_token')).toBe(false)
})

const hiddenFields = (html: string, action: string) =>
  hiddenFieldsOf(html, `form[action="${action}"]`)

test('the shop refuses a form that it rendered for another customer, and shows the sender’s text again [S-171, ITEM-27, S-133]', async () => {
  const shop = await openShopWithMoon()
  const browser = await shop.customer('ann@mail.test')
  const chat = hiddenFields(await browser.page('/?messages'), '/messages')
  const request = hiddenFields(await browser.page('/item/moon'), '/order-request')
  expect(chat.writer).toBe(browser.id)
  expect(request.writer).toBe(browser.id)

  await browser.post('/logout', {})
  await browser.post('/login/', { intent: 'register', email: 'mia@mail.test', password: PASSWORD })
  for (const [path, fields] of Object.entries({ '/messages': chat, '/order-request': request })) {
    const answer = await browser.post(path, { ...fields, message: 'From Ann alone' })
    expect(answer.status, path).toBe(403)
    expect(await answer.text()).toContain('From Ann alone')
  }
  expect((await browser.act('/order-request', { ...request, message: 'x', back: '' })).status).toBe(
    403,
  )
  expect(await shop.db.selectFrom('messages').select('id').execute()).toEqual([])
  expect(await shop.db.selectFrom('requests').select('id').execute()).toEqual([])

  const { id } = await shop.db
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'mia@mail.test')
    .executeTakeFirstOrThrow()
  const fresh = hiddenFields(await browser.page('/item/moon'), '/order-request')
  expect((await browser.post('/order-request', { ...fresh, message: 'From Mia' })).status).toBe(303)
  expect((await readIn(shop, id)).map(({ message }) => message)).toEqual(['From Mia'])
})

test('if a form with an image is sent twice, the image is stored only once [S-169, S-173]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const fields = hiddenFields(await ann.page('/?messages'), '/messages')
  const draw = async (width: number) =>
    new File([new Uint8Array(await corners(width, 40).jpeg().toBuffer())], 'a.jpg', {
      type: 'image/jpeg',
    })
  const [wide, narrow] = [await draw(90), await draw(60)]
  // The first two forms simulate a double click. Then the customer goes back and sends the form
  // with other images.
  for (const files of [[wide], [wide], [narrow], [wide, narrow], []]) {
    expect((await ann.post('/messages', formOf({ ...fields, message: '', files }))).status).toBe(
      303,
    )
  }

  const shown = (await readIn(shop, ann.id)).map(({ images = [] }) =>
    images.map((image) => image!.width),
  )
  expect(shown).toEqual([[90], [60], [90, 60]])
  expect(await shop.db.selectFrom('chatUploads').select('imageId').execute()).toEqual([])
  expect(await shop.db.selectFrom('images').select('id').execute()).toHaveLength(4)
})
