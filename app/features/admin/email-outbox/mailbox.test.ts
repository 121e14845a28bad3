import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FRESH_LOGIN_MS } from '#app/features/auth/reauthenticate.server.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { openTotpApp, turnOnSecondFactor, withoutPassword } from '#test/fixtures/accounts.ts'
import { openSmtp, refusal } from '#test/fixtures/email.ts'
import { openTestShop, OWNER } from '#test/fixtures/test-shop.ts'

const PASSWORD = 'app-password-of-the-mailbox'
const mailbox = (smtp: { url: string }) => ({
  intent: 'save-mailbox',
  host: '127.0.0.1',
  port: new URL(smtp.url).port,
  user: 'ida@knots.test',
  mailboxPassword: PASSWORD,
  password: OWNER.password,
})
const page = '/manage/mail/'

async function openWithoutServer() {
  const shop = await openTestShop({ hasMailServer: false })
  return { shop, owner: await shop.owner() }
}
async function openWithMailbox() {
  const smtp = await openSmtp({ password: PASSWORD })
  const opened = await openWithoutServer()
  expect((await opened.owner.act(page, mailbox(smtp))).text).toContain(
    'Your mailbox works and is saved.',
  )
  return { ...opened, smtp }
}

test('the shop sends emails through the mailbox that the owner enters, with the mailbox’s address as the sender [OWN-110]', async () => {
  const { shop, smtp, owner } = await openWithMailbox()
  await shop.outbox.post(
    shop.db,
    { id: 'one', kind: 'test', to: 'ann@mail.test', subject: 'One', text: 'One' },
    shop.now(),
  )
  expect(await shop.outbox.deliver('one')).toBe(true)
  expect(smtp.received).toMatchObject([{ from: 'ida@knots.test', to: ['ann@mail.test'] }])

  await owner.act(page, { intent: 'remove-mailbox', password: OWNER.password })
  expect(await shop.outbox.hasServer()).toBe(false)
  expect(
    await shop.db.selectFrom('audit').select(['act', 'name']).orderBy('seq').execute(),
  ).toEqual([
    { act: 'set-mailbox', name: 'ida@knots.test' },
    { act: 'remove-mailbox', name: 'ida@knots.test' },
  ])
})

test('the mailbox password is stored encrypted, and no page or log contains the password [OWN-110]', async () => {
  const { shop, owner } = await openWithMailbox()
  const stored = JSON.stringify([
    await shop.db.selectFrom('settings').selectAll().execute(),
    await shop.db.selectFrom('audit').selectAll().execute(),
    shop.logged,
    await owner.page(page),
  ])
  expect(stored).not.toContain(PASSWORD)
  expect(await owner.page(page)).toContain('value="ida@knots.test"')
})

test('when the owner leaves the mailbox password empty, the stored password is used, but only for the same server and user [OWN-110]', async () => {
  const { smtp, owner } = await openWithMailbox()
  expect((await owner.act(page, { ...mailbox(smtp), mailboxPassword: '' })).text).toContain(
    'is saved',
  )
  const other = await owner.act(page, {
    ...mailbox(smtp),
    user: 'eve@knots.test',
    mailboxPassword: '',
  })
  expect([other.status, other.text.includes('Please enter the password')]).toEqual([422, true])
})

test('refuses a mailbox that does not work, shows the error next to the field that caused it, and hides the typed password [OWN-111]', async () => {
  const smtp = await openSmtp({ password: PASSWORD })
  const { shop, owner } = await openWithoutServer()
  const cases: [Record<string, string>, field: string, text: string][] = [
    [
      { mailboxPassword: 'wrong' },
      'mailboxPassword',
      'did not accept the user name and password. It said: 535',
    ],
    // With this spelling of 127.0.0.1, the shop does not recognize its own machine and requires encryption.
    [{ host: '127.1' }, 'port', 'offers no encrypted connection on this port'],
    [{ host: 'no-such-host.invalid' }, 'host', 'Please check the mail server and the port.'],
    [{ host: 'smtp://x', port: '0', user: '' }, 'host', 'Please enter the name of the mail server'],
    [{ port: '99999' }, 'port', 'Please enter a port from 1 to 65535'],
  ]
  for (const [typed, field, text] of cases) {
    const response = await owner.post(page, { ...mailbox(smtp), ...typed })
    const html = await response.text()
    expect([
      typed,
      response.status,
      html.includes(`id="${field}-error"`),
      html.includes(text),
    ]).toEqual([typed, 422, true, true])
    expect(html).not.toContain(PASSWORD)
  }
  const html = await (
    await owner.post(page, { ...mailbox(smtp), host: '', port: '', user: '' })
  ).text()
  for (const field of ['host', 'port', 'user']) expect(html).toContain(`id="${field}-error"`)
  expect(await shop.outbox.hasServer()).toBe(false)
})

