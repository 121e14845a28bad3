/** Tests that an attacker cannot take over an account, not even with concurrent requests. */
import { expect, test } from 'vitest'
import { revokeSessions } from '#auth/sessions.server.ts'
import { deleteAccount } from '#account/delete-account/delete-account.server.ts'
import {
  answerWith,
  change,
  clara,
  confirm,
  customer,
  emailsTo,
  emailTo,
  greetingOf,
  like,
  openGuestAndAccount,
  openTotpApp,
  logInToLink,
  say,
  SECOND_FACTOR,
  seenBy,
  turnOnSecondFactor,
} from '#test/fixtures/accounts.ts'
import {
  expectNothingLeft,
  fileOf,
  idOf,
  post as sendImage,
  send,
  upload,
} from '#test/fixtures/chat.ts'
import { listAllRows } from '#test/fixtures/database.ts'
import { goingTo, visitProvider } from '#test/fixtures/oidc-provider.ts'
import { placeOrder } from '#test/fixtures/orders.ts'
import { openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'
import { insertAccount } from '#services/users.server.ts'
import { pageOf } from '#test/fixtures/html.ts'
import {
  openTestShop,
  OWNER,
  type Person,
  type TestShop,
  openShopWithAnn,
} from '#test/fixtures/test-shop.ts'

const OLD = 'a-good-password'
const NEW = 'another-good-password'
const login = (who: Person, email: string, password: string) =>
  who.post('/login/', { intent: 'login', email, password })
const changePassword = (who: Person, password = OLD, code = '') =>
  who.act('/account/password', { password, newPassword: NEW, code })
const choosePassword = (who: Person, code: string, password = NEW) =>
  who.post('/reset-password/', { intent: 'choose', code, password })

async function resetPassword(shop: TestShop, who: Person, email: string, password = NEW) {
  await who.post('/reset-password/', { intent: 'ask', email })
  await choosePassword(who, (await emailTo(shop, email)).code, password)
}

test.for([false, true])(
  'a new password ends a pending email change (address verified: %s) [S-220, S-230]',
  async (isConfirmed) => {
    const shop = await openTestShop()
    const ann = await customer(shop, isConfirmed)
    const thief = shop.visitor()
    await login(thief, 'ann@mail.test', OLD)
    await change(thief, 'thief@mail.test')
    const { code } = await emailTo(shop, isConfirmed ? 'ann@mail.test' : 'thief@mail.test')

    expect((await changePassword(ann)).status).toBe(200)

    expect((await confirm(shop.visitor(), code)).status).toBe(422)
    expect(
      await shop.db.selectFrom('user').select('email').where('id', '=', ann.id).execute(),
    ).toEqual([{ email: 'ann@mail.test' }])
    expect(await ann.page('/account/')).not.toContain('thief@mail.test')
  },
)

test('a password change makes older password-reset links invalid, but not older email-confirmation links [S-220]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const [verification] = await shop.db.selectFrom('verificationTokens').select('id').execute()
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const { code } = await emailTo(shop, 'ann@mail.test')
  await changePassword(ann)
  expect((await choosePassword(shop.visitor(), code, 'a-third-password')).status).toBe(422)
  expect((await login(shop.visitor(), 'ann@mail.test', NEW)).status).toBe(302)
  expect((await confirm(ann, shop.shop.verificationCodes.codeOf(verification!.id))).status).toBe(
    200,
  )
})

test('when a customer confirms her email address, a pending change of the address ends [S-230]', async () => {
  const shop = await openTestShop()
  const victim = shop.visitor()
  await victim.post('/login/', { intent: 'register', email: 'victim@mail.test', password: OLD })
  const verification = await emailTo(shop, 'victim@mail.test')
  await change(victim, 'squatter@mail.test')
  const { code } = await emailTo(shop, 'squatter@mail.test')

  expect((await confirm(victim, verification.code)).status).toBe(200)

  expect((await confirm(shop.visitor(), code)).status).toBe(422)
  const people = await shop.db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '!=', 'owner')
    .execute()
  expect(people.map(({ email, emailVerified }) => [email, Boolean(emailVerified)])).toEqual([
    ['victim@mail.test', true],
  ])
})

