import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { openTestShop, NOON, type TestShop } from '#test/open-test-shop.ts'
import { writeTestimony } from './testimonies.server.ts'
import { overflowOf } from './testimony.ts'

type Row = { id: string; name?: string; text?: string; email?: string; available?: 0 | 1; shown?: 0 | 1; at?: number; items?: string[] }

async function issue(shop: TestShop, ...rows: Row[]) {
  for (const { id, name = 'Wanda', text = '', email = 'Wanda@mail.test', available = 1, shown = 0, at = 0, items = [] } of rows) {
    await shop.db
      .insertInto('testimonies')
      .values({
        id,
        writerId: 'w',
        writerName: name,
        writerEmail: email,
        writerPhotoURL: `/pictures/people/${id}.webp`,
        testimony: text,
        isAvailable: available,
        isValidated: 0,
        showOnPage: shown,
        createdAt: NOON + at,
      })
      .execute()
    for (const [position, item] of items.entries())
      await shop.db
        .insertInto('testimonyItems')
        .values({ testimonyId: id, position, itemId: item, name: `The ${item}` })
        .execute()
  }
}
const slidesOf = (html: string) => html.split(/(?=<div[^>]*aria-roledescription="slide")/).slice(1)
const stored = (shop: TestShop, id: string) =>
  shop.db.selectFrom('testimonies').select(['testimony', 'isAvailable']).where('id', '=', id).executeTakeFirstOrThrow()

test('NAV-14 ROLES-03 TESTI-01 TESTI-04 TESTI-05 TESTI-06 TESTI-07 TESTI-08 TESTI-09 DATA-083 the carousel holds the testimonies, the newest first, between the writers before and after', async () => {
  const shop = await openTestShop()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: 'Lovely knots', shown: 1, at: 1, available: 0 },
    { id: 'b', name: 'Berta', text: 'Strong cords', shown: 1, at: 3, available: 0, items: ['hanger', 'bag'] },
    { id: 'c', name: 'Cleo', text: 'Warm wood', shown: 1, at: 2, available: 0 },
  )

  const html = await shop.visitor().page('/testimonials/')

  const slides = slidesOf(html)
  expect(slides.map((slide) => /<h2[^>]*>([^<]+)</.exec(slide)?.[1])).toEqual(['Berta', 'Cleo', 'Anna'])
  expect(slides[0]).toMatch(/<blockquote[^>]*>Strong cords</)
  expect(html).toContain('src="/pictures/people/b.webp"')
  expect(html).toMatch(/href="#testimony-a"[^>]*aria-label="Previous writer: Anna"[^>]*><img [^>]*src="\/pictures\/people\/a.webp"/)
  expect(html).toMatch(/href="#testimony-c"[^>]*aria-label="Next writer: Cleo"[^>]*><img [^>]*src="\/pictures\/people\/c.webp"/)
  expect(html).toMatch(/<a [^>]*href="\/item\/hanger\/" target="_blank"[^>]*>The hanger</)
  expect(html).toMatch(/<a [^>]*href="\/item\/bag\/" target="_blank"[^>]*>The bag</)
  for (const slide of slides) expect(slide).toContain('The writer received $5 OFF')
})

test('S-042 TESTI-05 without script every testimony can be read, whole, and the links lead to them', async () => {
  const shop = await openTestShop()
  const long = 'All of it is good. '.repeat(100).trim()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: long, shown: 1, at: 1, available: 0 },
    { id: 'b', name: 'Berta', text: 'two', shown: 1, at: 2, available: 0 },
  )
  const html = await shop.visitor().page('/testimonials/')

  const slides = slidesOf(html)
  expect(slides).toHaveLength(2)
  for (const slide of slides) expect(slide).not.toMatch(/aria-hidden="true"[^>]*role="group"|role="group"[^>]*aria-hidden|inert|hidden=""/)
  expect(slides[1]).toMatch(new RegExp(`<blockquote[^>]*>${long}<`))
  // S-040: of two the same writer stands before and after.
  expect(html.match(/href="#testimony-a"/g)).toHaveLength(2)
  expect(slides[1]).toContain('id="testimony-a"')
})

test('a text that does not fit into its card can be opened; a short one has nothing to open', async () => {
  expect(['Lovely.', 'a'.repeat(190), 'a'.repeat(300), 'a'.repeat(400), 'a\n'.repeat(9), 'a'.repeat(10_000)].map(overflowOf)).toEqual([
    'nowhere',
    'nowhere',
    'phone',
    'everywhere',
    'everywhere',
    'everywhere',
  ])
})

test('S-039 only plain text is shown, whatever was written', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 'a', name: '<i>Anna</i>', text: '<b>bold</b><script>alert(1)</script>', shown: 1, available: 0 })

  const html = await shop.visitor().page('/testimonials/')

  expect(html).toContain('&lt;b&gt;bold&lt;/b&gt;&lt;script&gt;')
  expect(html).not.toMatch(/<b>bold|<i>Anna|<script>alert/)
})

