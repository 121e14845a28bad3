import { expect, test } from 'vitest'
import { publicIdOf } from './testimonies.server.ts'
import { overflowingScreens } from './testimony.ts'
import { addSale, addTestimonyTicket } from '#test/fixtures/orders.ts'
import { openTestShop, NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { insert } from '#test/fixtures/catalog.ts'

type Row = {
  id: string
  name?: string
  text?: string
  email?: string
  available?: 0 | 1
  shown?: 0 | 1
  at?: number
  items?: string[]
}

async function issue(shop: TestShop, ...rows: Row[]) {
  for (const {
    id,
    name = 'Wanda',
    text = '',
    email = 'Wanda@mail.test',
    available = 1,
    shown = 0,
    at = 0,
    items = [],
  } of rows) {
    const writer = {
      writerName: name,
      writerEmail: email,
      writerPhotoURL: `/pictures/people/${id}.webp`,
    }
    await addTestimonyTicket(shop.db, id, {
      ...writer,
      testimony: text,
      isAvailable: available,
      showOnPage: shown,
      createdAt: NOON + at,
    })
    for (const [position, item] of items.entries())
      await insert(shop.db, 'testimonyItems', {
        testimonyId: id,
        position,
        itemId: item,
        name: `The ${item}`,
      })
  }
}
const slidesOf = (html: string) => html.split(/(?=<div[^>]*aria-roledescription="slide")/).slice(1)
const stored = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('testimonies')
    .select(['testimony', 'isAvailable'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

async function openCarousel() {
  const shop = await openTestShop()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: 'Lovely knots', shown: 1, at: 1, available: 0 },
    {
      id: 'b',
      name: 'Berta',
      text: 'Strong cords',
      shown: 1,
      at: 3,
      available: 0,
      items: ['hanger', 'bag'],
    },
    { id: 'c', name: 'Cleo', text: 'Warm wood', shown: 1, at: 2, available: 0 },
  )
  return shop.visitor().page('/testimonials/')
}

test('the Testimonials page shows visitors a carousel that begins with the newest testimony [NAV-14, ROLES-03, TESTI-01, TESTI-06, TESTI-07]', async () => {
  const html = await openCarousel()
  const slides = slidesOf(html)
  expect(slides.map((slide) => /<h2[^>]*>([^<]+)</.exec(slide)?.[1])).toEqual([
    'Berta',
    'Cleo',
    'Anna',
  ])
  expect(slides.map((slide) => /<blockquote[^>]*>([^<]+)</.exec(slide)?.[1])).toEqual([
    'Strong cords',
    'Warm wood',
    'Lovely knots',
  ])
  expect(html.match(/\$5 OFF/g)).toHaveLength(1)
})

test('the Testimonials page does not contain the id of a testimony, which is the secret in the URL of its testimony ticket [S-043]', async () => {
  const shop = await openTestShop()
  await issue(shop, {
    id: 'secret-ticket-of-anna',
    name: 'Anna',
    text: 'Lovely knots',
    shown: 1,
    available: 0,
  })
  for (const path of [
    '/testimonials/',
    '/testimonials/?view=all',
    '/testimonials/_.data',
    '/_.data',
  ]) {
    // The path of the writer’s photo contains the id only in this test.
    const page = (await (await shop.visitor().get(path)).text()).replaceAll(
      'people/secret-ticket',
      '',
    )
    expect([path, page.includes('secret-ticket'), page.length > 100]).toEqual([path, false, true])
  }
})

test('visitors can switch between the carousel and a wall that shows all testimonies [OWN-103]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 'a', name: 'Anna', text: 'Lovely knots', shown: 1, available: 0 })
  const visitor = shop.visitor()
  expect(await visitor.page('/testimonials/')).not.toContain('?view=all')
  await issue(shop, { id: 'b', name: 'Berta', text: 'Strong cords', shown: 1, at: 3, available: 0 })
  expect(await visitor.page('/testimonials/')).toMatch(/href="[^"]*\?view=all"/)

  const wall = await visitor.page('/testimonials/?view=all')
  expect(wall).not.toContain('aria-roledescription')
  expect([...wall.matchAll(/<blockquote[^>]*>([^<]+)</g)].map((match) => match[1])).toEqual([
    'Strong cords',
    'Lovely knots',
  ])
  expect(wall.match(/\$5 OFF/g)).toHaveLength(1)
  expect(wall).toContain('Show one at a time')
})

