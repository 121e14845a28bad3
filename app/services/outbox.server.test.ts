import { expect, test } from 'vitest'
import { SENT_RETENTION_MS, createOutbox, emailRetryDelaysMs, type Email } from './outbox.server.ts'
import { createEmailTransport } from '#lib/email/transport.server.ts'
import { openSmtp, parseEmail, refusal } from '#test/fixtures/email.ts'
import { freePort, openCutLine } from '#test/fixtures/network.ts'
import { openTestShop, OWNER, type TestShop } from '#test/fixtures/test-shop.ts'

const email = (id: string, more: Partial<Email> = {}): Email => ({
  id,
  kind: 'test',
  to: OWNER.email,
  subject: `Email ${id}`,
  text: `Text ${id}`,
  ...more,
})
const post = (shop: TestShop, id: string, more: Partial<Email> = {}) =>
  shop.outbox.post(shop.db, email(id, more), shop.now())
const rowOf = (shop: TestShop, id: string) =>
  shop.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const pass = (shop: TestShop, time: number) => void (shop.clock.now += time)
const idOf = (raw: string) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]
async function open(manners: Parameters<typeof openSmtp>[0] = {}, timeouts = {}) {
  const smtp = await openSmtp(manners)
  return { smtp, shop: await openTestShop({ smtpUrl: smtp.url, emailTimeouts: timeouts }) }
}
async function openWithEmail(manners: Parameters<typeof openSmtp>[0] = {}, timeouts = {}) {
  const opened = await open(manners, timeouts)
  await post(opened.shop, 'one')
  return opened
}
/** Opens the outbox of a second process that uses the same database. */
const secondOutbox = (shop: TestShop, smtpUrl: string) =>
  createOutbox({
    db: shop.db,
    transport: createEmailTransport({
      readServer: async () => ({ url: smtpUrl, from: OWNER.email }),
      from: OWNER.email,
      folder: shop.folder,
    }),
    now: shop.now,
    log: shop.log,
    changed: () => {},
  })

test('sends an email by SMTP once, with its own message id, and records it as sent', async () => {
  const { smtp, shop } = await open()
  await post(shop, 'one', { replyTo: 'dora@mail.test' })

  expect(await shop.outbox.deliver('one')).toBe(true)
  expect(await shop.outbox.deliver('one')).toBe(true)
  await shop.outbox.deliverDue()

  expect(smtp.received).toHaveLength(1)
  const { headers, body } = parseEmail(smtp.received[0]!.raw)
  expect(Object.fromEntries(headers)).toMatchObject({
    from: OWNER.email,
    to: OWNER.email,
    'reply-to': 'dora@mail.test',
    subject: 'Email one',
    'message-id': '<one@shop.test>',
  })
  expect(body).toContain('Text one')
  expect(await rowOf(shop, 'one')).toMatchObject({
    sentAt: shop.now(),
    attempts: 1,
    claimedUntil: null,
    lastError: null,
  })
  expect(shop.changedTopics).toContain('mail')
})

