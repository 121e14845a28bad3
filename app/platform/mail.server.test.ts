import { expect, test } from 'vitest'
import { KEPT_SENT, openMail, pauses, type Letter } from './mail.server.ts'
import { openLetters } from './letters.server.ts'
import { openSilence, openSmtp, readLetter, refusal } from '#test/open-smtp.ts'
import { freePort } from '#test/free-port.ts'
import { openTestShop, OWNER, type TestShop } from '#test/open-test-shop.ts'

const letter = (id: string, more: Partial<Letter> = {}): Letter => ({
  id,
  kind: 'test',
  to: OWNER.email,
  subject: `Letter ${id}`,
  text: `Text ${id}`,
  ...more,
})
const post = (shop: TestShop, id: string, more: Partial<Letter> = {}) => shop.mail.post(shop.db, letter(id, more), shop.now())
const rowOf = (shop: TestShop, id: string) => shop.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const pass = (shop: TestShop, time: number) => void (shop.clock.now += time)
const idOf = (raw: string) => /^Message-ID: <([^@]+)@/m.exec(raw)?.[1]
/** A second process on the same database. */
const another = (shop: TestShop, smtpUrl: string) =>
  openMail({
    db: shop.db,
    letters: openLetters({ smtpUrl, from: OWNER.email, folder: shop.folder }),
    now: shop.now,
    log: shop.log,
    changed: () => {},
  })

test('a letter leaves by SMTP once, with its own id, and is kept as sent', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'one', { replyTo: 'dora@mail.test' })

  expect(await shop.mail.deliver('one')).toBe(true)
  expect(await shop.mail.deliver('one')).toBe(true)
  await shop.mail.deliverDue()

  expect(smtp.received).toHaveLength(1)
  const { headers, body } = readLetter(smtp.received[0]!.raw)
  expect(Object.fromEntries(headers)).toMatchObject({
    from: OWNER.email,
    to: OWNER.email,
    'reply-to': 'dora@mail.test',
    subject: 'Letter one',
    'message-id': '<one@shop.test>',
  })
  expect(body).toContain('Text one')
  expect(await rowOf(shop, 'one')).toMatchObject({ sentAt: shop.now(), attempts: 1, claimedUntil: null, lastError: null })
  expect(shop.heard).toContain('mail')
})

test('a letter of a transaction that fails is never sent', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const failed = shop.db.transaction().execute(async (tx) => {
    await shop.mail.post(tx, letter('one'), shop.now())
    throw new Error('no')
  })
  await expect(failed).rejects.toThrow('no')
  await shop.mail.deliverDue()
  expect(smtp.seen).toEqual([])
})

test('a server that is down: the letter waits through growing pauses, and leaves by itself once the server is back', async () => {
  const port = await freePort()
  const shop = await openTestShop({ smtpUrl: `smtp://127.0.0.1:${port}` })
  await post(shop, 'one')
  expect(await shop.mail.deliver('one')).toBe(false)
  const waits: number[] = []
  for (const pause of pauses.slice(0, 4)) {
    const { nextAttemptAt, lastError, failedAt } = await rowOf(shop, 'one')
    waits.push(nextAttemptAt - shop.now())
    expect([lastError, failedAt]).toEqual(['The mail server could not be reached, or broke off.', null])
    pass(shop, pause - 1)
    await shop.mail.deliverDue()
    pass(shop, 1)
    await shop.mail.deliverDue()
  }
  expect(waits).toEqual(pauses.slice(0, 4))
  expect((await rowOf(shop, 'one')).attempts).toBe(5)

  const smtp = await openSmtp({}, port)
  await shop.mail.deliverDue()
  expect(smtp.received).toEqual([])
  pass(shop, pauses[4]!)
  await shop.mail.deliverDue()
  expect(smtp.received).toHaveLength(1)
  expect((await rowOf(shop, 'one')).sentAt).toBe(shop.now())
})

test('after the last pause a letter counts as undeliverable, and is tried no more', async () => {
  const smtp = await openSmtp({ recipient: () => refusal(451, 'come back later') })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'one')
  for (const pause of [0, ...pauses]) {
    pass(shop, pause)
    expect((await rowOf(shop, 'one')).failedAt).toBe(null)
    await shop.mail.deliverDue()
  }
  const given = await rowOf(shop, 'one')
  expect(given).toMatchObject({ attempts: pauses.length + 1, failedAt: shop.now() })
  expect(given.lastError).toContain('451 come back later')

  smtp.manners.recipient = () => null
  pass(shop, 10 * pauses.at(-1)!)
  await shop.mail.deliverDue()
  expect(smtp.received).toEqual([])
})