test('S-039 S-044 the carousel leaves out what is not shown and what is blank', async () => {
  const shop = await openTestShop()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: 'not shown', shown: 0 },
    { id: 'b', name: 'Berta', text: ' \n ', shown: 1 },
    { id: 'c', name: 'Cleo', text: '', shown: 1 },
  )
  expect(await shop.visitor().page('/testimonials/')).toContain('No one has written yet.')
})

test('S-040 one testimony has no neighbours', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 'a', name: 'Anna', text: 'alone', shown: 1 })
  const html = await shop.visitor().page('/testimonials/')

  expect(html).toContain('alone')
  expect(html).not.toContain('writer: Anna')
})

test('NAV-15 ROLES-06 TESTI-10 TESTI-11 TESTI-12 TESTI-13 S-050 an open ticket greets its writer and asks for the e-mail, which it does not tell', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const html = await shop.visitor().page('/writetestimonials/t')

  expect(html).toContain('Hello, Wanda')
  expect(html).toContain('/pictures/people/t.webp')
  expect(html).toMatch(/<input[^>]*id="email"/)
  expect(html.toLowerCase()).not.toContain('wanda@mail.test')
  expect(html).not.toContain('All set')
  expect(html).not.toContain('hanger')
  expect(html).not.toContain('<textarea')
})

test.for(['wanda@mail.test', ' Wanda@mail.test', 'Wanda@mail.test ', '', 'other@mail.test'])(
  'TESTI-14 TESTI-15 S-043 the e-mail "%s" is not exactly the writer\'s and opens nothing',
  async (email) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't', items: ['hanger'] })
    for (const intent of ['check', 'write']) {
      const answer = await shop.visitor().act('/writetestimonials/t', { intent, email, testimony: 'Nice' })
      expect(answer.status).toBe(422)
      expect(answer.text).not.toContain('hanger')
    }
    expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
  },
)

test('TESTI-16 TESTI-17 TESTI-19 TESTI-20 TESTI-21 TESTI-22 without script the matching e-mail opens all steps and is locked', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const html = await (await shop.visitor().post('/writetestimonials/t', { intent: 'check', email: 'Wanda@mail.test' })).text()

  expect(html).toMatch(/<input[^>]*id="email"[^>]*readOnly=""[^>]*value="Wanda@mail.test"/i)
  expect(html).toContain('You&#x27;re All set!')
  expect(html).toMatch(/<a [^>]*href="\/item\/hanger\/" target="_blank"/)
  expect(html).toContain('<textarea')
  expect(html).toMatch(/<button[^>]*>Submit</)
})

test.for(['Beautiful work', '', '   '])(
  'TESTI-23 TESTI-24 TESTI-31 TESTI-32 S-044 S-047 the text "%s" is stored and the writer is thanked',
  async (testimony) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't' })
    const visitor = shop.visitor()

    const done = await visitor.post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony })

    expect(done.headers.get('location')).toBe('/writetestimonials/t')
    expect(await visitor.page('/writetestimonials/t')).toContain('Thank you Wanda, you qualify for $5 OFF!')
    expect(await stored(shop, 't')).toEqual({ testimony, isAvailable: 0 })
    expect(shop.heard).toEqual(['tickets', 'testimonials'])
  },
)

test('TESTI-33 S-045 of ten submissions at once one is stored, and a later one changes nothing and sees the thanks', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't' })
  const write = (testimony: string) => shop.visitor().post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony })

  const texts = Array.from({ length: 10 }, (_, index) => `text ${index}`)
  const answers = await Promise.all(texts.map(write))
  const { testimony } = await stored(shop, 't')
  const late = await write('late')

  expect(texts).toContain(testimony)
  for (const answer of answers) expect(answer.headers.get('location')).toBe('/writetestimonials/t')
  expect(late.headers.get('location')).toBe('/writetestimonials/t')
  expect(await stored(shop, 't')).toEqual({ testimony, isAvailable: 0 })
  expect(shop.heard).toEqual(['tickets', 'testimonials'])
})

test('TESTI-33 S-045 the write itself is what counts once, whatever was asked before it', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't' })
  const write = (testimony: string) => writeTestimony(shop.shop, 't', { email: 'Wanda@mail.test', testimony })

  expect([await write('first'), await write('second')]).toEqual(['written', 'refused'])
  expect(await shop.db.selectFrom('testimonies').select('testimony').execute()).toEqual([{ testimony: 'first' }])
})

test.for(['none', "'--", 'ü'])('the page of an unknown ticket (%s) has nothing but Knots and Love [TESTI-25]', async (id) => {
  const shop = await openTestShop()
  const response = await shop.visitor().get(`/writetestimonials/${id}`)

  expect(response.status).toBe(404)
  expect(await response.text()).toContain('Nothing here but Knots and Love')
})