test.each([
  ['Previous', 'TESTI-04', 'Anna', 'a'],
  ['Next', 'TESTI-05', 'Cleo', 'c'],
])(
  'the photo of the %s writer beside the carousel links to that writer’s testimony [%s]',
  async (which, _, name, id) => {
    expect(await openCarousel()).toMatch(
      new RegExp(
        `href="#testimony-${publicIdOf(id)}"[^>]*aria-label="${which} writer: ${name}"[^>]*><img [^>]*src="/pictures/people/${id}.webp"`,
      ),
    )
  },
)

test('the item links of a testimony open in new tabs [TESTI-08, TESTI-09, DATA-083]', async () => {
  const html = await openCarousel()
  for (const item of ['hanger', 'bag'])
    expect(html).toMatch(
      new RegExp(`<a [^>]*href="/item/${item}/" target="_blank"[^>]*>The ${item}<`),
    )
})

test('a testimony shows a line that the owner typed in an offer as a name without a link [AGREE-17]', async () => {
  const shop = await openTestShop()
  await issue(shop, {
    id: 'a',
    text: 'Lovely',
    shown: 1,
    available: 0,
    items: ['offer-abc-2', 'hanger'],
  })
  const html = await shop.visitor().page('/testimonials/')
  expect(html).toMatch(/<li>The offer-abc-2<\/li><li><a [^>]*href="\/item\/hanger\/"/)
})

test('without JavaScript, the Testimonials page shows the full text of every testimony [S-042, TESTI-05]', async () => {
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
  for (const slide of slides)
    expect(slide).not.toMatch(
      /aria-hidden="true"[^>]*role="group"|role="group"[^>]*aria-hidden|inert|hidden=""/,
    )
  expect(slides[1]).toMatch(new RegExp(`<blockquote[^>]*>${long}<`))
  // With only two testimonies, the links "previous" and "next" lead to the same testimony (S-040).
  expect(html.split(`href="#testimony-${publicIdOf('a')}"`)).toHaveLength(3)
  expect(slides[1]).toContain(`id="testimony-${publicIdOf('a')}"`)
})

test('the Testimonials page leaves out hidden and blank testimonies [S-039, S-040, S-044]', async () => {
  const shop = await openTestShop()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: 'not shown', shown: 0 },
    { id: 'b', name: 'Berta', text: ' \n ', shown: 1 },
    { id: 'c', name: 'Cleo', text: '', shown: 1 },
  )
  expect(await shop.visitor().page('/testimonials/')).toContain('There are no testimonials yet.')

  await issue(shop, { id: 'd', name: 'Dora', text: 'alone', shown: 1 })
  const html = await shop.visitor().page('/testimonials/')
  expect(html).toContain('alone')
  expect(html).not.toContain('writer: Dora')
})

test('the page of a testimony ticket tells the buyer to type her email address in lowercase, and does not show the address [NAV-15, TESTI-10, TESTI-11, TESTI-12, TESTI-13, OWN-84]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const html = await shop.visitor().page('/writetestimonials/t')

  expect(html).toContain('Hello, Wanda')
  expect(html).toContain('/pictures/people/t.webp')
  expect(html).toMatch(/<input[^>]*id="email"/)
  expect(html).toContain('In lowercase, as in your account.')
  expect(html.toLowerCase()).not.toContain('wanda@mail.test')
  expect(html).not.toContain('All set')
  expect(html).not.toContain('hanger')
  expect(html).not.toContain('<textarea')
})