const refusals = [
  ['4xx to the recipient', { recipient: () => refusal(450, 'mailbox busy') }, false, '450 mailbox busy'],
  ['5xx to the recipient', { recipient: () => refusal(550, 'no such mailbox') }, true, '550 no such mailbox'],
  ['4xx to the letter', { letter: () => refusal(452, 'no room') }, false, '452 no room'],
  ['5xx to the letter', { letter: () => refusal(554, 'looks like spam') }, true, '554 looks like spam'],
] as const

test.for(refusals)('%s is told in the words of the server; only a 5xx is final', async ([, manners, isFinal, said]) => {
  const smtp = await openSmtp(manners)
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'one')

  expect(await shop.mail.deliver('one')).toBe(false)

  const row = await rowOf(shop, 'one')
  expect(row.lastError).toContain(`The mail server refused the letter. It said: ${said}`)
  expect([row.sentAt, row.failedAt, row.claimedUntil]).toEqual([null, isFinal ? shop.now() : null, null])
})

test('MAIL-06 a password that the server refuses is no refusal of the letter; the owner hears of it, and nobody sees it', async () => {
  const smtp = await openSmtp({ password: 'right-secret' })
  const shop = await openTestShop({ smtpUrl: smtp.url.replace('//', '//shop:wrong-secret@') })
  await post(shop, 'one')
  expect(await shop.mail.deliver('one')).toBe(false)
  const { lastError, failedAt } = await rowOf(shop, 'one')
  expect(lastError).toContain('did not accept the name and password in SMTP_URL. It said: 535 wrong password')
  expect(failedAt).toBe(null)
  const told = [await (await shop.owner()).page('/manage/mail/'), await shop.visitor().page('/contact/')].join()
  expect(told + shop.logged.map(({ error }) => (error as Error).stack).join()).not.toMatch(/wrong-secret|smtp:\/\//)

  pass(shop, pauses[0]!)
  expect(await another(shop, smtp.url.replace('//', '//shop:right-secret@')).deliver('one')).toBe(true)
})

const hangs = [
  ['never greets', async () => (await openSilence()).url],
  ['never answers the letter', async () => (await openSmtp({ letter: () => 'hang' })).url],
] as const

test.for(hangs)('a server that %s ends the try, and the letter is tried again', async ([, open]) => {
  const shop = await openTestShop({ smtpUrl: await open(), patience: { ofTry: 150 } })
  await post(shop, 'one')

  expect(await shop.mail.deliver('one')).toBe(false)

  expect(await rowOf(shop, 'one')).toMatchObject({
    lastError: 'The mail server did not answer in time.',
    failedAt: null,
    claimedUntil: null,
    nextAttemptAt: shop.now() + pauses[0]!,
  })
})

test('whoever waits for the first try is answered while a server hangs, and the delivery goes on', async () => {
  const smtp = await openSmtp({ letter: () => 'hang' })
  const shop = await openTestShop({ smtpUrl: smtp.url, patience: { ofVisitor: 20 } })
  await post(shop, 'one')
  expect(await shop.mail.deliverSoon('one')).toBe(false)
  await smtp.when(() => smtp.seen.length === 1)
  expect((await rowOf(shop, 'one')).claimedUntil).toBeGreaterThan(shop.now())
  // Still held: nobody else sends it meanwhile.
  expect(await shop.mail.deliver('one')).toBe(false)
  await shop.mail.deliverDue()
  expect(await another(shop, smtp.url).deliver('one')).toBe(false)
  expect((await rowOf(shop, 'one')).attempts).toBe(1)
})

test('a server that breaks off in the middle of a letter: it is tried again and arrives', async () => {
  const smtp = await openSmtp({ letter: () => 'break' })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'one')
  expect(await shop.mail.deliver('one')).toBe(false)
  expect((await rowOf(shop, 'one')).lastError).toContain('could not be reached, or broke off')

  smtp.manners.letter = () => null
  pass(shop, pauses[0]!)
  await shop.mail.deliverDue()
  expect(smtp.received).toHaveLength(1)
  // The same Message-ID at each try, for mailboxes that had it after all.
  expect(new Set(smtp.seen.map(idOf))).toEqual(new Set(['one']))
})

