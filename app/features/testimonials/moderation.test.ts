import { expect, test } from 'vitest'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { openTestShop, NOON, type TestShop, openShopWithOwner } from '#test/fixtures/test-shop.ts'
import { moderationResults } from './texts.ts'
import { insert } from '#test/fixtures/catalog.ts'

const PAGE = '/manage/testimonials/'
type Row = {
  id: string
  name?: string
  text?: string
  state?: 'waiting' | 'shown' | 'hidden' | 'open'
  at?: number
  item?: string
}

async function keep(shop: TestShop, ...rows: Row[]) {
  for (const { id, name = 'Wanda', text = 'Good knots', state = 'waiting', at = 0, item } of rows) {
    const isOpen = state === 'open'
    await addTestimonyTicket(shop.db, id, {
      writerName: name,
      writerEmail: `${id}@mail.test`,
      testimony: isOpen ? '' : text,
      isAvailable: isOpen ? 1 : 0,
      isValidated: state === 'shown' || state === 'hidden' ? 1 : 0,
      showOnPage: state === 'shown' ? 1 : 0,
      writtenAt: isOpen ? null : NOON + at,
    })
    if (item)
      await insert(shop.db, 'testimonyItems', {
        testimonyId: id,
        position: 0,
        itemId: item,
        name: `The ${item}`,
      })
  }
}
const marksOf = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('testimonies')
    .select(['isValidated', 'showOnPage'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const namesOn = (html: string) =>
  [...html.matchAll(/<h3[^>]*><bdi>([^<]+)<\/bdi>/g)].map(([, name]) => name)
const buttonsOn = (html: string) =>
  [...html.matchAll(/<button[^>]*value="(validate|show|hide)"/g)].map(([, act]) => act)
const actsOf = (shop: TestShop) =>
  shop.db
    .selectFrom('audit')
    .select(['actor', 'act', 'subject'])
    .where('act', 'like', '%-testimony')
    .execute()

test('the owner’s list of testimonies begins with the testimonies that she has not reviewed [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  expect(await owner.page(PAGE)).toContain('Print a Testimony Ticket with a receipt')
  await keep(
    shop,
    { id: 'a', name: 'Anna', state: 'shown', at: 5000 },
    { id: 'b', name: 'Berta', state: 'waiting', at: 60_000, item: 'hanger' },
    { id: 'c', name: 'Cleo', state: 'waiting', at: 120_000 },
    { id: 'd', name: 'Dora', state: 'hidden', at: 9000 },
    { id: 'e', name: 'Eve', state: 'open' },
  )
  const html = await owner.page(PAGE)

  expect(namesOn(html)).toEqual(['Cleo', 'Berta', 'Dora', 'Anna'])
  expect(html).toContain('2 to review.')
  expect(html).toMatch(/b@mail\.test · <span[^>]*>March 04, 2026, 12:01 PM/)
  expect(html).toMatch(/<a [^>]*href="\/item\/hanger\/" target="_blank"[^>]*>The hanger</)
  expect(html).toContain('1 ticket is')
  expect(buttonsOn(html)).toEqual(['validate', 'show', 'validate', 'show', 'show', 'hide'])
})

test('the owner validates, shows and hides a testimony, and the audit log records each action [S-039]', async () => {
  const shop = await openTestShop()
  const [owner, visitor] = [await shop.owner(), shop.visitor()]
  await keep(shop, { id: 'a', name: 'Anna', text: 'It holds my fern' })
  const act = (intent: string) => owner.act(PAGE, { intent, id: 'a' })

  expect((await act('validate')).text).toContain(moderationResults.validate)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 1, showOnPage: 0 })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  expect((await act('show')).text).toContain(moderationResults.show)
  expect(await visitor.page('/testimonials/')).toContain('It holds my fern')

  expect((await act('hide')).text).toContain(moderationResults.hide)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: 1, showOnPage: 0 })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  // The shop publishes the topic 'testimonials' only if the Testimonials page of visitors has changed.
  expect(shop.changedTopics).toEqual([
    'tickets',
    'tickets',
    'testimonials',
    'tickets',
    'testimonials',
  ])
  expect(await actsOf(shop)).toEqual(
    ['validate', 'show', 'hide'].map((done) => ({
      actor: 'owner',
      act: `${done}-testimony`,
      subject: 'a',
    })),
  )
})

test('without JavaScript, the list of testimonies confirms an action of the owner with a message [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await keep(shop, { id: 'a', name: 'Anna' })
  expect(await owner.page(PAGE)).toMatch(
    /<form[^>]*method="post"[\s\S]*name="back" value="\/manage\/testimonials\/"/,
  )

  const done = await owner.post(PAGE, { intent: 'show', id: 'a', back: PAGE })

  expect([done.status, done.headers.get('location')]).toEqual([303, PAGE])
  expect(await owner.page(PAGE)).toContain(moderationResults.show)
})

test('the shop refuses an action that the state of a testimony does not allow, and tells the owner the reason [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  for (const state of ['shown', 'hidden', 'open'] as const) await keep(shop, { id: state, state })
  await keep(shop, { id: 'blank', text: ' \n' })
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
    expect([id, intent, got, text.includes(moderationResults[refusal])]).toEqual([
      id,
      intent,
      status,
      true,
    ])
  }
  expect((await owner.act(PAGE, { id: 'hidden', intent: 'delete' })).status).toBe(400)
  expect(await marksOf(shop, 'open')).toEqual({ isValidated: 0, showOnPage: 0 })
  expect(await marksOf(shop, 'blank')).toEqual({ isValidated: 0, showOnPage: 0 })
  expect(await actsOf(shop)).toEqual([])
  expect(shop.changedTopics).toEqual([])
})

test('the owner’s list shows 30 testimonies per page [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await keep(
    shop,
    ...Array.from({ length: 31 }, (_, at) => ({ id: `t${at}`, name: `Writer ${at}`, at })),
  )

  expect(namesOn(await owner.page(PAGE))).toHaveLength(30)
  expect(await owner.page(PAGE)).toContain('Page 1 of 2')
  expect(namesOn(await owner.page(`${PAGE}?page=2`))).toEqual(['Writer 0'])
  for (const odd of ['99', '-1', '1.5', '0', 'x', '', '1e400'])
    expect((await owner.get(`${PAGE}?page=${odd}`)).status).toBe(200)
})
