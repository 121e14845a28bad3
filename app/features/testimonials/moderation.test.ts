import { expect, test } from 'vitest'
import { openTestShop, NOON, type TestShop } from '#test/open-test-shop.ts'
import { moderationTexts } from './testimony.ts'

const PAGE = '/manage/testimonials/'
type Row = { id: string; name?: string; text?: string; state?: 'waiting' | 'shown' | 'hidden' | 'open'; at?: number; item?: string }

async function keep(shop: TestShop, ...rows: Row[]) {
  for (const { id, name = 'Wanda', text = 'Good knots', state = 'waiting', at = 0, item } of rows) {
    await shop.db
      .insertInto('testimonies')
      .values({
        id,
        writerId: 'w',
        writerName: name,
        writerEmail: `${id}@mail.test`,
        writerPhotoURL: '',
        testimony: state === 'open' ? '' : text,
        isAvailable: state === 'open' ? 1 : 0,
        isValidated: state === 'shown' || state === 'hidden' ? 1 : 0,
        showOnPage: state === 'shown' ? 1 : 0,
        createdAt: NOON,
        writtenAt: state === 'open' ? null : NOON + at,
      })
      .execute()
    if (item)
      await shop.db
        .insertInto('testimonyItems')
        .values({ testimonyId: id, position: 0, itemId: item, name: `The ${item}` })
        .execute()
  }
}
const marksOf = async (shop: TestShop, id: string) => {
  const { isValidated, showOnPage } = await shop.db
    .selectFrom('testimonies')
    .select(['isValidated', 'showOnPage'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { isValidated, showOnPage }
}
const namesOn = (html: string) => [...html.matchAll(/<h3[^>]*>([^<]+)<\/h3>/g)].map(([, name]) => name)
const buttonsOn = (html: string) => [...html.matchAll(/<button[^>]*value="(validate|show|hide)"/g)].map(([, act]) => act)
const actsOf = (shop: TestShop) =>
  shop.db.selectFrom('audit').select(['actor', 'act', 'subject']).where('act', 'like', '%-testimony').execute()

test('S-039 the owner sees what waits first, who wrote it, about which items, when, and what can be done', async () => {
  const shop = await openTestShop()
  await keep(
    shop,
    { id: 'a', name: 'Anna', state: 'shown', at: 5000 },
    { id: 'b', name: 'Berta', state: 'waiting', at: 60_000, item: 'hanger' },
    { id: 'c', name: 'Cleo', state: 'waiting', at: 120_000 },
    { id: 'd', name: 'Dora', state: 'hidden', at: 9000 },
    { id: 'e', name: 'Eve', state: 'open' },
  )
  const html = await (await shop.owner()).page(PAGE)

  expect(namesOn(html)).toEqual(['Cleo', 'Berta', 'Dora', 'Anna'])
  expect(html).toContain('2 wait to be looked at.')
  expect(html).toMatch(/b@mail\.test · March 04, 2026, 12:01 PM/)
  expect(html).toMatch(/<a [^>]*href="\/item\/hanger\/" target="_blank"[^>]*>The hanger</)
  expect(html).toContain('1 ticket is')
  expect(buttonsOn(html)).toEqual(['validate', 'show', 'validate', 'show', 'show', 'hide'])
})

test('S-039 an empty list says how the first testimony comes about', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect(await owner.page(PAGE)).toContain('Print a Testimony Ticket with a receipt')
  await keep(shop, { id: 'a', state: 'open' })
  expect(await owner.page(PAGE)).toContain('1 ticket is')
})

test('S-039 validated, shown, hidden: each is written, audited and told to every open page', async () => {
  const shop = await openTestShop()
  const [owner, visitor] = [await shop.owner(), shop.visitor()]
  await keep(shop, { id: 'a', name: 'Anna', text: 'It holds my fern' })
  const act = (intent: string) => owner.act(PAGE, { intent, id: 'a' })

  expect((await act('validate')).text).toContain(moderationTexts.validate)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 1, showOnPage: 0 })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  expect((await act('show')).text).toContain(moderationTexts.show)
  expect(await visitor.page('/testimonials/')).toContain('It holds my fern')

  expect((await act('hide')).text).toContain(moderationTexts.hide)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 1, showOnPage: 0 })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  // Visitors' pages are read anew only for what they show.
  expect(shop.heard).toEqual(['tickets', 'tickets', 'testimonials', 'tickets', 'testimonials'])
  expect(await actsOf(shop)).toEqual(
    ['validate', 'show', 'hide'].map((done) => ({ actor: 'owner', act: `${done}-testimony`, subject: 'a' })),
  )
})

