import { expect, test } from 'vitest'
import { openSmtp, readLetter, refusal } from '#test/open-smtp.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'
import { change, confirm, customer, lettersTo, letterTo } from '#test/proof-letters.ts'

const HOUR = 60 * 60_000
const password = 'a-good-password'
const address = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
    .then(({ email, emailVerified }) => [email, Boolean(emailVerified)])

test('LOGIN-20 S-012 registering sends a letter; nothing is barred until it is confirmed, and its button confirms it, in any browser', async () => {
  const shop = await openTestShop()
  const ann = shop.visitor()
  await ann.post('/login/', { intent: 'register', email: 'Ann@mail.test', password })
  const { id } = await shop.db.selectFrom('user').select('id').where('email', '=', 'ann@mail.test').executeTakeFirstOrThrow()
  expect((await ann.act('/messages', { intent: 'send', message: 'Hello' })).status).toBe(200)
  expect(await ann.page('/account/')).toContain('Not confirmed yet')

  const letter = await letterTo(shop, 'ann@mail.test')
  expect(letter.text).toContain(`http://shop.test/confirm-email/?code=${letter.code}\n`)
  for (const method of ['GET', 'HEAD', 'GET']) await shop.visitor().send(`/confirm-email/?code=${letter.code}`, { method })
  await shop.visitor().get(`/confirm-email.data?code=${letter.code}`)
  expect(await address(shop, id)).toEqual(['ann@mail.test', false])

  const page = await shop.visitor().page(`/confirm-email/?code=${letter.code}`)
  expect(page).toMatch(/ann@mail\.test[\s\S]*Is it yours\?[\s\S]*<button[^>]*>Confirm<\/button>/)
  expect(await (await confirm(shop, letter.code)).text()).toContain('Your e-mail is confirmed')
  expect(await address(shop, id)).toEqual(['ann@mail.test', true])
  expect(await ann.page('/account/')).toMatch(/Confirmed(?! yet)/)

  // A second press, or the link once more.
  const again = await confirm(shop, letter.code)
  expect([again.status, /role="alert"[^>]*>Code is Invalid</.test(await again.text())]).toEqual([422, true])
  expect(await ann.page(`/confirm-email/?code=${letter.code}`)).toContain('Your e-mail is confirmed already.')
})

test('LOGIN-20 S-002 a guest who keeps what is theirs by an e-mail gets the letter, too', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  await guest.post('/link-guest', { email: 'gwen@mail.test', password })
  await confirm(shop, (await letterTo(shop, 'gwen@mail.test')).code)
  expect(await address(shop, guest.id)).toEqual(['gwen@mail.test', true])
})

test('LOGIN-20 S-014 the letter comes again on request, an update with a text and no user; not for guests, visitors, or who is confirmed', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const told = await ann.act('/account/verification', {})
  expect([told.status, told.text.includes('A letter is on its way to ann@mail.test.'), told.text.includes(ann.id)]).toEqual([
    200,
    true,
    false,
  ])
  const { code } = await letterTo(shop, 'ann@mail.test')
  shop.clock.now += 71 * HOUR
  expect((await confirm(shop, code)).status).toBe(200)
  expect((await ann.act('/account/verification', {})).text).toContain('Your e-mail is confirmed already.')
  for (const stranger of [shop.visitor(), await shop.guest()])
    expect((await stranger.post('/account/verification', {})).headers.get('location')).toBe('/login')
  expect(await lettersTo(shop, 'ann@mail.test')).toHaveLength(1)
})