test('ERR-06 S-046 a failed submit is only logged: no message, the text stays, the ticket stays open', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't' })
  const { db } = shop.shop
  const { updateTable } = db
  db.updateTable = () => {
    throw new Error('the disk is full')
  }

  const response = await shop.visitor().post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony: 'Beautiful' })
  db.updateTable = updateTable
  const html = await response.text()

  expect(response.status).toBe(500)
  expect(html).toMatch(/<textarea[^>]*>Beautiful</)
  expect(html).toMatch(/<button[^>]*>Submit</)
  expect(html).not.toContain('role="alert"')
  expect(shop.logged).toMatchObject([{ level: 'error', message: 'a testimony could not be stored' }])
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
})

test('S-043 guessing e-mails is limited, and a text above 10,000 characters is told', async () => {
  const shop = await openTestShop({ rateLimits: true })
  await issue(shop, { id: 't' })
  const act = (form: Record<string, string>) => shop.visitor().act('/writetestimonials/t', form)

  const long = await act({ intent: 'write', email: 'Wanda@mail.test', testimony: 'x'.repeat(10_001) })
  for (let tries = 1; tries < 20; tries++) await act({ intent: 'check', email: `${tries}@mail.test` })
  const refused = await act({ intent: 'check', email: 'Wanda@mail.test' })

  expect([long.status, refused.status]).toEqual([422, 429])
  expect(long.text).toContain('Please keep the text under 10,000 characters')
  expect(refused.text).toContain('Too many tries. Please wait 10 minutes and try again.')

  // What was written stays on the page, with and without script; it is not said whether the e-mail was right.
  const kept = await shop.visitor().post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony: 'Kept' })
  expect([kept.status, Number(kept.headers.get('retry-after')) > 500]).toEqual([429, true])
  const html = await kept.text()
  expect(html).toMatch(/<textarea[^>]*>Kept</)
  expect(html).toMatch(/<button[^>]*value="write"[^>]*>Submit</)
  expect(html).not.toContain('All set')
})

test('TESTI-25 an unknown ticket leads on: to the gallery and to the owner', async () => {
  const html = await (await openTestShop()).visitor().page('/writetestimonials/none')
  expect(html).toMatch(/<main[\s\S]*href="\/gallery\/"[\s\S]*href="\/contact\/"[\s\S]*<\/main>/)
})

test("S-050 S-001 somebody else's ticket opens for nobody but who knows its e-mail, signed in or not; the owner neither", async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] }, { id: 'mine', email: 'ann@mail.test' })
  for (const somebody of [await shop.customer('ann@mail.test'), await shop.owner(), await shop.guest()]) {
    expect((await somebody.act('/writetestimonials/t', { intent: 'write', email: 'ann@mail.test', testimony: 'Mine' })).status).toBe(422)
    expect(await somebody.page('/writetestimonials/t')).not.toContain('hanger')
  }
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
  expect((await shop.visitor().post('/writetestimonials/mine', { intent: 'write', email: 'ann@mail.test', testimony: 'Ok' })).status).toBe(
    303,
  )
})

test('TESTI-24 a used ticket thanks whoever opens it, shows neither text nor e-mail, and takes nothing more', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', text: 'My secret words', available: 0 })
  const html = await shop.visitor().page('/writetestimonials/t')

  expect(html).toContain('Thank you Wanda, you qualify for $5 OFF!')
  expect(html.toLowerCase()).not.toMatch(/my secret words|wanda@mail\.test|<textarea|name="email"/)
  for (const intent of ['check', 'write'])
    expect((await shop.visitor().post('/writetestimonials/t', { intent, email: 'Wanda@mail.test', testimony: 'More' })).status).toBe(303)
  expect(await stored(shop, 't')).toEqual({ testimony: 'My secret words', isAvailable: 0 })
})

test('ROLES-23 the owner, and nobody else, issues the ticket with which a buyer writes', async () => {
  const shop = await openTestShop()
  await addSale(shop.db, { receiptTag: 'TAG00001', buyerEmail: 'ann@mail.test' })
  const [owner, customer] = [await shop.owner(), await shop.customer('bea@mail.test')]
  const tickets = () => shop.db.selectFrom('testimonies').select('id').execute()

  const form = { receipt: 'TAG00001', paper: 'Testimony Ticket' }
  for (const nobody of [customer, shop.visitor(), await shop.guest()]) await nobody.post('/manage/sales/', form)
  expect(await tickets()).toEqual([])

  await owner.post('/manage/sales/', form)
  const [ticket] = await tickets()
  await shop.visitor().post(`/writetestimonials/${ticket!.id}`, { intent: 'write', email: 'ann@mail.test', testimony: 'Good' })
  expect(await stored(shop, ticket!.id)).toEqual({ testimony: 'Good', isAvailable: 0 })
})