test('refuses a mailbox after ten seconds if its mail server accepts the connection but sends nothing [OWN-111]', async () => {
  const { shop, owner } = await openWithoutServer()
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const saving = owner.post(
    page,
    mailbox({ url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}` }),
  )
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => void socket.destroy())
  vi.advanceTimersByTime(10_000)
  const response = await saving
  const html = await response.text()
  expect([response.status, html.includes('id="host-error"')]).toEqual([422, true])
  expect(html).toContain(
    'The mail server did not respond in time. Please check the mail server and the port.',
  )
  expect(await shop.outbox.hasServer()).toBe(false)
}, 9000)

test('the mailbox cannot be changed or removed without the owner’s password [OWN-117]', async () => {
  const { shop, smtp, owner } = await openWithMailbox()
  const stored = () =>
    shop.db.selectFrom('settings').selectAll().where('key', '=', 'mailbox').execute()
  const before = await stored()
  for (const [password, user, errors, text] of [
    [
      'wrong-password',
      'eve@thief.test',
      ['password'],
      'This is not the password that you log in with',
    ],
    ['', '', ['user', 'password'], 'Please enter the password that you log in with'],
  ] as const) {
    const response = await owner.post(page, {
      ...mailbox(smtp),
      host: 'smtp.thief.test',
      user,
      password,
    })
    const html = await response.text()
    expect([
      response.status,
      [...html.matchAll(/id="(\w+)-error"/g)].map(([, field]) => field),
    ]).toEqual([403, errors])
    expect(html).toContain('value="smtp.thief.test"')
    expect(html).toContain(text)
    expect(html).not.toContain('wrong-password')
    expect((await owner.act(page, { intent: 'remove-mailbox', password })).status).toBe(403)
  }
  expect(await stored()).toEqual(before)
})

test('an owner without a password can change and remove the mailbox only shortly after a login [OWN-117]', async () => {
  const { shop, smtp, owner } = await openWithMailbox()
  const [save, remove] = [{ ...mailbox(smtp), password: '' }, { intent: 'remove-mailbox' }]
  await withoutPassword(shop, ADMIN_ID, shop.now() - FRESH_LOGIN_MS)
  for (const form of [save, remove])
    expect(await owner.act(page, form)).toMatchObject({
      status: 403,
      text: expect.stringContaining('Please log in again first'),
    })
  await withoutPassword(shop, ADMIN_ID, shop.now())
  expect(await owner.page(page)).not.toContain('id="password"')
  for (const form of [save, remove]) expect((await owner.act(page, form)).status).toBe(200)
})

test('"Send me a test email" sends the owner an email, or says why the email could not be sent [OWN-111]', async () => {
  const { smtp, owner } = await openWithMailbox()
  expect((await owner.act(page, { intent: 'test-mailbox' })).text).toContain(
    `A test email was sent to ${OWNER.email}.`,
  )
  expect(smtp.received).toMatchObject([{ to: [OWNER.email] }])
  smtp.manners.recipient = () => refusal(550, 'no such mailbox')
  const failed = await owner.act(page, { intent: 'test-mailbox' })
  expect([failed.status, failed.text.includes('It said: 550 no such mailbox')]).toEqual([502, true])
})

test('without a mailbox, no page says that an email was sent, and the owner sees how many emails were written as files [OWN-112]', async () => {
  const { shop, owner } = await openWithoutServer()
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  const contact = {
    stamp,
    name: 'Dora',
    email: 'dora@mail.test',
    phone: '0123456789',
    message: 'Hello',
  }
  const written = await shop.visitor().act('/contact/', contact)
  expect(written.text).toContain('Your message has been saved.')
  expect(written.text).not.toContain('Your Mail Have been sent!')

  const ann = await shop.customer()
  await shop.outbox.deliverDue()
  expect((await ann.act('/account/verification', {})).text).toContain(
    'Unable to Send Verification Email',
  )
  const change = await ann.act('/account/email', {
    email: 'new@mail.test',
    password: 'a-good-password',
  })
  expect([change.status, change.text.includes('Unable to Update Email')]).toEqual([422, true])

  const html = await owner.page(page)
  expect(html).toContain('The shop cannot send emails yet.')
  expect(html).toMatch(/\d emails were written as files/)
  expect(html).not.toMatch(/been sent/)
  expect(await owner.page('/manage/status/')).toContain('No mailbox is set up')
})

test('while the mailbox does not work, the owner and visitors see a warning until an email is sent again [OWN-112]', async () => {
  const { shop, smtp, owner } = await openWithMailbox()
  smtp.manners.password = 'changed'
  await owner.act(page, { intent: 'test-mailbox' })
  await shop.outbox.post(
    shop.db,
    { id: 'one', kind: 'test', to: 'ann@mail.test', subject: 'One', text: 'One' },
    shop.now(),
  )
  expect(await shop.outbox.deliver('one')).toBe(false)
  expect(await owner.page(page)).toContain('Your mailbox did not accept the last email.')
  expect(await shop.visitor().page('/reset-password/')).toContain(
    'This shop cannot send emails at the moment',
  )
  smtp.manners.password = PASSWORD
  await owner.act(page, { intent: 'test-mailbox' })
  expect(await owner.page(page)).not.toContain('Your mailbox did not accept the last email.')
})

test('after a mail server error, the shop can send emails again when no email waits, or when the owner has saved the mailbox [OWN-112, OWN-113]', async () => {
  const { shop, smtp, owner } = await openWithMailbox()
  const post = async (id: string) => {
    await shop.outbox.post(
      shop.db,
      { id, kind: 'test', to: 'ann@mail.test', subject: id, text: id },
      shop.now(),
    )
    return shop.outbox.deliver(id)
  }
  smtp.manners.password = 'changed'
  expect([await post('one'), await shop.outbox.canSend()]).toEqual([false, false])
  await shop.outbox.deliverDue()
  expect(await shop.outbox.canSend()).toBe(false)
  await shop.db.deleteFrom('outbox').where('id', '=', 'one').execute()
  await shop.outbox.deliverDue()
  expect(await shop.outbox.canSend()).toBe(true)

  expect([await post('two'), await shop.outbox.canSend()]).toEqual([false, false])
  smtp.manners.password = PASSWORD
  await owner.act(page, mailbox(smtp))
  expect(await shop.outbox.canSend()).toBe(true)
  await shop.outbox.deliverDue()
  expect(smtp.received.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)![1]!.trim())).toEqual(['two'])
})

test('if the shop cannot send emails, the reset page shows the owner’s phone number and email address [OWN-113]', async () => {
  const { shop } = await openWithoutServer()
  await saveSettings(shop.db, { phone: '828 555 0142', email: 'ida@knots.test' }, shop.now())
  await shop.customer()
  for (const html of [
    await shop.visitor().page('/reset-password/'),
    await (
      await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
    ).text(),
  ]) {
    expect(html).toContain('This shop cannot send emails at the moment')
    expect(html).toContain('href="tel:8285550142"')
    expect(html).toContain('href="mailto:ida@knots.test"')
    expect(html).not.toContain('on its way')
  }
  await shop.backgroundTasks.settled()
  expect(
    await shop.db
      .selectFrom('verificationTokens')
      .select('id')
      .where('kind', '=', 'reset')
      .execute(),
  ).toEqual([])
})

test('the owner’s conversation with a visitor shows the phone number from the contact form [OWN-114]', async () => {
  const { shop, owner } = await openWithoutServer()
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  await shop
    .visitor()
    .act('/contact/', {
      stamp,
      name: 'Dora',
      email: 'dora@mail.test',
      phone: '8285550142',
      message: 'Hello',
    })
  const { id } = await shop.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
  expect(await owner.page(`/manage/messages/${id}`)).toContain('href="tel:8285550142"')
})

test('the mailbox form asks for a code while two-step login is on, and uses up no code for a form with errors [S-235]', async () => {
  const smtp = await openSmtp({ password: PASSWORD })
  const { owner } = await openWithoutServer()
  const app = openTotpApp()
  await turnOnSecondFactor(owner, app, OWNER.password)
  expect(await owner.page(page)).toMatch(
    /<label[^>]*>Code of your app, or a recovery code<\/label><input[^>]*name="code"/,
  )
  const code = app.next()
  expect((await owner.act(page, { ...mailbox(smtp), port: 'x', code })).status).toBe(422)
  expect(await owner.act(page, { ...mailbox(smtp), code: '000000' })).toMatchObject({
    status: 403,
    text: expect.stringContaining('Code is Invalid'),
  })
  expect((await owner.act(page, { ...mailbox(smtp), code })).text).toContain(
    'Your mailbox works and is saved.',
  )
})