test('LOGIN-52 a verification e-mail that cannot be sent, or be written: "Unable to Send Verification Email"; it is tried again, and the next press works', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(450, 'busy') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const ann = await shop.customer()
  const later = await ann.act('/account/verification', {})
  expect([later.status, later.text.includes('Unable to Send Verification Email')]).toEqual([202, true])
  const { post } = shop.shop.mail
  shop.shop.mail.post = async () => {
    throw new Error('no outbox')
  }
  const failed = await ann.act('/account/verification', {})
  expect([failed.status, failed.text.includes('Unable to Send Verification Email')]).toEqual([500, true])
  shop.shop.mail.post = post
  smtp.manners.recipient = () => null
  expect((await ann.act('/account/verification', {})).text).toContain('A letter is on its way')

  const [raw] = smtp.received
  const { headers, body } = readLetter(raw!.raw)
  expect(raw!.to).toEqual(['ann@mail.test'])
  expect(Object.fromEntries(headers)).toMatchObject({
    from: OWNER.email,
    to: 'ann@mail.test',
    subject: 'Please confirm your e-mail for Knots & Love',
  })
  const { code } = (await lettersTo(shop, 'ann@mail.test')).at(-1)!
  expect(body.replace(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(`http://shop.test/confirm-email/?code=${code}`)
  shop.clock.now += 60_000
  await shop.mail.deliverDue()
  expect(smtp.received).toHaveLength(2)
})

test('LOGIN-18 LOGIN-35 S-230 another address: the old one confirms, the new one is verified, then log-in, letters and conversation have it', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await ann.act('/messages', { intent: 'send', message: 'Hello' })
  const told = await change(ann, ' New.Ann@mail.test ')
  expect([told.status, told.text.includes('Please confirm there first.'), told.text.includes(ann.id)]).toEqual([200, true, false])
  expect(await lettersTo(shop, 'new.ann@mail.test')).toEqual([])
  expect(await ann.page('/account/')).toMatch(/It becomes[\s\S]*new\.ann@mail\.test/)

  const first = await letterTo(shop, 'ann@mail.test')
  expect(first.text).toContain('is to have the e-mail new.ann@mail.test instead of ann@mail.test')
  await shop.visitor().get(`/confirm-email/?code=${first.code}`)
  expect(await lettersTo(shop, 'new.ann@mail.test')).toEqual([])
  expect((await confirm(shop, first.code)).status).toBe(200)
  expect(await address(shop, ann.id)).toEqual(['ann@mail.test', true])
  expect((await confirm(shop, first.code)).status).toBe(422)

  const second = await letterTo(shop, 'new.ann@mail.test')
  const done = await confirm(shop, second.code)
  expect([done.status, done.headers.getSetCookie()]).toEqual([200, []])
  expect(await done.text()).toContain('Your e-mail is changed.')
  expect(await address(shop, ann.id)).toEqual(['new.ann@mail.test', true])
  expect((await confirm(shop, second.code)).status).toBe(422)
  // She is still signed in; the owner sees the new address; the old one hears of it and lets nobody in any more.
  expect(await ann.page('/account/')).toContain('new.ann@mail.test')
  expect(await (await shop.owner()).page(`/manage/messages/${ann.id}`)).toContain('new.ann@mail.test')
  expect((await lettersTo(shop, 'ann@mail.test')).at(-1)!.subject).toBe('Your e-mail for Knots & Love was changed')
  expect((await shop.visitor().post('/login/', { intent: 'login', email: 'ann@mail.test', password })).status).toBe(401)
  expect((await shop.visitor().post('/login/', { intent: 'login', email: 'new.ann@mail.test', password })).status).toBe(302)
})

test('LOGIN-18 an address that was never confirmed has no say: only the new one is asked', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, false)
  expect((await change(ann, 'right@mail.test')).text).toContain('A letter is on its way to right@mail.test.')
  expect(await lettersTo(shop, 'ann@mail.test')).toEqual([])
  await confirm(shop, (await letterTo(shop, 'right@mail.test')).code)
  expect(await address(shop, ann.id)).toEqual(['right@mail.test', true])
})

test('LOGIN-50 LOGIN-55 S-015 no change without the password, nor to what is no address, the same, or somebody’s', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  const bob = await shop.customer('bob@mail.test')
  for (const typed of ['', 'wrong-password', 'x'.repeat(5000)]) {
    const told = await change(ann, 'new@mail.test', typed)
    expect([told.status, told.text.includes('Invalid Credentials')]).toEqual([403, true])
  }
  for (const email of [
    '',
    'new',
    'ann@mail.test',
    'ANN@mail.test',
    'bob@mail.test',
    OWNER.email,
    'x@guest.invalid',
    'a@b.test\r\nBcc: c@d.test',
    `${'a'.repeat(300)}@mail.test`,
  ]) {
    const told = await change(ann, email)
    expect([told.status, told.text.includes('Unable to Update Email'), email]).toEqual([422, true, email])
  }
  expect((await change(ann, 'new')).text).toContain('That is no e-mail address.')
  expect((await change(ann, 'ANN@mail.test')).text).toContain('That is your e-mail already.')
  for (const stranger of [shop.visitor(), await shop.guest()])
    expect((await stranger.post('/account/email', { email: 'new@mail.test', password })).headers.get('location')).toBe('/login')
  expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([])
  expect(await address(shop, bob.id)).toEqual(['bob@mail.test', false])
})

