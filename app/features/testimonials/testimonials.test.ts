import { describe, expect, test } from 'vitest'
import { publicIdOf } from './testimonies.server.ts'
import { overflowingScreens } from './testimony.ts'
import { hrefsIn, pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { addSale, addTestimonyTicket } from '#test/fixtures/orders.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { insert } from '#test/fixtures/catalog.ts'

type Row = {
  id: string
  name?: string
  text?: string
  email?: string
  available?: boolean
  shown?: boolean
  at?: number
  items?: string[]
}

async function issue(shop: TestShop, ...rows: Row[]) {
  for (const {
    id,
    name = 'Wanda',
    text = '',
    email = 'Wanda@mail.test',
    available = true,
    shown = false,
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
    for (const [position, item] of items.entries()) {
      await insert(shop.db, 'testimonyItems', {
        testimonyId: id,
        position,
        itemId: item,
        name: `The ${item}`,
      })
    }
  }
}
const readMain = async (shop: TestShop, path: string) =>
  within(pageOf(await shop.visitor().page(path)).getByRole('main'))
const readWords = async (shop: TestShop, path: string) => wordsOf(await shop.visitor().page(path))
const wordsIn = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent)
const readTicket = (shop: TestShop) => readMain(shop, '/writetestimonials/t')
const stored = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('testimonies')
    .select(['testimony', 'isAvailable'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

describe('the Testimonials page', () => {
  const main = shared(async (onCleanup) => {
    const shop = await openTestShop({ onCleanup })
    await issue(
      shop,
      { id: 'a', name: 'Anna', text: 'Lovely knots', shown: true, at: 1, available: false },
      {
        id: 'b',
        name: 'Berta',
        text: 'Strong cords',
        shown: true,
        at: 3,
        available: false,
        items: ['hanger', 'bag'],
      },
      { id: 'c', name: 'Cleo', text: 'Warm wood', shown: true, at: 2, available: false },
    )
    return readMain(shop, '/testimonials/')
  })

  test('shows visitors a carousel that begins with the newest testimony [NAV-14, ROLES-03, TESTI-01, TESTI-06, TESTI-07]', () => {
    const slides = main()
      .getAllByRole('group')
      .map((slide) => within(slide))
    expect(wordsIn(slides.map((slide) => slide.getByRole('heading')))).toEqual([
      'Berta',
      'Cleo',
      'Anna',
    ])
    expect(wordsIn(slides.map((slide) => slide.getByRole('blockquote')))).toEqual([
      'Strong cords',
      'Warm wood',
      'Lovely knots',
    ])
    expect(main().getByText(/\$5 OFF/)).toBeTruthy()
  })

  test.each([
    { which: 'Previous', name: 'Anna', ticket: 'a', id: 'TESTI-04' },
    { which: 'Next', name: 'Cleo', ticket: 'c', id: 'TESTI-05' },
  ])(
    'links the photo of the $which writer beside the carousel to that writer’s testimony [$id]',
    ({ which, name, ticket }) => {
      const link = main().getByRole('link', { name: `${which} writer: ${name}` })
      expect(link.getAttribute('href')).toBe(`#testimony-${publicIdOf(ticket)}`)
      const photo = link.querySelector('img')!
      expect(photo.getAttribute('src')).toBe(`/pictures/people/${ticket}.webp`)
    },
  )

  test.each(['hanger', 'bag'])(
    'opens the link of the item “%s” of a testimony in a new tab [TESTI-08, TESTI-09, DATA-083]',
    (item) => {
      const link = main().getByRole('link', { name: `The ${item} (opens in a new tab)` })
      expect(link.getAttribute('href')).toBe(`/item/${item}/`)
      expect(link.getAttribute('target')).toBe('_blank')
    },
  )
})

test('the Testimonials page does not contain the id of a testimony, which is the secret in the URL of its testimony ticket [S-043]', async () => {
  const shop = await openTestShop()
  await issue(shop, {
    id: 'secret-ticket-of-anna',
    name: 'Anna',
    text: 'Lovely knots',
    shown: true,
    available: false,
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
    expect(page, path).not.toContain('secret-ticket')
    expect(page.length, path).toBeGreaterThan(100)
  }
})

test('visitors can switch between the carousel and a wall that shows all testimonies [OWN-103]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 'a', name: 'Anna', text: 'Lovely knots', shown: true, available: false })
  const findLink = async (path: string, name: string) =>
    (await readMain(shop, path)).queryByRole('link', { name })?.getAttribute('href')
  expect(await findLink('/testimonials/', 'Show all')).toBeUndefined()
  await issue(shop, {
    id: 'b',
    name: 'Berta',
    text: 'Strong cords',
    shown: true,
    at: 3,
    available: false,
  })
  expect(await findLink('/testimonials/', 'Show all')).toBe('/testimonials/?view=all')
  expect(await findLink('/testimonials/?view=all', 'Show one at a time')).toBe('/testimonials/')

  const wall = await readMain(shop, '/testimonials/?view=all')
  expect(wall.queryByRole('group')).toBeNull()
  expect(wordsIn(wall.getAllByRole('blockquote'))).toEqual(['Strong cords', 'Lovely knots'])
  expect(wall.getByText(/\$5 OFF/)).toBeTruthy()
})

test('a testimony shows a line that the owner typed in an offer as a name without a link [AGREE-17]', async () => {
  const shop = await openTestShop()
  await issue(shop, {
    id: 'a',
    text: 'Lovely',
    shown: true,
    available: false,
    items: ['offer-abc-2', 'hanger'],
  })
  const items = (await readMain(shop, '/testimonials/')).getByRole('list', { name: 'Items' })
  expect(within(items).getByText('The offer-abc-2').tagName).toBe('LI')
  expect(within(items).getByRole('link').getAttribute('href')).toBe('/item/hanger/')
})

test('without JavaScript, the Testimonials page shows the full text of every testimony [S-042, TESTI-05]', async () => {
  const shop = await openTestShop()
  const long = 'All of it is good. '.repeat(100).trim()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: long, shown: true, at: 1, available: false },
    { id: 'b', name: 'Berta', text: 'two', shown: true, at: 2, available: false },
  )
  const main = await readMain(shop, '/testimonials/')

  // This does not find a slide that is hidden.
  const slides = main.getAllByRole('group')
  expect(slides).toHaveLength(2)
  expect(slides.filter((slide) => slide.closest('[inert]'))).toEqual([])
  expect(slides.filter((slide) => slide.querySelector('[inert], [hidden]'))).toEqual([])
  expect(within(slides[1]!).getAllByRole('blockquote')[0]!.textContent).toBe(long)
  expect(slides[1]!.id).toBe(`testimony-${publicIdOf('a')}`)
  // With only two testimonies, the links "previous" and "next" lead to the same testimony (S-040).
  const links = main.getAllByRole('link', { name: /^(Previous|Next) writer: Anna$/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    `#${slides[1]!.id}`,
    `#${slides[1]!.id}`,
  ])
})

test('the Testimonials page leaves out hidden and blank testimonies [S-039, S-040, S-044]', async () => {
  const shop = await openTestShop()
  await issue(
    shop,
    { id: 'a', name: 'Anna', text: 'not shown', shown: false },
    { id: 'b', name: 'Berta', text: ' \n ', shown: true },
    { id: 'c', name: 'Cleo', text: '', shown: true },
  )
  expect(await shop.visitor().page('/testimonials/')).toContain('There are no testimonials yet.')

  await issue(shop, { id: 'd', name: 'Dora', text: 'alone', shown: true })
  const main = await readMain(shop, '/testimonials/')
  expect(main.getByText('alone')).toBeTruthy()
  expect(main.queryByRole('link', { name: /writer: Dora/ })).toBeNull()
})

test('testimonies are sorted by the day they were written, not by the day of their ticket [S-041, DATA-123]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 'first', at: 0 }, { id: 'second', at: 1 })
  for (const id of ['second', 'first']) {
    shop.clock.now += 60_000
    const form = { intent: 'write', email: 'Wanda@mail.test', testimony: `The ${id} ticket` }
    await shop.visitor().act(`/writetestimonials/${id}`, form)
  }
  await shop.db.updateTable('testimonies').set({ showOnPage: true }).execute()
  expect(await readWords(shop, '/testimonials/?view=all')).toMatch(
    /The first ticket[^]*The second ticket/,
  )
})

