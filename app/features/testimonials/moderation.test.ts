import { expect, test } from 'vitest'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
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
      isAvailable: isOpen,
      isValidated: state === 'shown' || state === 'hidden',
      showOnPage: state === 'shown',
      createdAt: NOON + at,
    })
    if (item) {
      await insert(shop.db, 'testimonyItems', {
        testimonyId: id,
        position: 0,
        itemId: item,
        name: `The ${item}`,
      })
    }
  }
}
const marksOf = (shop: TestShop, id: string) =>
  shop.db
    .selectFrom('testimonies')
    .select(['isValidated', 'showOnPage'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const namesOn = (part: ReturnType<typeof pageOf>) =>
  part.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const actsOf = (shop: TestShop) =>
  shop.db
    .selectFrom('audit')
    .select(['actor', 'act', 'subject'])
    .where('act', 'like', '%-testimony')
    .execute()

test('the owner’s list of testimonies begins with the testimonies that she has not reviewed [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const readMain = async () => within(pageOf(await owner.page(PAGE)).getByRole('main'))
  expect((await readMain()).getByText(/Print a Testimony Ticket with a receipt/)).toBeTruthy()
  await keep(
    shop,
    { id: 'a', name: 'Anna', state: 'shown', at: 5000 },
    { id: 'b', name: 'Berta', state: 'waiting', at: 60_000, item: 'hanger' },
    { id: 'c', name: 'Cleo', state: 'waiting', at: 120_000 },
    { id: 'd', name: 'Dora', state: 'hidden', at: 9000 },
    { id: 'e', name: 'Eve', state: 'open' },
  )
  const main = await readMain()

  expect(namesOn(main)).toEqual(['Cleo', 'Berta', 'Dora', 'Anna'])
  expect(main.getByText(/2 to review\..*1 ticket is unused\./)).toBeTruthy()
  expect(main.getByText(/^b@mail/).textContent).toBe('b@mail.test · March 04, 2026, 12:01 PM')
  const link = main.getByRole('link', { name: 'The hanger (opens in a new tab)' })
  expect(link.getAttribute('href')).toBe('/item/hanger/')
  expect(link.getAttribute('target')).toBe('_blank')
  const buttons = main.getAllByRole<HTMLButtonElement>('button')
  expect(buttons.map((button) => [button.value, button.getAttribute('aria-label')])).toEqual([
    ['validate', 'Validate what Cleo wrote'],
    ['show', 'Show what Cleo wrote'],
    ['validate', 'Validate what Berta wrote'],
    ['show', 'Show what Berta wrote'],
    ['show', 'Show what Dora wrote'],
    ['hide', 'Hide what Anna wrote'],
  ])
})

test('the owner validates, shows and hides a testimony, and the audit log records each action [S-039]', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  const visitor = shop.visitor()
  await keep(shop, { id: 'a', name: 'Anna', text: 'It holds my fern' })
  const act = (intent: string) => owner.act(PAGE, { intent, id: 'a' })

  expect((await act('validate')).text).toContain(moderationResults.validate)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: true, showOnPage: false })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  expect((await act('show')).text).toContain(moderationResults.show)
  expect(await visitor.page('/testimonials/')).toContain('It holds my fern')

  expect((await act('hide')).text).toContain(moderationResults.hide)
  expect(await marksOf(shop, 'a')).toEqual({ isValidated: true, showOnPage: false })
  expect(await visitor.page('/testimonials/')).not.toContain('It holds my fern')

  // The shop publishes the topic 'testimonials' only if the Testimonials page of visitors has
  // changed.
  expect(shop.changedTopics).toEqual([
    'tickets',
    'tickets',
    'testimonials',
    'tickets',
    'testimonials',
  ])
  expect(await actsOf(shop)).toEqual(
    ['validate', 'show', 'hide'].map((act) => ({
      actor: 'owner',
      act: `${act}-testimony`,
      subject: 'a',
    })),
  )
})

test('without JavaScript, the list of testimonies confirms an action of the owner with a message [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await keep(shop, { id: 'a', name: 'Anna' })
  const button = pageOf(await owner.page(PAGE)).getByRole('button', {
    name: 'Show what Anna wrote',
  })
  const form = button.closest('form')!
  expect(form.getAttribute('method')).toBe('post')
  expect(form.querySelector('[name="back"]')!.getAttribute('value')).toBe(PAGE)

  const answer = await owner.post(PAGE, { intent: 'show', id: 'a', back: PAGE })

  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(PAGE)
  expect(pageOf(await owner.page(PAGE)).getByText(moderationResults.show)).toBeTruthy()
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
    const answer = await owner.act(PAGE, { id, intent })
    expect(answer.status, `${intent} ${id}`).toBe(status)
    expect(answer.text).toContain(moderationResults[refusal])
  }
  expect((await owner.act(PAGE, { id: 'hidden', intent: 'delete' })).status).toBe(400)
  expect(await marksOf(shop, 'open')).toEqual({ isValidated: false, showOnPage: false })
  expect(await marksOf(shop, 'blank')).toEqual({ isValidated: false, showOnPage: false })
  expect(await actsOf(shop)).toEqual([])
  expect(shop.changedTopics).toEqual([])
})

test('the owner’s list shows 30 testimonies per page [S-039]', async () => {
  const { shop, owner } = await openShopWithOwner()
  await keep(
    shop,
    ...Array.from({ length: 31 }, (_, index) => ({
      id: `t${index}`,
      name: `Writer ${index}`,
      at: index,
    })),
  )

  const firstPage = pageOf(await owner.page(PAGE))
  expect(namesOn(firstPage)).toHaveLength(30)
  expect(firstPage.getByText('Page 1 of 2')).toBeTruthy()
  expect(namesOn(pageOf(await owner.page(`${PAGE}?page=2`)))).toEqual(['Writer 0'])
  for (const odd of ['99', '-1', '1.5', '0', 'x', '', '1e400']) {
    expect((await owner.get(`${PAGE}?page=${odd}`)).status).toBe(200)
  }
})
