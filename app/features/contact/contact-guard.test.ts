import { expect, test } from 'vitest'
import { MIN_AGE_MS, MAX_AGE_MS, createFormTimestamp } from '#lib/http/form-timestamp.server.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { openTestShop, type TestShop } from '#test/fixtures/test-shop.ts'
import { contactFormTexts, contactTexts } from './texts.ts'

const valid = {
  name: 'Dora Knott',
  email: 'dora@mail.test',
  phone: '0123456789',
  message: 'Do you make curtains?',
}
const formOn = (html: string) => pageOf(html).getByText(contactFormTexts.submit).closest('form')!
const stampIn = (html: string) =>
  formOn(html).querySelector('[name="stamp"]')!.getAttribute('value')!
const ordersIn = async (shop: TestShop) =>
  (await shop.db.selectFrom('orders').select('id').execute()).length
/**
 * Opens the contact page as a visitor without JavaScript. `press` sends the form, and can be called
 * several times.
 */
async function visit(shop: TestShop) {
  const visitor = shop.visitor()
  let stamp = stampIn(await visitor.page('/contact/'))
  return {
    stamp: () => stamp,
    async press(form: Record<string, string> = {}) {
      const response = await visitor.post('/contact/?tab=mail', {
        ...valid,
        stamp,
        website: '',
        ...form,
      })
      const html = await response.text()
      stamp = stampIn(html)
      return { status: response.status, html, retryAfter: response.headers.get('retry-after') }
    },
  }
}
const expectTypedIn = (html: string) => {
  const form = within(formOn(html))
  for (const [name, label] of Object.entries(contactFormTexts.fields)) {
    const field = form.getByLabelText<HTMLInputElement | HTMLTextAreaElement>(label)
    expect(field.value).toBe(valid[name as keyof typeof valid])
  }
}

test('the shop refuses a contact form that is sent too quickly, and accepts the form a moment later', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  shop.clock.now += MIN_AGE_MS - 1
  const refused = await dora.press()

  expect(refused.status).toBe(422)
  expect(refused.html).toContain(contactTexts.tooFast)
  expectTypedIn(refused.html)
  expect(await ordersIn(shop)).toBe(0)

  shop.clock.now += 1
  expect((await dora.press()).status).toBe(200)
  expect(await ordersIn(shop)).toBe(1)
})

test('a visitor whose contact page was open for more than a day must send the form again', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  const eve = await visit(shop)
  shop.clock.now += MAX_AGE_MS
  expect((await eve.press({ message: 'Just in time' })).status).toBe(200)
  shop.clock.now += 1
  const refused = await dora.press()

  expect(refused.status).toBe(422)
  expect(refused.html).toContain(contactTexts.tooOld)
  expectTypedIn(refused.html)
  expect((await dora.press()).status).toBe(200)
  expect(await ordersIn(shop)).toBe(2)
})

test('the shop refuses a contact form with a forged timestamp', async () => {
  const shop = await openTestShop()
  const now = shop.now()
  const own = await shop.formTimestamp.stamp(now - 60_000)
  const [header, payload, signature] = own.split('.') as [string, string, string]
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    '',
    'a.b.c',
    await createFormTimestamp('another-secret').stamp(now - 60_000),
    `${header}.${part({ at: 0 })}.${signature}`,
    `${header}.${payload}.${signature}x`,
    `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    await shop.formTimestamp.stamp(now + 1),
    `${own}${'x'.repeat(100_000)}`,
  ]
  for (const stamp of forged) {
    const eve = await visit(shop)
    const refused = await eve.press({ stamp })
    expect(refused.status, stamp.slice(0, 80)).toBe(422)
    expect(refused.html).toContain(contactTexts.unsure)
    expectTypedIn(refused.html)
    expect((await eve.press()).html).toContain(contactTexts.tooFast)
  }
  expect(await ordersIn(shop)).toBe(0)

  const dora = await visit(shop)
  await dora.press({ stamp: 'x' })
  shop.clock.now += MIN_AGE_MS
  expect((await dora.press()).status).toBe(200)
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('the shop refuses a contact form with a filled honeypot field, but accepts the same visitor’s next form', async () => {
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

test('the contact form reports an invalid field before it reports a suspected bot [CONTACT-12]', async () => {
  const shop = await openTestShop()
  const refused = await (await visit(shop)).press({ stamp: 'forged', website: 'x', name: '' })
  expect(refused.html).toContain('Please provide a name')
  expect(refused.html).not.toContain(contactTexts.unsure)
})

test('the shop refuses a sixth message within ten minutes, and the contact form keeps the typed text', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const dora = await visit(shop)
  shop.clock.now += 60_000
  for (let wrong = 0; wrong < 8; wrong++) {
    expect((await dora.press({ phone: '1' })).status).toBe(422)
  }
  const statuses: number[] = []
  for (let sent = 0; sent < 5; sent++) {
    statuses.push(
      (await dora.press({ message: `Message ${sent}`, email: `${' '.repeat(sent)}${valid.email}` }))
        .status,
    )
  }
  const refused = await dora.press()

  expect(statuses).toEqual([200, 200, 200, 200, 200])
  expect(refused.status).toBe(429)
  expect(refused.html).toContain(
    'That was a lot in a short time. Please wait 10 minutes and try again.',
  )
  expect(Number(refused.retryAfter)).toBeGreaterThan(500)
  expect(Number(refused.retryAfter)).toBeLessThanOrEqual(600)
  expectTypedIn(refused.html)
  expect(await ordersIn(shop)).toBe(5)
})

test('the shop stores and emails a contact message only once, even if a visitor sends it again within ten minutes', async () => {
  const shop = await openTestShop()
  const dora = await visit(shop)
  shop.clock.now += 60_000
  const stamp = dora.stamp()
  const answers = await Promise.all([
    dora.press({ stamp }),
    dora.press({ stamp }),
    dora.press({ stamp }),
  ])
  shop.clock.now += 9 * 60_000
  answers.push(await dora.press({ stamp }))

  for (const { html } of answers) {
    expect(html).toMatch(/Your Mail Have been sent!|There is no need to send it again\./)
  }
  expect(await ordersIn(shop)).toBe(1)
  expect(await shop.db.selectFrom('outbox').select('attempts').execute()).toEqual([{ attempts: 1 }])

  shop.clock.now += 20 * 60_000
  await dora.press({ stamp })
  expect(await ordersIn(shop)).toBe(2)
})
