/** Attacks on accounts by what a form says beyond what it asks: other ids, roles and marks, other people's things, other people's mailboxes. */
import { expect, test } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { listAllRows } from './all-rows.ts'
import { send, upload } from './chat-pictures.ts'
import { openTestShop, ORIGIN, OWNER, type TestShop } from './open-test-shop.ts'
import { person, type Person } from './person.ts'
import { letterTo } from './proof-letters.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

const PASSWORD = 'a-good-password'

/** All that a careless form could write into somebody's row, or be taken for somebody by. */
const morePrivileges = (id: string) => ({
  ...{ id, uid: id, userId: id, user: id, orderId: id, sender: id, sessionId: id, accountId: id, buyerId: id },
  ...{ role: 'admin', isAdmin: 'true', isAnonymous: 'true', emailVerified: 'true', twoFactorEnabled: 'true' },
  ...{ createdAt: '0', image: 'javascript:alert(1)', photoURL: 'javascript:alert(1)', providerId: 'google', trustDevice: 'true' },
})

/** What counts of each account, without the times of its last change. */
function marksOf({ db }: TestShop) {
  return db
    .selectFrom('user')
    .select(['id', 'isAnonymous', 'emailVerified', 'twoFactorEnabled', 'image', 'createdAt'])
    .orderBy('id')
    .execute()
}

test('ROLES-16 LOGIN-16 no form of an account takes more than it asks for: id, role and marks stay, whatever is sent along', async () => {
  const shop = await openTestShop()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const before = await marksOf(shop)
  const bystanders = async () => (await listAllRows(shop.db)).user!.filter(({ id }) => id !== ann.id)
  const others = await bystanders()
  for (const id of [ADMIN_ID, bea.id]) {
    const more = morePrivileges(id)
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
      const { status } = await ann.act(path, { ...more, ...form })
      expect([path, status < 400 || status === 409], path).toEqual([path, true])
    }
    expect((await ann.get('/manage/')).status).toBe(302)
  }
  expect(await marksOf(shop)).toEqual(before)
  expect(await bystanders()).toEqual(others)
  const whose = async (table: 'orders' | 'favourites') => shop.db.selectFrom(table).select('userId').execute()
  expect([await whose('orders'), await whose('favourites')]).toEqual([[{ userId: ann.id }], [{ userId: ann.id }]])
  expect(new Set((await shop.db.selectFrom('messages').select('sender').execute()).map(({ sender }) => sender))).toEqual(new Set([ann.id]))
})

test('ROLES-16 S-002 nor do linking, a letter’s code and the login: a guest stays her own uid, unconfirmed, and nobody is the owner', async () => {
  const shop = await openTestShop()
  const [guest, bea] = [await shop.guest(), await shop.customer('bea@mail.test')]
  const more = morePrivileges(bea.id)
  await guest.post('/link-guest/', { ...more, id: ADMIN_ID, userId: ADMIN_ID, email: 'new@mail.test', password: PASSWORD })
  const row = await shop.db.selectFrom('user').selectAll().where('email', '=', 'new@mail.test').executeTakeFirstOrThrow()
  expect([row.id, Boolean(row.isAnonymous), Boolean(row.emailVerified), Boolean(row.twoFactorEnabled), row.image]).toEqual([
    guest.id,
    false,
    false,
    false,
    null,
  ])
  const { code } = await letterTo(shop, 'new@mail.test')
  await shop.visitor().post('/confirm-email/', { ...more, code, email: 'bea@mail.test', newEmail: OWNER.email })
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'new@mail.test' })
  const reset = await letterTo(shop, 'new@mail.test')
  await shop
    .visitor()
    .post('/reset-password/', { ...more, intent: 'choose', email: 'bea@mail.test', code: reset.code, password: 'the-new-password' })
  const people = await shop.db.selectFrom('user').select(['id', 'email', 'emailVerified']).orderBy('email').execute()
  expect(people.map(({ id, email, emailVerified }) => [id, email, Boolean(emailVerified)])).toEqual([
    [bea.id, 'bea@mail.test', false],
    [guest.id, 'new@mail.test', true],
    [ADMIN_ID, OWNER.email, true],
  ])
  expect((await bea.get('/account/')).status).toBe(200)
  const somebody = shop.visitor()
  await somebody.post('/login/', { ...morePrivileges(ADMIN_ID), intent: 'login', email: 'new@mail.test', password: 'the-new-password' })
  expect([(await somebody.get('/account/')).status, (await somebody.get('/manage/')).headers.get('location')]).toEqual([200, '/'])
})