test('many calls and a second process at once send each letter once', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const ids = Array.from({ length: 12 }, (_, at) => `letter${String(at).padStart(2, '0')}`)
  for (const id of ids) await post(shop, id)
  const other = another(shop, smtp.url)

  await Promise.all([
    shop.mail.deliverDue(),
    other.deliverDue(),
    shop.mail.deliverDue(),
    ...ids.flatMap((id) => [shop.mail.deliver(id), other.deliverSoon(id)]),
  ])
  await Promise.all([shop.mail.deliverDue(), other.deliverDue()])

  expect(smtp.received.map(({ raw }) => idOf(raw)).toSorted()).toEqual(ids)
})

test('also the very last try is held, so that nobody sends the letter beside it', async () => {
  const smtp = await openSmtp({ letter: () => 'hang' })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'one')
  await shop.db.updateTable('outbox').set({ attempts: pauses.length }).execute()
  const last = shop.mail.deliver('one')
  await smtp.when(() => smtp.seen.length === 1)
  smtp.manners.letter = () => null

  expect(await another(shop, smtp.url).deliver('one')).toBe(false)
  await another(shop, smtp.url).deliverDue()
  expect(smtp.received).toEqual([])
  await smtp.close()
  await last
})

test('a poisonous letter does not hold up the others, and they leave in their order', async () => {
  const smtp = await openSmtp({ letter: (raw) => (raw.includes('Poison') ? 'hang' : null) })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'poison', { text: 'Poison' })
  for (const id of ['a', 'b', 'c']) {
    pass(shop, 1)
    await post(shop, id)
  }
  const round = shop.mail.deliverDue()
  // All others are through while the poisonous one still hangs.
  await smtp.when(() => smtp.received.length === 3)
  expect((await rowOf(shop, 'poison')).lastError).toBe(null)
  smtp.cut()
  await round
  expect((await rowOf(shop, 'poison')).lastError).toContain('broke off')

  pass(shop, 1)
  for (const id of ['d', 'e', 'f', 'g', 'h', 'i']) {
    pass(shop, 1)
    await post(shop, id)
  }
  await shop.mail.deliverDue()
  const order = smtp.received.slice(3).map(({ raw }) => idOf(raw)!)
  // Four leave side by side: a letter may overtake its neighbours, not the queue.
  for (const [at, id] of order.entries()) expect(Math.abs('defghi'.indexOf(id) - at)).toBeLessThan(4)
})

test('what a killed process held is free after a minute, and a start makes waiting letters due at once', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const waiting = { attempts: 3, nextAttemptAt: shop.now() + pauses[5]!, lastError: 'The mail server could not be reached.' }
  for (const id of ['held', 'waiting', 'failed']) await post(shop, id)
  await shop.db
    .updateTable('outbox')
    .set({ attempts: 1, nextAttemptAt: shop.now() + pauses[0]!, claimedUntil: shop.now() + 60_000 })
    .where('id', '=', 'held')
    .execute()
  await shop.db.updateTable('outbox').set(waiting).where('id', '=', 'waiting').execute()
  await shop.db.updateTable('outbox').set({ failedAt: shop.now() }).where('id', '=', 'failed').execute()

  const stop = await shop.mail.start()
  await smtp.when(() => smtp.received.length > 0)
  await stop()
  expect(smtp.received.map(({ raw }) => idOf(raw))).toEqual(['waiting'])

  pass(shop, 60_000)
  await another(shop, smtp.url).deliverDue()
  expect(smtp.received.map(({ raw }) => idOf(raw))).toEqual(['waiting', 'held'])
})

test('sent letters go after thirty days; those that have not left stay', async () => {
  const smtp = await openSmtp({ recipient: (address) => (address.startsWith('nobody') ? refusal(550, 'no') : null) })
  const shop = await openTestShop({ smtpUrl: smtp.url })
  await post(shop, 'sent')
  await post(shop, 'failed', { to: 'nobody@shop.test' })
  await shop.mail.deliverDue()
  const ids = async () => (await shop.db.selectFrom('outbox').select('id').orderBy('id').execute()).map(({ id }) => id)

  pass(shop, KEPT_SENT)
  await shop.mail.deliverDue()
  expect(await ids()).toEqual(['failed', 'sent'])
  pass(shop, 1)
  await shop.mail.deliverDue()
  expect(await ids()).toEqual(['failed'])
})
