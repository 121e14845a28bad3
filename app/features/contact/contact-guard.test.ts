import { expect, test } from 'vitest'
import { LEAST_AGE, MOST_AGE, openFormTime } from '#app/platform/form-time.server.ts'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import { contactTexts } from './contact.ts'

const valid = { name: 'Dora Knott', email: 'dora@mail.test', phone: '0123456789', message: 'Do you make curtains?' }
const stampIn = (html: string) => /name="stamp" value="([^"]+)"/.exec(html)![1]!
const ordersIn = async (shop: TestShop) => (await shop.db.selectFrom('orders').select('id').execute()).length
/** A visitor without script: reads the page, sends its form, gets a page again. */
async function visit(shop: TestShop) {
  const visitor = shop.visitor()
  let stamp = stampIn(await visitor.page('/contact/'))
  return {
    stamp: () => stamp,
    async press(form: Record<string, string> = {}) {
      const response = await visitor.post('/contact/?tab=mail', { ...valid, stamp, website: '', ...form })
      const html = await response.text()
      stamp = stampIn(html)
      return { status: response.status, html, retryAfter: response.headers.get('retry-after') }
    },
  }
}
const expectTypedIn = (html: string) => {
  for (const typed of [valid.name, valid.email, valid.phone]) expect(html).toContain(`value="${typed}"`)
  expect(html).toContain(`>${valid.message}</textarea>`)
}

test('a form sent at once is asked for a moment of patience, and goes through on the next press', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  shop.clock.now += LEAST_AGE - 1
  const refused = await dora.press()

  expect(refused.status).toBe(422)
  expect(refused.html).toContain(contactTexts.tooFast)
  expectTypedIn(refused.html)
  expect(await ordersIn(shop)).toBe(0)

  // The time counts from the first page, not from the refusal.
  shop.clock.now += 1
  expect((await dora.press()).status).toBe(200)
  expect(await ordersIn(shop)).toBe(1)
})

test('a page that was open for more than a day is told so, and goes through on the very next press', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  const eve = await visit(shop)
  shop.clock.now += MOST_AGE
  expect((await eve.press({ message: 'Just in time' })).status).toBe(200)
  shop.clock.now += 1
  const refused = await dora.press()

  expect(refused.status).toBe(422)
  expect(refused.html).toContain(contactTexts.tooOld)
  expectTypedIn(refused.html)
  expect((await dora.press()).status).toBe(200)
  expect(await ordersIn(shop)).toBe(2)
})

test('Back and the same form again, or a second message from the same page, need no new stamp', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  const first = dora.stamp()
  shop.clock.now += 60_000
  expect((await dora.press({ stamp: first })).status).toBe(200)
  expect((await dora.press({ stamp: first, message: 'And cushions?' })).status).toBe(200)
  expect(await ordersIn(shop)).toBe(2)
})

test('a stamp that the shop did not give is refused, whatever it looks like, and the next one counts', async () => {
  const shop = await openTestShop()
  const now = shop.now()
  const own = await shop.formTime.stamp(now - 60_000)
  const [header, payload, signature] = own.split('.') as [string, string, string]
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    '',
    'x',
    'a.b.c',
    await openFormTime('another-secret').stamp(now - 60_000),
    `${header}.${part({ at: 0 })}.${signature}`,
    `${header}.${payload}.${signature}x`,
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${header}.${payload}.`,
    await shop.formTime.stamp(now + 1),
    await shop.formTime.stamp('soon' as unknown as number),
    `${own}${'x'.repeat(100_000)}`,
  ]
  for (const stamp of forged) {
    const eve = await visit(shop)
    const refused = await eve.press({ stamp })
    expect([stamp.slice(0, 80), refused.status]).toEqual([stamp.slice(0, 80), 422])
    expect(refused.html).toContain(contactTexts.unsure)
    expectTypedIn(refused.html)
    // Programs that only send the form again get no further than people who are too quick.
    expect((await eve.press()).html).toContain(contactTexts.tooFast)
  }
  expect(await ordersIn(shop)).toBe(0)

  const dora = await visit(shop)
  await dora.press({ stamp: 'x' })
  shop.clock.now += LEAST_AGE
  expect((await dora.press()).status).toBe(200)
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('a filled trap stores nothing; a person whose browser filled it in presses again and loses nothing', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  shop.clock.now += 60_000
  const refused = await dora.press({ website: 'https://spam.test' })

  expect(refused.status).toBe(422)
  expect(refused.html).toContain(contactTexts.unsure)
  expectTypedIn(refused.html)
  expect(refused.html).not.toContain('spam.test')
  expect(await ordersIn(shop)).toBe(0)
  expect(await shop.db.selectFrom('outbox').select('id').execute()).toEqual([])
  expect((await dora.press()).status).toBe(200)
})

test('CONTACT-12 a mistake in a field is told before any doubt about its sender', async () => {
  const shop = await openTestShop()
  const refused = await (await visit(shop)).press({ stamp: 'forged', website: 'x', name: '' })
  expect(refused.html).toContain('Please provide a name')
  expect(refused.html).not.toContain(contactTexts.unsure)
})

test('a sixth message within ten minutes is refused with a time to wait, and keeps what was typed; mistakes do not count', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const dora = await visit(shop)
  shop.clock.now += 60_000
  for (let wrong = 0; wrong < 8; wrong++) expect((await dora.press({ phone: '1' })).status).toBe(422)
  const statuses: number[] = []
  for (let sent = 0; sent < 5; sent++) statuses.push((await dora.press({ message: `Message ${sent}` })).status)
  const refused = await dora.press()

  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(refused.status).toBe(429)
  expect(refused.html).toContain('That was a lot at once. Please wait 10 minutes and try again.')
  expect(Number(refused.retryAfter)).toBeGreaterThan(500)
  expect(Number(refused.retryAfter)).toBeLessThanOrEqual(600)
  expectTypedIn(refused.html)
  expect(await ordersIn(shop)).toBe(5)
})

test('the same message again, by a double click or after a pause, is one conversation and one letter', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  shop.clock.now += 60_000
  const stamp = dora.stamp()
  const answers = await Promise.all([dora.press({ stamp }), dora.press({ stamp }), dora.press({ stamp })])
  shop.clock.now += 9 * 60_000
  answers.push(await dora.press({ stamp }))

  expect(
    answers.map(({ html }) => html.includes('Your Mail Have been sent!') || html.includes('There is no need to send it again.')),
  ).toEqual([true, true, true, true])
  expect(await ordersIn(shop)).toBe(1)
  expect(await shop.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])

  shop.clock.now += 20 * 60_000
  await dora.press({ stamp })
  expect(await ordersIn(shop)).toBe(2)
})
