import { US_DOLLAR } from '#lib/text/currency.ts'
import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { recordAuditEvent, type AuditEvent } from '#services/audit-log.server.ts'
import { fileOf } from '#test/fixtures/chat.ts'
import { formOf, hiddenValueOf, pageOf, within } from '#test/fixtures/html.ts'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { NOON, openTestShop } from '#test/fixtures/test-shop.ts'
import { areas, formatEvent, auditMessageOf, auditMessages } from './history.ts'
import { fieldChanges } from './history.server.ts'

const page = '/manage/history/'

type Given = Pick<AuditEvent, 'act' | 'subject'> & Partial<AuditEvent>
const record = (db: Db, act: Given) =>
  db.transaction().execute((tx) => recordAuditEvent(tx, { at: NOON, actor: 'owner', ...act }))
const texts = (html: string) =>
  pageOf(html)
    .queryAllByRole('time')
    .map((time) => time.closest('li')!.children[1]!.firstElementChild!.textContent)

test.for(Object.keys(auditMessages))(
  'the audit log describes the action %s in a sentence with the name of the changed record',
  (act) => {
    const said = formatEvent(act, 'Moon wall', {}, US_DOLLAR)
    expect(said).toMatch(/^[A-Z]/)
    // An action on several records, such as an import, has no single name that its sentence could
    // contain.
    if (!/s$|^undo-|^import-|^export-/.test(act) || act === 'discount-items') {
      expect(said).toContain('Moon wall')
    }
    expect(said).not.toMatch(/undefined|null|NaN|\[object/)
    expect(formatEvent(act, '', {}, US_DOLLAR)).not.toMatch(/ {2}|undefined/)
    expect(Object.keys(areas)).toContain(auditMessageOf(act)?.kind)
  },
)

test('after a color is deleted, the audit log still shows its name and finds its events by this name [COLOR-04]', async () => {
  const { db, owner } = await openTestShop()
  await addColor(db, 'ash', { name: 'Ash_grey' })
  await addCategory(db, 'bags', { title: 'Bags' })
  const her = await owner()
  await her.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  await her.act('/manage/category/', formOf({ intent: 'image', id: 'bags', file: fileOf() }))
  await db.deleteFrom('colors').execute()
  await db.updateTable('categories').set({ title: 'Totes' }).execute()
  const acts = [
    'Changed the picture of the category Bags',
    'Marked the color Ash grey as low on stock',
  ]
  expect(texts(await her.page(page))).toEqual(acts)
  for (const word of ['ash grey', 'Ash_grey', 'ASH']) {
    expect(texts(await her.page(`${page}?name=${encodeURIComponent(word)}`))).toEqual([acts[1]])
  }
  expect(texts(await her.page(`${page}?name=bags`))).toEqual([acts[0]])
})

test('the audit log shows each event with its local time, its old and new values, each in its own text direction, and a link to the item if the item still exists [S-434]', async () => {
  const { db, owner, clock } = await openTestShop({
    timeZone: 'America/New_York',
    now: Date.UTC(2026, 2, 5, 3, 7),
  })
  await addCategory(db, 'bags')
  await addItem(db, 'moon', 'bags', {
    name: 'Moon <b>bag</b>',
    priceCents: 2000,
    discountType: 'amount',
    discountValue: 250,
  })
  await addColor(db, 'ash', { name: 'Ash_grey' })
  const her = await owner()
  await her.act('/manage/discount/', {
    intent: 'items-apply',
    type: 'percent',
    value: '10',
    item: 'moon',
    confirm: 'Yes',
  })
  await her.act('/manage/discount/', {
    intent: 'color-go',
    color: 'ash',
    type: 'percent',
    value: '5',
  })

  const readMain = async () => within(pageOf(await her.page(page)).getByRole('main'))
  const main = await readMain()
  expect(main.getByRole('heading', { name: 'March 04, 2026' })).toBeTruthy()
  expect(main.getAllByText('10:07 PM')).toHaveLength(2)
  const itemEvent = main.getByRole('link', { name: 'Put Moon <b>bag</b> on sale with 10%' })
  expect(itemEvent.getAttribute('href')).toBe('/manage/item/moon')
  const colorEvent = main.getByRole('link', { name: 'Put the color Ash grey on sale with 5%' })
  expect(colorEvent.getAttribute('href')).toBe('/manage/colors/')
  const [before, after] = ['$2.50', '10%'].map((text) => main.getByText(text, { selector: 'bdi' }))
  expect(before!.parentElement).toBe(after!.parentElement)
  expect(before!.parentElement!.textContent).toBe('Discount: from $2.50 →  to 10%')

  await db.deleteFrom('items').execute()
  clock.now += 86_400_000
  await record(db, { at: clock.now, act: 'delete-item', subject: 'moon', name: 'Moon' })
  const oldEvent = (await readMain()).getByText('Put Moon <b>bag</b> on sale with 10%')
  expect(oldEvent.closest('a')).toBeNull()
})

test('the owner can undo a discount change from the audit log, but only once [S-160]', async () => {
  const { db, owner } = await openTestShop()
  await addCategory(db, 'bags')
  await addItem(db, 'moon', 'bags', { name: 'Moon' })
  const her = await owner()
  await her.act('/manage/discount/', {
    intent: 'items-apply',
    type: 'percent',
    value: '10',
    item: 'moon',
    confirm: 'Yes',
  })
  const html = await her.page(page)
  const button = pageOf(html).getByRole('button', { name: 'Undo: Put Moon on sale with 10%' })
  expect(button.closest('form')!.getAttribute('action')).toBe('/manage/discount/')
  const seq = hiddenValueOf(html, 'seq')!
  const answer = await her.post('/manage/discount/', { intent: 'undo', seq, back: page })
  expect(answer.headers.get('location')).toBe(page)
  const after = await her.page(page)
  expect(texts(after)).toEqual(['Undid: Moon on sale with 10%', 'Put Moon on sale with 10%'])
  expect(pageOf(after).queryByRole('button', { name: /^Undo/ })).toBeNull()
})

test('the audit log lists each event once, newest first, and filters by kind or by name, ignoring accents and case', async () => {
  const { db, owner } = await openTestShop()
  for (let number = 0; number < 95; number++) {
    await record(
      db,
      number % 3 === 0
        ? { act: 'mark-color', subject: 'c', name: `Colór ${number}` }
        : { act: 'update-item', subject: 'i', name: `Item ${number}` },
    )
  }
  await record(db, {
    act: 'complete-sale',
    subject: 'o',
    name: 'Moon',
    also: 'Clara Whitfield',
    detail: { buyer: 'Clara Whitfield' },
  })
  const her = await owner()
  const entriesOn = async (query: string) => {
    const entries: string[] = []
    for (let path: string | null | undefined = `${page}?${query}`; path;) {
      const html = await her.page(path)
      entries.push(...texts(html))
      path = pageOf(html).queryByText('Older')?.closest('a')?.getAttribute('href')
    }
    return entries
  }
  const all = await entriesOn('')
  expect(all).toHaveLength(96)
  expect(new Set(all).size).toBe(96)
  expect(all.slice(0, 2)).toEqual(['Sold Moon to Clara Whitfield', 'Changed the item Item 94'])
  expect(await entriesOn('kind=colors')).toHaveLength(32)
  expect((await entriesOn('kind=items&name=item+9')).sort()).toEqual(
    ['9', '91', '92', '94']
      .filter((number) => Number(number) % 3 !== 0)
      .map((number) => `Changed the item Item ${number}`),
  )
  expect(await entriesOn('name=COLOR+93')).toEqual([
    'Marked the color Colór 93 as not low on stock',
  ])
  expect(await entriesOn('name=clara')).toEqual(['Sold Moon to Clara Whitfield'])
  expect(await entriesOn('kind=mail')).toEqual([])
})

test('the audit log hides secret fields and shortens long values', () => {
  const before = {
    password: 'a',
    apiKey: 'b',
    terms: '',
    isPromoShown: true,
    priceCents: 100,
    same: 1,
  }
  const after = {
    password: 'c',
    apiKey: 'd',
    terms: 'x'.repeat(500),
    isPromoShown: false,
    priceCents: 250,
    same: 1,
  }
  const changes = fieldChanges({ before, after }, US_DOLLAR)
  expect(changes.map(({ what, before: was }) => [what, was])).toEqual([
    ['Terms', 'nothing'],
    ['Promo shown', 'yes'],
    ['Price', '$1.00'],
  ])
  expect(changes[0]!.after).toHaveLength(141)
  expect(fieldChanges({ after: { discount: null } }, US_DOLLAR)).toEqual([])
})

test('the audit log names changed settings and page texts as their forms do, and shows a logo without its id [OWN-134]', () => {
  const before = { homeText1: 'a', slideAlt2: 'b', payPal: '', logo: '', awayFrom: '' }
  const after = {
    homeText1: 'c',
    slideAlt2: 'd',
    payPal: 'marisol',
    logo: 'k3j2h1g4',
    awayFrom: '2026-03-05',
  }
  expect(fieldChanges({ before, after }, US_DOLLAR, 'change-settings')).toEqual([
    { what: 'First section: Text', before: 'a', after: 'c' },
    { what: 'Slide 2: What the picture shows', before: 'b', after: 'd' },
    { what: 'PayPal.me', before: 'nothing', after: 'marisol' },
    { what: 'Logo', before: 'nothing', after: 'a picture' },
    { what: 'Away from', before: 'nothing', after: 'March 05, 2026' },
  ])
})

test('the "History" page says that the audit log is empty, or that a search found nothing', async () => {
  const { owner } = await openTestShop()
  const her = await owner()
  expect(await her.page(page)).toContain('No events yet.')
  expect(await her.page(`${page}?name=zebra`)).toContain('Nothing found.')
})