test('a stranger who registered with the address of another person loses the account when she confirms the address [LOGIN-57, S-485]', async () => {
  const shop = await openTestShop()
  const stranger = shop.visitor()
  await stranger.post('/login/', { intent: 'register', email: 'victim@mail.test', password: OLD })
  const { code } = await emailTo(shop, 'victim@mail.test')
  const { userId } = await shop.db
    .selectFrom('verificationTokens')
    .select('userId')
    .executeTakeFirstOrThrow()
  await insertAccount(
    shop.db,
    { userId, providerId: 'google', accountId: '1' },
    new Date(),
  ).execute()
  const victim = shop.visitor()
  expect((await confirm(victim, code)).status).toBe(200)
  expect((await confirm(victim, code, 'short')).status).toBe(422)
  expect(await isLoggedIn(stranger)).toBe(true)

  expect(await (await confirm(victim, code, NEW)).text()).toContain('Please log in with it.')

  expect(await isLoggedIn(stranger)).toBe(false)
  expect((await login(stranger, 'victim@mail.test', OLD)).status).toBe(401)
  expect((await login(victim, 'victim@mail.test', NEW)).status).toBe(302)
  const accounts = shop.db.selectFrom('account').select('providerId').where('userId', '=', userId)
  expect(await accounts.execute()).toEqual([{ providerId: 'credential' }])
  expect((await emailsTo(shop, 'victim@mail.test')).at(-1)!.subject).toBe(
    'Your password for Knots & Love was changed',
  )
})

test('a stranger who changed her email to the address of another person loses the account when she confirms the address [LOGIN-57, S-485]', async () => {
  const shop = await openTestShop()
  const stranger = await customer(shop, true)
  await change(stranger, 'victim@mail.test')
  await confirm(shop.visitor(), (await emailTo(shop, 'ann@mail.test')).code)
  const { code } = await emailTo(shop, 'victim@mail.test')
  const victim = shop.visitor()
  const page = pageOf(await victim.page(`/confirm-email/?code=${code}`))
  expect(page.getByLabelText('New password')).toBeTruthy()

  expect((await confirm(victim, code, NEW)).status).toBe(200)

  expect(await isLoggedIn(stranger)).toBe(false)
  expect((await login(stranger, 'victim@mail.test', OLD)).status).toBe(401)
  expect((await login(victim, 'victim@mail.test', NEW)).status).toBe(302)
})

const isLoggedIn = async (who: Person) => (await who.get('/account/')).status === 200

test.for(['change', 'reset', 'all devices', 'admin log-out', 'admin log-out everybody'] as const)(
  'a guest cannot link an account whose login sessions have ended (%s) since the guest entered its password [S-212, S-220]',
  async (way) => {
    const { shop, account, guest } = await openGuestAndAccount()
    expect((await logInToLink(guest)).status).not.toBe(401)
    const seen = await seenBy(guest)
    if (way === 'change') await changePassword(account)
    else if (way === 'reset') await resetPassword(shop, account, clara.email)
    else if (way === 'all devices') {
      await account.post('/account/devices', { intent: 'others', confirm: 'Yes' })
    } else {
      await revokeSessions(shop, way === 'admin log-out' ? clara.email : 'everybody')
    }

    await answerWith(guest, 'Yes', seen)

    expect(await greetingOf(guest)).toBe('Hello, Guest')
    expect((await guest.get('/account/')).status).toBe(302)
    const sessions = await shop.db
      .selectFrom('session')
      .select('id')
      .where('userId', '=', account.id)
      .execute()
    expect(sessions.length).toBe(way === 'change' || way === 'all devices' ? 1 : 0)
  },
)

test.for(['change', 'reset', 'admin log-out'] as const)(
  'the shop refuses the two-factor code of a login that began before all sessions of the account were ended by: %s [S-233]',
  async (way) => {
    const shop = await openTestShop()
    const app = openTotpApp()
    const owner = await shop.owner()
    const codes = await turnOnSecondFactor(owner, app, OWNER.password)
    const [thief, again] = [shop.visitor(), shop.visitor()]
    await login(thief, OWNER.email, OWNER.password)
    if (way === 'change') await changePassword(owner, OWNER.password, app.next())
    else if (way === 'reset') await resetPassword(shop, shop.visitor(), OWNER.email)
    else await revokeSessions(shop, OWNER.email)

    expect((await thief.post('/login/code/', { code: codes[0]! })).status).toBe(401)
    expect((await thief.get('/manage/')).status).toBe(302)
    await login(again, OWNER.email, way === 'admin log-out' ? OWNER.password : NEW)
    expect((await again.post('/login/code/', { code: app.next() })).status).toBe(302)
    expect(await again.page(SECOND_FACTOR)).toContain('10 recovery codes are left')
  },
)