test('the wall of testimonies has a page for each hundred, so that none disappears [S-041]', async () => {
  const shop = await openTestShop()
  const rows = Array.from({ length: 101 }, (_, at) => ({
    id: `t${at}`,
    text: `Number ${at}.`,
    available: false,
    shown: true,
    at,
  }))
  await issue(shop, ...rows)
  const first = await readWords(shop, '/testimonials/?view=all')
  expect(first).toContain('Number 100.')
  expect(first).not.toContain('Number 0.')
  expect(first).toContain('Page 1 of 2')
  expect(await readWords(shop, '/testimonials/?view=all&page=2')).toContain('Number 0.')
  expect(await readWords(shop, '/testimonials/?view=all&page=99')).toContain('Number 0.')
})

test('the page of a testimony ticket tells the buyer to type her email address exactly as on the purchase, and does not show the address [NAV-15, TESTI-10, TESTI-11, TESTI-12, TESTI-13, OWN-84]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const main = await readTicket(shop)

  expect(main.getByRole('heading', { name: 'Hello, Wanda' })).toBeTruthy()
  expect(main.getByAltText('').getAttribute('src')).toBe('/pictures/people/t.webp')
  expect(
    main.getByRole('textbox', { name: 'Email', description: 'Exactly as on the purchase.' }),
  ).toBeTruthy()
  expect(main.queryByRole('textbox', { name: 'Your testimony' })).toBeNull()
  const html = await shop.visitor().page('/writetestimonials/t')
  expect(html).not.toMatch(/wanda@mail.test/i)
  expect(html).not.toContain('All set')
  expect(html).not.toContain('hanger')
})