const otherEmails = [
  'wanda@mail.test',
  ' Wanda@mail.test',
  'Wanda@mail.test ',
  '',
  'other@mail.test',
]
test.for(otherEmails)(
  'the wrong email address "%s" does not open the testimony ticket [TESTI-14, TESTI-15, S-043]',
  async (email) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't', items: ['hanger'] })
    for (const intent of ['check', 'write']) {
      const answer = await shop
        .visitor()
        .act('/writetestimonials/t', { intent, email, testimony: 'Nice' })
      expect(answer.status).toBe(422)
      expect(answer.text).not.toContain('hanger')
    }
    expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
  },
)

test('without JavaScript, all steps of the testimony form open after the buyer has entered the right email address [TESTI-16, TESTI-17, TESTI-19, TESTI-20, TESTI-21, TESTI-22]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const html = await (
    await shop.visitor().post('/writetestimonials/t', { intent: 'check', email: 'Wanda@mail.test' })
  ).text()

  expect(html).toMatch(/<input[^>]*id="email"[^>]*readOnly=""[^>]*value="Wanda@mail.test"/i)
  expect(html).toContain('You&#x27;re All set!')
  expect(html).toMatch(/<a [^>]*href="\/item\/hanger\/" target="_blank"/)
  expect(html).toContain('<textarea')
  expect(html).toMatch(/<button[^>]*>Submit</)
})

test.for(['Beautiful work', '', '   '])(
  'the testimony "%s" is stored, and the page thanks its writer [TESTI-23, TESTI-24, TESTI-32, S-047]',
  async (testimony) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't' })
    const visitor = shop.visitor()

    const done = await visitor.post('/writetestimonials/t', {
      intent: 'write',
      email: 'Wanda@mail.test',
      testimony,
    })

    expect(done.headers.get('location')).toBe('/writetestimonials/t')
    expect(await visitor.page('/writetestimonials/t')).toContain(
      'Thank you Wanda, you qualify for $5 OFF!',
    )
    expect(await stored(shop, 't')).toEqual({ testimony, isAvailable: 0 })
    expect(shop.changedTopics).toEqual(['tickets', 'testimonials'])
  },
)

test.for(['none', "'--", 'ü'])(
  'the unknown ticket %s accepts no testimony, and its page links to other pages [TESTI-25]',
  async (id) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't' })

    const response = await shop.visitor().get(`/writetestimonials/${id}`)
    const written = await shop
      .visitor()
      .post(`/writetestimonials/${id}`, {
        intent: 'write',
        email: 'Wanda@mail.test',
        testimony: 'Mine',
      })

    expect([response.status, written.status]).toEqual([404, 422])
    for (const html of [await response.text(), await written.text()])
      expect(html).toMatch(
        /<main[\s\S]*Nothing here but Knots and Love[\s\S]*href="\/gallery\/"[\s\S]*href="\/contact\/"[\s\S]*<\/main>/,
      )
    expect(await shop.db.selectFrom('testimonies').select(['id', 'testimony']).execute()).toEqual([
      { id: 't', testimony: '' },
    ])
  },
)

test('if the shop cannot store a testimony, the form still contains the text, and the testimony ticket stays unused [ERR-06, S-046]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't' })
  const { db } = shop.shop
  const { transaction } = db
  db.transaction = () => {
    throw new Error('the disk is full')
  }

  const response = await shop
    .visitor()
    .post('/writetestimonials/t', {
      intent: 'write',
      email: 'Wanda@mail.test',
      testimony: 'Beautiful',
    })
  db.transaction = transaction
  const html = await response.text()

  expect(response.status).toBe(500)
  expect(html).toMatch(/<textarea[^>]*>Beautiful</)
  expect(html).toMatch(/<button[^>]*>Submit</)
  expect(html).not.toContain('role="alert"')
  expect(shop.logged).toMatchObject([
    { level: 'error', message: 'a testimony could not be stored' },
  ])
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
})