const waysToSecure = [
  'password reset',
  'password change',
  'turning two-step login on',
  'password reset with two-step login',
] as const
test.for(
  waysToSecure.flatMap((way) => (['login', 'link'] as const).map((kind) => [kind, way] as const)),
)(
  'the shop refuses a %s if the account is changed while the shop checks the password: %s [S-380]',
  async ([kind, way]) => {
    const { shop, account, guest } = await openGuestAndAccount()
    await shop.db
      .updateTable('user')
      .set({ emailVerified: true })
      .where('id', '=', account.id)
      .execute()
    const app = openTotpApp()
    if (way === 'password reset with two-step login') await turnOnSecondFactor(account, app, OLD)
    const { password } = await shop.auth.$context
    const [{ verify }, begun, finished] = [
      password,
      Promise.withResolvers<void>(),
      Promise.withResolvers<void>(),
    ]
    password.verify = async (given) => {
      password.verify = verify
      begun.resolve()
      await finished.promise
      return verify(given)
    }
    const thief = shop.visitor()
    const late = kind === 'login' ? login(thief, clara.email, OLD) : logInToLink(guest)
    await begun.promise
    if (way === 'password change') expect((await changePassword(account)).status).toBe(200)
    else if (way === 'turning two-step login on') {
      expect(await turnOnSecondFactor(account, app, OLD)).toHaveLength(10)
    } else await resetPassword(shop, shop.visitor(), clara.email)
    const left = () =>
      shop.db.selectFrom('session').select('id').where('userId', '=', account.id).execute()
    const ownSessions = await left()
    finished.resolve()

    expect((await late).status).toBe(401)
    expect(await left()).toEqual(ownSessions)
    expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
    expect(
      await shop.db
        .selectFrom('verification')
        .select('id')
        .where('value', '=', account.id)
        .execute(),
    ).toEqual([])
    expect([...thief.cookies.keys()]).toEqual([])
  },
)

test('the shop refuses a link or a two-factor code if the password is reset just before the link or the session is stored [S-380]', async () => {
  const { shop, account, guest } = await openGuestAndAccount()
  const { api, $context } = shop.auth
  const { getSession } = api
  api.getSession = (async (given: Parameters<typeof getSession>[0]) => {
    const found = await getSession(given)
    if (JSON.stringify(found).includes(clara.email)) {
      await resetPassword(shop, shop.visitor(), clara.email)
    }
    return found
  }) as typeof getSession
  expect((await logInToLink(guest)).status).toBe(401)
  expect(await shop.db.selectFrom('guestLinks').selectAll().execute()).toEqual([])
  api.getSession = getSession

  await login(account, clara.email, NEW)
  const codes = await turnOnSecondFactor(account, openTotpApp(), NEW)
  const thief = shop.visitor()
  await login(thief, clara.email, NEW)
  const { internalAdapter } = await $context
  const { consumeVerificationValue } = internalAdapter
  internalAdapter.consumeVerificationValue = async (identifier) => {
    const consumed = await consumeVerificationValue(identifier)
    if (consumed?.value === account.id) await resetPassword(shop, shop.visitor(), clara.email, OLD)
    return consumed
  }
  expect((await thief.post('/login/code/', { code: codes[0]! })).status).toBe(401)
  expect(
    await shop.db.selectFrom('session').select('id').where('userId', '=', account.id).execute(),
  ).toEqual([])
})

test.each([
  { intent: 'login', email: 'ann@mail.test', password: OLD },
  { intent: 'register', email: 'bea@mail.test', password: OLD },
  { intent: 'guest' },
] as Record<string, string>[])(
  'the $intent form replaces an invalid session cookie [LOGIN-11, LOGIN-12, LOGIN-14]',
  async (form) => {
    const shop = await openTestShop()
    const old = new Map((await shop.customer()).cookies)
    await shop.db.deleteFrom('session').execute()
    const someone = shop.visitor()
    for (const [name, value] of old) someone.cookies.set(name, value)
    expect((await someone.post('/login/', form)).status).toBe(302)
    // The cookie of a known device may keep its value, because it grants no access.
    for (const [name, value] of old) {
      if (name !== 'known') expect(someone.cookies.get(name)).not.toBe(value)
    }
    expect((await someone.get('/login/')).status).toBe(302)
  },
)