test('S-001 nobody ends, reads, takes along or shows what is another’s by naming it', async () => {
  const shop = await openTestShop()
  const [ann, eve] = [await shop.customer('ann@mail.test'), await shop.customer('eve@mail.test')]
  const picture = await upload(ann)
  await send(ann, { messageId: 'annsmessage0000', message: 'Ann lives in Elm Road' })
  const sessions = await shop.db.selectFrom('session').selectAll().where('userId', '=', ann.id).execute()
  const guest = await shop.guest()
  const whoever: [string, Person][] = [
    ['visitor', shop.visitor()],
    ['guest', guest],
    ['customer', eve],
  ]
  for (const [who, somebody] of whoever) {
    for (const { id, token } of sessions) {
      await somebody.post('/account/devices', { id })
      await somebody.post('/account/devices', { id: token, userId: ann.id })
    }
    await somebody.post('/account/devices', { intent: 'others', confirm: 'Yes', userId: ann.id, id: ann.id })
    expect([who, (await somebody.get(picture.url)).status >= 300], who).toEqual([who, true])
    const seen = await Promise.all([
      somebody.page(`/messages/earlier/${ann.id}?before=99`),
      somebody.page(`/?messages=${ann.id}`),
      somebody.page(`/account/?userId=${ann.id}`),
      (await somebody.post('/account/data', { id: ann.id, userId: ann.id })).text(),
    ])
    for (const text of seen) expect(text.includes('Elm Road') || text.includes('ann@mail.test'), who).toBe(false)
    await somebody.act('/messages', { intent: 'delete', messageId: 'annsmessage0000', orderId: ann.id })
    await send(somebody, { messageId: 'evesmessage0000', pictures: picture.id, message: 'x' })
    await somebody.post('/account/delete', { id: ann.id, userId: ann.id, password: 'not-her-password' })
  }
  expect((await ann.get('/account/')).status).toBe(200)
  expect(await shop.db.selectFrom('chatUploads').select(['pictureId', 'sender']).execute()).toEqual([
    { pictureId: picture.id, sender: ann.id },
  ])
  expect(await ann.page('/?messages=')).toContain('Elm Road')
})

test('S-237 nobody’s mailbox is filled by accounts that are made with its address and deleted again, or changed to it', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const heard: string[] = []
  const { post } = shop.shop.mail
  shop.shop.mail.post = async (tx, letter, now) => {
    heard.push(letter.to)
    return post(tx, letter, now)
  }
  for (let round = 0; round < 14; round++) {
    const bully = person(shop.app, ORIGIN, `198.51.100.${round}`)
    const made = await bully.post('/login/', { intent: 'register', email: 'victim@mail.test', password: PASSWORD })
    expect(made.status).toBe(302)
    await bully.post('/account/delete', { password: PASSWORD })
  }
  expect(heard.filter((to) => to === 'victim@mail.test')).toHaveLength(10)
  const bully = person(shop.app, ORIGIN, '198.51.100.99')
  await bully.post('/login/', { intent: 'register', email: 'bully@mail.test', password: PASSWORD })
  const told = await bully.act('/account/email', { email: 'Victim@mail.test', password: PASSWORD })
  expect([told.status, told.text.includes('Too many tries')]).toEqual([429, true])
  expect(heard.filter((to) => to === 'victim@mail.test')).toHaveLength(10)
})