test('the shop limits the attempts to enter an email address and the length of a testimony [S-043]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  await issue(shop, { id: 't' })
  const act = (form: Record<string, string>) => shop.visitor().act('/writetestimonials/t', form)

  const long = await act({
    intent: 'write',
    email: 'Wanda@mail.test',
    testimony: 'x'.repeat(10_001),
  })
  for (let tries = 1; tries < 20; tries++)
    await act({ intent: 'check', email: `${tries}@mail.test` })
  const refused = await act({ intent: 'check', email: 'Wanda@mail.test' })

  expect([long.status, refused.status]).toEqual([422, 429])
  expect(long.text).toContain('Please keep the text under 10,000 characters')
  expect(refused.text).toContain('Too many tries. Please wait 10 minutes and try again.')

  // After too many attempts, the page still contains the typed text, but does not show whether the email address was correct.
  const answer = await shop
    .visitor()
    .post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony: 'Typed' })
  expect([answer.status, Number(answer.headers.get('retry-after')) > 500]).toEqual([429, true])
  const html = await answer.text()
  expect(html).toMatch(/<textarea[^>]*>Typed</)
  expect(html).toMatch(/<button[^>]*value="write"[^>]*>Submit</)
  expect(html).not.toContain('All set')
})

test('a logged-in customer, guest or owner cannot open the testimony ticket of another buyer [S-050, S-001]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] }, { id: 'mine', email: 'ann@mail.test' })
  for (const client of [
    await shop.customer('ann@mail.test'),
    await shop.owner(),
    await shop.guest(),
  ]) {
    expect(
      (
        await client.act('/writetestimonials/t', {
          intent: 'write',
          email: 'ann@mail.test',
          testimony: 'Mine',
        })
      ).status,
    ).toBe(422)
    expect(await client.page('/writetestimonials/t')).not.toContain('hanger')
  }
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: 1 })
  expect(
    (
      await shop
        .visitor()
        .post('/writetestimonials/mine', {
          intent: 'write',
          email: 'ann@mail.test',
          testimony: 'Ok',
        })
    ).status,
  ).toBe(303)
})

test('the page of a used testimony ticket thanks the buyer, and the shop refuses a second testimony [TESTI-24, TESTI-33, S-045]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', text: 'My secret words', available: 0 })
  const html = await shop.visitor().page('/writetestimonials/t')

  expect(html).toContain('Thank you Wanda, you qualify for $5 OFF!')
  expect(html.toLowerCase()).not.toMatch(/my secret words|wanda@mail\.test|<textarea|name="email"/)
  for (const intent of ['check', 'write'])
    expect(
      (
        await shop
          .visitor()
          .post('/writetestimonials/t', { intent, email: 'Wanda@mail.test', testimony: 'More' })
      ).status,
    ).toBe(303)
  expect(await stored(shop, 't')).toEqual({ testimony: 'My secret words', isAvailable: 0 })
})

test('only the owner can create a testimony ticket, with which the buyer can write a testimony [ROLES-23]', async () => {
  const shop = await openTestShop()
  await addSale(shop.db, { receiptTag: 'TAG00001', buyerEmail: 'ann@mail.test' })
  const [owner, customer] = [await shop.owner(), await shop.customer('bea@mail.test')]
  const tickets = () => shop.db.selectFrom('testimonies').select('id').execute()

  const form = { receipt: 'TAG00001', paper: 'Testimony Ticket' }
  for (const client of [customer, shop.visitor(), await shop.guest()])
    await client.post('/manage/sales/', form)
  expect(await tickets()).toEqual([])

  await owner.post('/manage/sales/', form)
  const [ticket] = await tickets()
  await shop
    .visitor()
    .post(`/writetestimonials/${ticket!.id}`, {
      intent: 'write',
      email: 'ann@mail.test',
      testimony: 'Good',
    })
  expect(await stored(shop, ticket!.id)).toEqual({ testimony: 'Good', isAvailable: 0 })
})

test('a card has a button for the full text only on the screens on which the text does not fit, also in Japanese', () => {
  const screensOf = (character: string, lengths: number[]) =>
    lengths.map((length) => overflowingScreens(character.repeat(length)))
  expect(screensOf('a', [200, 300, 400])).toEqual(['nowhere', 'phone', 'everywhere'])
  expect(screensOf('結', [90, 180, 300])).toEqual(['nowhere', 'phone', 'everywhere'])
})