const wrongEmails = [
  'wanda@mail.test',
  ' Wanda@mail.test',
  'Wanda@mail.test ',
  '',
  'other@mail.test',
]
test.for(wrongEmails)(
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
    expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: true })
  },
)

test('without JavaScript, all steps of the testimony form open after the buyer has entered the right email address [TESTI-16, TESTI-17, TESTI-19, TESTI-20, TESTI-21, TESTI-22]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', items: ['hanger'] })
  const response = await shop
    .visitor()
    .post('/writetestimonials/t', { intent: 'check', email: 'Wanda@mail.test' })
  const main = within(pageOf(await response.text()).getByRole('main'))

  const email = main.getByRole('textbox', { name: 'Email' })
  expect(email.getAttribute('value')).toBe('Wanda@mail.test')
  expect(email.hasAttribute('readonly')).toBe(true)
  expect(main.getByRole('status').textContent).toBe("You're All set!")
  const link = main.getByRole('link', { name: 'The hanger (opens in a new tab)' })
  expect(link.getAttribute('href')).toBe('/item/hanger/')
  expect(link.getAttribute('target')).toBe('_blank')
  expect(main.getByRole('textbox', { name: 'Your testimony' })).toBeTruthy()
  expect(main.getByRole('button', { name: 'Submit' })).toBeTruthy()
})

test.for(['Beautiful work', '', '   '])(
  'the testimony "%s" is stored, and the page thanks its writer [TESTI-23, TESTI-24, TESTI-32, S-047]',
  async (testimony) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't' })
    const visitor = shop.visitor()

    const response = await visitor.post('/writetestimonials/t', {
      intent: 'write',
      email: 'Wanda@mail.test',
      testimony,
    })

    expect(response.headers.get('location')).toBe('/writetestimonials/t')
    expect(await visitor.page('/writetestimonials/t')).toContain(
      'Thank you Wanda, you qualify for $5 OFF!',
    )
    expect(await stored(shop, 't')).toEqual({ testimony, isAvailable: false })
    expect(shop.changedTopics).toEqual(['tickets', 'testimonials'])
  },
)