test('S-039 what is shown at once counts as looked at', async () => {
  const shop = await openTestShop()
  await keep(shop, { id: 'a' })
  await (await shop.owner()).act(PAGE, { intent: 'show', id: 'a' })
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 1, showOnPage: 1 })
})

test('S-039 without script the form leads back to the list, which tells what was done', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await keep(shop, { id: 'a', name: 'Anna' })
  expect(await owner.page(PAGE)).toMatch(/<form[^>]*method="post"[\s\S]*name="back" value="\/manage\/testimonials\/"/)

  const done = await owner.post(PAGE, { intent: 'show', id: 'a', back: PAGE })

  expect([done.status, done.headers.get('location')]).toEqual([303, PAGE])
  expect(await owner.page(PAGE)).toContain(moderationTexts.show)
})

test('S-039 what changed meanwhile is told and changes nothing', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await keep(
    shop,
    { id: 'shown', state: 'shown' },
    { id: 'hidden', state: 'hidden' },
    { id: 'open', state: 'open' },
    { id: 'blank', text: ' \n' },
  )
  const cases = [
    ['shown', 'show', 409, 'changed'],
    ['shown', 'validate', 409, 'changed'],
    ['hidden', 'hide', 409, 'changed'],
    ['hidden', 'validate', 409, 'changed'],
    ['open', 'show', 404, 'gone'],
    ['none', 'show', 404, 'gone'],
    ['blank', 'show', 422, 'blank'],
  ] as const
  for (const [id, intent, status, refusal] of cases) {
    const { status: got, text } = await owner.act(PAGE, { id, intent })
    expect([id, intent, got, text.includes(moderationTexts[refusal])]).toEqual([id, intent, status, true])
  }
  expect((await owner.act(PAGE, { id: 'hidden', intent: 'delete' })).status).toBe(400)
  expect(await marksOf(shop, 'open')).toEqual({ isValidated: 0, showOnPage: 0 })
  expect(await marksOf(shop, 'blank')).toEqual({ isValidated: 0, showOnPage: 0 })
  expect(await actsOf(shop)).toEqual([])
  expect(shop.heard).toEqual([])
})

test('S-039 of ten presses at once one counts, and the others are told', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await keep(shop, { id: 'a' })

  const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await owner.act(PAGE, { id: 'a', intent: 'show' })).status))

  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 409)])
  expect(await actsOf(shop)).toHaveLength(1)
})

test('S-001 nobody but the owner shows or hides', async () => {
  const shop = await openTestShop()
  await keep(shop, { id: 'a' })
  for (const nobody of [shop.visitor(), await shop.guest(), await shop.customer()]) await nobody.post(PAGE, { intent: 'show', id: 'a' })
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 0, showOnPage: 0 })
})

test('S-039 many testimonies come in pages, and no address breaks the list', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await keep(shop, ...Array.from({ length: 31 }, (_, at) => ({ id: `t${at}`, name: `Writer ${at}`, at })))

  expect(namesOn(await owner.page(PAGE))).toHaveLength(30)
  expect(await owner.page(PAGE)).toContain('Page 1 of 2')
  expect(namesOn(await owner.page(`${PAGE}?page=2`))).toEqual(['Writer 0'])
  for (const odd of ['99', '-1', '1.5', '0', 'x', '', '1e400']) expect((await owner.get(`${PAGE}?page=${odd}`)).status).toBe(200)
})

test('S-090 the welcome page names who has written and waits', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await keep(shop, { id: 'a', name: 'Anna', state: 'hidden' }, { id: 'b', name: 'Berta' })
  const html = await owner.page('/manage/')
  expect(html).toContain('Berta')
  expect(html).not.toContain('Anna')
})