test('LOGIN-50 an address that somebody else takes meanwhile stays theirs, at either letter', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await change(ann, 'new@mail.test')
  const old = await letterTo(shop, 'ann@mail.test')
  await confirm(shop, old.code)
  const second = await letterTo(shop, 'new@mail.test')
  const bob = await shop.customer('new@mail.test')
  const response = await confirm(shop, second.code)
  expect([response.status, (await response.text()).includes('Unable to Update Email')]).toEqual([409, true])
  expect([await address(shop, ann.id), await address(shop, bob.id)]).toEqual([
    ['ann@mail.test', true],
    ['new@mail.test', false],
  ])
  // Bob goes, the code still counts.
  await shop.db.deleteFrom('user').where('id', '=', bob.id).execute()
  expect((await confirm(shop, second.code)).status).toBe(200)
})

test('LOGIN-50 of two accounts that change to one address at the same moment one gets it; of one code pressed twice one press counts', async () => {
  const shop = await openTestShop()
  const codes: string[] = []
  for (const email of ['ann@mail.test', 'bob@mail.test']) {
    await change(await shop.customer(email), 'new@mail.test')
    codes.push((await letterTo(shop, 'new@mail.test')).code)
  }
  const all = await Promise.all([...codes, ...codes].map((code) => confirm(shop, code)))
  expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(all.every(({ status }) => [200, 409, 422].includes(status))).toBe(true)
  const emails = await shop.db.selectFrom('user').select('email').where('id', '!=', 'owner').orderBy('email').execute()
  expect(emails.map(({ email }) => email)).toContain('new@mail.test')
  expect(new Set(emails.map(({ email }) => email)).size).toBe(2)
})

test('S-230 of several wishes at once one stands, and one letter counts', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  const wishes = await Promise.all([1, 2, 3, 4].map((one) => change(ann, `ann${one}@mail.test`)))
  expect(wishes.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(await shop.db.selectFrom('addressProofs').select('kind').where('kind', '!=', 'verify').execute()).toEqual([{ kind: 'change-old' }])
})

test('S-230 a change that is taken back, replaced, or older than a day is worth nothing; nor are codes to an address that is no longer the account’s', async () => {
  const shop = await openTestShop()
  const ann = await customer(shop, true)
  await change(ann, 'one@mail.test')
  const one = await letterTo(shop, 'ann@mail.test')
  await change(ann, 'two@mail.test')
  const two = await letterTo(shop, 'ann@mail.test')
  expect((await confirm(shop, one.code)).status).toBe(422)
  expect((await ann.act('/account/email', { intent: 'cancel' })).text).toContain('Your e-mail stays as it is.')
  expect((await confirm(shop, two.code)).status).toBe(422)
  expect(await ann.page('/account/')).not.toContain('It becomes')

  await change(ann, 'three@mail.test')
  const three = await letterTo(shop, 'ann@mail.test')
  shop.clock.now += 24 * HOUR
  expect((await confirm(shop, three.code)).status).toBe(422)

  await change(ann, 'four@mail.test')
  const four = await letterTo(shop, 'ann@mail.test')
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const reset = await letterTo(shop, 'ann@mail.test')
  await shop.db.updateTable('user').set({ email: 'elsewhere@mail.test' }).where('id', '=', ann.id).execute()
  expect((await confirm(shop, four.code)).status).toBe(422)
  const tried = await shop.visitor().post('/reset-password/', { intent: 'choose', code: reset.code, password: 'another-password' })
  expect(tried.status).toBe(422)
})

test('LOGIN-18 the owner’s address follows, too, stands in the history, and she stays the owner', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await owner.act('/account/email', { email: 'ona@mail.test', password: OWNER.password })
  await confirm(shop, (await letterTo(shop, OWNER.email)).code)
  await confirm(shop, (await letterTo(shop, 'ona@mail.test')).code)
  expect(await address(shop, 'owner')).toEqual(['ona@mail.test', true])
  expect((await owner.get('/manage/')).status).toBe(200)
  expect(await owner.page('/manage/history/')).toContain('Changed her own e-mail to ona@mail.test')
})