test.for(['none', "'--", 'ü'])(
  'the unknown ticket %s accepts no testimony, and its page links to other pages [TESTI-25]',
  async (id) => {
    const shop = await openTestShop()
    await issue(shop, { id: 't' })

    const response = await shop.visitor().get(`/writetestimonials/${id}`)
    const written = await shop.visitor().post(`/writetestimonials/${id}`, {
      intent: 'write',
      email: 'Wanda@mail.test',
      testimony: 'Mine',
    })

    expect(response.status).toBe(404)
    expect(written.status).toBe(422)
    for (const html of [await response.text(), await written.text()]) {
      const main = within(pageOf(html).getByRole('main'))
      expect(main.getByRole('heading').textContent).toBe('Nothing here but Knots and Love')
      expect(hrefsIn(main)).toEqual(['/gallery/', '/contact/'])
    }
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

  const response = await shop.visitor().post('/writetestimonials/t', {
    intent: 'write',
    email: 'Wanda@mail.test',
    testimony: 'Beautiful',
  })
  db.transaction = transaction
  const page = pageOf(await response.text())

  expect(response.status).toBe(500)
  expect(page.getByRole('textbox', { name: 'Your testimony' }).textContent).toBe('Beautiful')
  expect(page.getByRole('button', { name: 'Submit' })).toBeTruthy()
  expect(page.queryByRole('alert')).toBeNull()
  expect(shop.logged).toMatchObject([
    { level: 'error', message: 'a testimony could not be stored' },
  ])
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: true })
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
  for (let tries = 1; tries < 20; tries++) {
    await act({ intent: 'check', email: `${tries}@mail.test` })
  }
  const refused = await act({ intent: 'check', email: 'Wanda@mail.test' })

  expect(long.status).toBe(422)
  expect(long.text).toContain('Please keep the text under 10,000 characters')
  expect(refused.status).toBe(429)
  expect(refused.text).toContain('Too many tries. Please wait 10 minutes and try again.')

  // After too many attempts, the page still contains the typed text, but does not show whether the
  // email address was correct.
  const answer = await shop
    .visitor()
    .post('/writetestimonials/t', { intent: 'write', email: 'Wanda@mail.test', testimony: 'Typed' })
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(500)
  const page = pageOf(await answer.text())
  expect(page.getByRole('textbox', { name: 'Your testimony' }).textContent).toBe('Typed')
  expect(page.getByRole('button', { name: 'Submit' }).getAttribute('value')).toBe('write')
  expect(page.queryByText(/All set/)).toBeNull()
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
  expect(await stored(shop, 't')).toEqual({ testimony: '', isAvailable: true })
  expect(
    (
      await shop.visitor().post('/writetestimonials/mine', {
        intent: 'write',
        email: 'ann@mail.test',
        testimony: 'Ok',
      })
    ).status,
  ).toBe(303)
})

test('the page of a used testimony ticket thanks the buyer, and the shop refuses a second testimony [TESTI-24, TESTI-33, S-045]', async () => {
  const shop = await openTestShop()
  await issue(shop, { id: 't', text: 'My secret words', available: false })
  const html = await shop.visitor().page('/writetestimonials/t')

  expect(html).toContain('Thank you Wanda, you qualify for $5 OFF!')
  expect(html).not.toMatch(/my secret words|wanda@mail\.test/i)
  expect(pageOf(html).queryByRole('textbox')).toBeNull()
  for (const intent of ['check', 'write']) {
    expect(
      (
        await shop
          .visitor()
          .post('/writetestimonials/t', { intent, email: 'Wanda@mail.test', testimony: 'More' })
      ).status,
    ).toBe(303)
  }
  expect(await stored(shop, 't')).toEqual({ testimony: 'My secret words', isAvailable: false })
})

test('only the owner can create a testimony ticket, with which the buyer can write a testimony [ROLES-23]', async () => {
  const shop = await openTestShop()
  await addSale(shop.db, { receiptTag: 'TAG00001', buyerEmail: 'ann@mail.test' })
  const owner = await shop.owner()
  const customer = await shop.customer('bea@mail.test')
  const tickets = () => shop.db.selectFrom('testimonies').select('id').execute()

  const form = { receipt: 'TAG00001', paper: 'Testimony Ticket' }
  for (const client of [customer, shop.visitor(), await shop.guest()]) {
    await client.post('/manage/sales/', form)
  }
  expect(await tickets()).toEqual([])

  await owner.post('/manage/sales/', form)
  const [ticket] = await tickets()
  await shop.visitor().post(`/writetestimonials/${ticket!.id}`, {
    intent: 'write',
    email: 'ann@mail.test',
    testimony: 'Good',
  })
  expect(await stored(shop, ticket!.id)).toEqual({ testimony: 'Good', isAvailable: false })
})

test('the card of a testimony has a button for the full text only on screens where the text does not fit, also for a Japanese text', () => {
  const screensOf = (character: string, lengths: number[]) =>
    lengths.map((length) => overflowingScreens(character.repeat(length)))
  expect(screensOf('a', [200, 300, 400])).toEqual(['nowhere', 'phone', 'everywhere'])
  expect(screensOf('結', [90, 180, 300])).toEqual(['nowhere', 'phone', 'everywhere'])
})