test('a user who sends another customer’s id can neither read nor change her data, nor end her sessions [S-001]', async () => {
  const shop = await openTestShop()
  const [ann, eve] = [await shop.customer('ann@mail.test'), await shop.customer('eve@mail.test')]
  const image = await upload(ann)
  await send(ann, { messageId: 'annsmessage0000', message: 'Ann lives in Elm Road' })
  const sessions = await shop.db
    .selectFrom('session')
    .selectAll()
    .where('userId', '=', ann.id)
    .execute()
  const hers = { id: ann.id, userId: ann.id }
  for (const [role, person] of Object.entries({
    visitor: shop.visitor(),
    guest: await shop.guest(),
    customer: eve,
  })) {
    for (const { id, token } of sessions) {
      await person.post('/account/devices', { id })
      await person.post('/account/devices', { id: token, userId: ann.id })
    }
    await person.post('/account/devices', { intent: 'others', confirm: 'Yes', ...hers })
    expect((await person.get(image.url)).status >= 300, role).toBe(true)
    const seen = await Promise.all([
      ...[
        `/messages/earlier/${ann.id}?before=99`,
        `/?messages=${ann.id}`,
        `/account/?userId=${ann.id}`,
      ].map(person.page),
      (await person.post('/account/data', hers)).text(),
    ])
    for (const text of seen) {
      expect(text.includes('Elm Road') || text.includes('ann@mail.test'), role).toBe(false)
    }
    await person.act('/messages', {
      intent: 'delete',
      messageId: 'annsmessage0000',
      orderId: ann.id,
    })
    await send(person, { messageId: idOf('evesmessage'), images: image.id, message: 'x' })
    await person.post('/account/delete', { ...hers, password: 'not-her-password' })
  }
  expect((await ann.get('/account/')).status).toBe(200)
  expect(await shop.db.selectFrom('chatUploads').select(['imageId', 'sender']).execute()).toEqual([
    { imageId: image.id, sender: ann.id },
  ])
  expect(await ann.page('/?messages=')).toContain('Elm Road')
})

test('if an email address is registered, linked and used with Google at the same time, it gets only one account [S-208]', async () => {
  const { shop } = await openShopWithGoogle()
  for (let round = 0; round < 2; round++) {
    const [gina, squatter, guest] = [shop.visitor(), shop.visitor(), await shop.guest()]
    const address = await visitProvider(goingTo(await gina.post('/login/google', {})), 'gina')
    await Promise.all([
      gina.get(address),
      squatter.post('/login/', { intent: 'register', email: 'gina@mail.test', password: OLD }),
      guest.post('/link-guest/', { email: 'gina@mail.test', password: OLD }),
    ])
    const holders = await shop.db
      .selectFrom('user')
      .select('id')
      .where('email', '=', 'gina@mail.test')
      .execute()
    expect(holders).toHaveLength(1)
    expect(
      await shop.db
        .selectFrom('account')
        .select('id')
        .where('userId', '=', holders[0]!.id)
        .execute(),
    ).toHaveLength(1)
    await shop.db.deleteFrom('user').where('id', '<>', 'owner').execute()
  }
})

test('the shop does not store an image that a customer uploads while her account is being deleted [S-174, LOGIN-24]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const { prepare } = shop.shop.images
  shop.shop.images.prepare = async (...given) => {
    const prepared = await prepare(...given)
    await deleteAccount(shop.shop, ann.id, 'herself')
    return prepared
  }
  expect(await sendImage(ann, fileOf())).toMatchObject({ state: 'error' })
  await expectNothingLeft(shop)
})

test.each(['message', 'order'])(
  'if an account is deleted while a guest with a %s links it, all or none of the guest’s data is moved [S-213, LOGIN-24]',
  async (thing) => {
    const { shop, account, guest } = await openGuestAndAccount()
    await like(guest, 'moon')
    if (thing === 'message') await say(guest, 'Hello from the guest')
    else await placeOrder(shop.db, [{ itemId: 'sun' }], { id: guest.id, userId: guest.id })
    await logInToLink(guest)
    const seen = await seenBy(guest)
    const [moved, deleted] = await Promise.all([
      answerWith(guest, 'Yes', seen),
      deleteAccount(shop.shop, account.id, 'herself'),
    ])
    expect(deleted.ok).toBe(true)
    expect(moved.status < 500).toBe(true)
    const rows = await listAllRows(shop.db)
    // Only the email that tells the owner about the deletion may contain the deleted customer's id
    // or address.
    const others = JSON.stringify({
      ...rows,
      outbox: rows.outbox!.filter(({ kind }) => kind !== 'left'),
    })
    for (const gone of [account.id, clara.email]) expect(others).not.toContain(gone)
    const left = rows.user!.some((row) => row.id === guest.id) ? [guest.id] : []
    expect([rows.favorites, rows.orders].map((list) => list!.map(({ userId }) => userId))).toEqual([
      left,
      left,
    ])
  },
)