test('never sends an email that was stored in a failed transaction', async () => {
  const { smtp, shop } = await open()
  const failed = shop.db.transaction().execute(async (tx) => {
    await shop.outbox.post(tx, email('one'), shop.now())
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await shop.outbox.deliverDue()
  expect(smtp.seen).toEqual([])
})

test('retries an email with increasing pauses while the mail server is down, and sends the email when the server is back', async () => {
  const port = await freePort()
  const shop = await openTestShop({ smtpUrl: `smtp://127.0.0.1:${port}` })
  await post(shop, 'one')
  expect(await shop.outbox.deliver('one')).toBe(false)
  const waits: number[] = []
  for (const pause of emailRetryDelaysMs.slice(0, 4)) {
    const { nextAttemptAt, lastError, failedAt } = await rowOf(shop, 'one')
    waits.push(nextAttemptAt - shop.now())
    expect(lastError).toBe('The mail server could not be reached, or closed the connection.')
    expect(failedAt).toBe(null)
    pass(shop, pause - 1)
    await shop.outbox.deliverDue()
    pass(shop, 1)
    await shop.outbox.deliverDue()
  }
  expect(waits).toEqual(emailRetryDelaysMs.slice(0, 4))
  expect((await rowOf(shop, 'one')).attempts).toBe(5)

  const smtp = await openSmtp({}, port)
  await shop.outbox.deliverDue()
  expect(smtp.received).toEqual([])
  pass(shop, emailRetryDelaysMs[4]!)
  await shop.outbox.deliverDue()
  expect(smtp.received).toHaveLength(1)
  expect((await rowOf(shop, 'one')).sentAt).toBe(shop.now())
})

test('stops trying to send an email after the last retry', async () => {
  const { smtp, shop } = await openWithEmail({ recipient: () => refusal(451, 'come back later') })
  for (const pause of [0, ...emailRetryDelaysMs]) {
    pass(shop, pause)
    expect((await rowOf(shop, 'one')).failedAt).toBe(null)
    await shop.outbox.deliverDue()
  }
  const given = await rowOf(shop, 'one')
  expect(given).toMatchObject({ attempts: emailRetryDelaysMs.length + 1, failedAt: shop.now() })
  expect(given.lastError).toContain('451 come back later')

  smtp.manners.recipient = () => null
  pass(shop, 10 * emailRetryDelaysMs.at(-1)!)
  await shop.outbox.deliverDue()
  expect(smtp.received).toEqual([])
})

const refusals = [
  [
    '4xx to the recipient',
    { recipient: () => refusal(450, 'mailbox busy') },
    false,
    '450 mailbox busy',
  ],
  [
    '5xx to the recipient',
    { recipient: () => refusal(550, 'no such mailbox') },
    true,
    '550 no such mailbox',
  ],
  ['4xx to the message', { message: () => refusal(452, 'no room') }, false, '452 no room'],
  [
    '5xx to the message',
    { message: () => refusal(554, 'looks like spam') },
    true,
    '554 looks like spam',
  ],
] as const

test.for(refusals)(
  'records the mail server’s response (%s), and stops retrying only after a 5xx response',
  async ([, manners, isFinal, said]) => {
    const { shop } = await openWithEmail(manners)

    expect(await shop.outbox.deliver('one')).toBe(false)

    const row = await rowOf(shop, 'one')
    expect(row.lastError).toContain(`The mail server refused the email. It said: ${said}`)
    expect(row.sentAt).toBe(null)
    expect(row.failedAt).toEqual(isFinal ? shop.now() : null)
    expect(row.claimedUntil).toBe(null)
  },
)

test('retries an email after the mail server refused the password, and never shows the password [MAIL-06]', async () => {
  const smtp = await openSmtp({ password: 'right-secret' })
  const shop = await openTestShop({ smtpUrl: smtp.url.replace('//', '//shop:wrong-secret@') })
  await post(shop, 'one')
  expect(await shop.outbox.deliver('one')).toBe(false)
  const { lastError, failedAt } = await rowOf(shop, 'one')
  expect(lastError).toContain(
    'did not accept the user name and password. It said: 535 wrong password',
  )
  expect(failedAt).toBe(null)
  const pages = [
    await (await shop.owner()).page('/manage/mail/'),
    await shop.visitor().page('/contact/'),
  ].join()
  expect(pages + shop.logged.map(({ error }) => (error as Error).stack).join()).not.toMatch(
    /wrong-secret|smtp:\/\//,
  )

  pass(shop, emailRetryDelaysMs[0]!)
  expect(
    await secondOutbox(shop, smtp.url.replace('//', '//shop:right-secret@')).deliver('one'),
  ).toBe(true)
})

/** Opens a server that accepts connections and never sends anything. */
async function openSilence(): Promise<string> {
  const line = openCutLine()
  line.isSilent = true
  return line.proxy((await openSmtp()).url)
}

const hangs = [
  ['never greets', openSilence],
  ['never answers the message', async () => (await openSmtp({ message: () => 'hang' })).url],
] as const

test.for(hangs)('retries an email when the server %s', async ([, open]) => {
  const shop = await openTestShop({ smtpUrl: await open(), emailTimeouts: { attemptMs: 150 } })
  await post(shop, 'one')

  expect(await shop.outbox.deliver('one')).toBe(false)

  expect(await rowOf(shop, 'one')).toMatchObject({
    lastError: 'The mail server did not respond in time.',
    failedAt: null,
    claimedUntil: null,
    nextAttemptAt: shop.now() + emailRetryDelaysMs[0]!,
  })
})

test('while a mail server hangs, the visitor does not wait, and no other process sends the same email', async () => {
  const { smtp, shop } = await openWithEmail({ message: () => 'hang' }, { visitorWaitMs: 20 })
  expect(await shop.outbox.deliverSoon('one')).toBe(false)
  await expect.poll(() => smtp.seen.length, { interval: 5 }).toBe(1)
  expect((await rowOf(shop, 'one')).claimedUntil).toBeGreaterThan(shop.now())
  expect(await shop.outbox.deliver('one')).toBe(false)
  await shop.outbox.deliverDue()
  expect(await secondOutbox(shop, smtp.url).deliver('one')).toBe(false)
  expect((await rowOf(shop, 'one')).attempts).toBe(1)
})

test('sends each email once, even if two processes try to send it at the same time', async () => {
  const { smtp, shop } = await open()
  const ids = Array.from({ length: 12 }, (_, at) => `email${String(at).padStart(2, '0')}`)
  for (const id of ids) await post(shop, id)
  const other = secondOutbox(shop, smtp.url)

  await Promise.all([
    shop.outbox.deliverDue(),
    other.deliverDue(),
    shop.outbox.deliverDue(),
    ...ids.flatMap((id) => [shop.outbox.deliver(id), other.deliverSoon(id)]),
  ])
  await Promise.all([shop.outbox.deliverDue(), other.deliverDue()])

  expect(smtp.received.map(({ raw }) => idOf(raw)).toSorted()).toEqual(ids)
})

test('sends other emails in the sequence of their creation while one email hangs', async () => {
  const { smtp, shop } = await open({ message: (raw) => (raw.includes('Poison') ? 'hang' : null) })
  await post(shop, 'poison', { text: 'Poison' })
  for (const id of ['a', 'b', 'c']) {
    pass(shop, 1)
    await post(shop, id)
  }
  const round = shop.outbox.deliverDue()
  await expect.poll(() => smtp.received.length, { interval: 5 }).toBe(3)
  expect((await rowOf(shop, 'poison')).lastError).toBe(null)
  smtp.cut()
  await round
  expect((await rowOf(shop, 'poison')).lastError).toContain('closed the connection')

  pass(shop, 1)
  for (const id of ['d', 'e', 'f', 'g', 'h', 'i']) {
    pass(shop, 1)
    await post(shop, id)
  }
  await shop.outbox.deliverDue()
  const order = smtp.received.slice(3).map(({ raw }) => idOf(raw)!)
  // The outbox sends four emails at the same time. So the place of an email in the list may differ
  // by up to three from the expected place.
  for (const [at, id] of order.entries()) {
    expect(Math.abs('defghi'.indexOf(id) - at)).toBeLessThan(4)
  }
})

test('at startup, sends waiting emails, except emails that a killed process claimed less than a minute ago', async () => {
  const { smtp, shop } = await open()
  const waiting = {
    attempts: 3,
    nextAttemptAt: shop.now() + emailRetryDelaysMs[5]!,
    lastError: 'The mail server could not be reached.',
  }
  for (const id of ['held', 'waiting', 'failed']) await post(shop, id)
  await shop.db
    .updateTable('outbox')
    .set({
      attempts: 1,
      nextAttemptAt: shop.now() + emailRetryDelaysMs[0]!,
      claimedUntil: shop.now() + 60_000,
    })
    .where('id', '=', 'held')
    .execute()
  await shop.db.updateTable('outbox').set(waiting).where('id', '=', 'waiting').execute()
  await shop.db
    .updateTable('outbox')
    .set({ failedAt: shop.now() })
    .where('id', '=', 'failed')
    .execute()

  const stop = await shop.outbox.start()
  await expect.poll(() => smtp.received.length, { interval: 5 }).toBeGreaterThan(0)
  await stop()
  expect(smtp.received.map(({ raw }) => idOf(raw))).toEqual(['waiting'])

  pass(shop, 60_000)
  await secondOutbox(shop, smtp.url).deliverDue()
  expect(smtp.received.map(({ raw }) => idOf(raw))).toEqual(['waiting', 'held'])
})

test('deletes sent emails after thirty days, and never deletes unsent emails', async () => {
  const { shop } = await open({
    recipient: (address) => (address.startsWith('unknown') ? refusal(550, 'no') : null),
  })
  await post(shop, 'sent')
  await post(shop, 'failed', { to: 'unknown@shop.test' })
  await shop.outbox.deliverDue()
  const ids = async () =>
    (await shop.db.selectFrom('outbox').select('id').orderBy('id').execute()).map(({ id }) => id)

  pass(shop, SENT_RETENTION_MS)
  await shop.outbox.deliverDue()
  expect(await ids()).toEqual(['failed', 'sent'])
  pass(shop, 1)
  await shop.outbox.deliverDue()
  expect(await ids()).toEqual(['failed'])
})
