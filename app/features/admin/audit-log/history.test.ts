import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Db } from '#db/schema.ts'
import { recordAct, type RecordedAct } from '#app/platform/audit.server.ts'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { changesOf, kinds, sentenceOf, tellingOf, tellings } from './history.ts'

const page = '/manage/history/'
const clean = (html: string) =>
  html.slice(html.indexOf('<main'), html.indexOf('</main>')).replaceAll('<!-- -->', '').replaceAll('&#x27;', "'")

const drawn = () =>
  sharp({ create: { width: 20, height: 20, channels: 3, background: '#a86' } })
    .png()
    .toBuffer()

type Given = Pick<RecordedAct, 'act' | 'subject'> & Partial<RecordedAct>
const record = (db: Db, act: Given) => db.transaction().execute((tx) => recordAct(tx, { at: NOON, actor: 'owner', ...act }))
const texts = (html: string) => [...clean(html).matchAll(/<p class="[^"]*text[^"]*">(?:<a[^>]*>)?([^<]*)/g)].map(([, text]) => text)

test.for(Object.keys(tellings))('every act has a sentence of its own that names the thing: %s', (act) => {
  const said = sentenceOf(act, 'Moon wall', {})
  expect(said).toMatch(/^[A-Z]/)
  // Some concern no single thing.
  if (!/s$|^undo-|^import-|^export-/.test(act) || act === 'discount-items') expect(said).toContain('Moon wall')
  expect(said).not.toMatch(/undefined|null|NaN|\[object/)
  expect(sentenceOf(act, '', {})).not.toMatch(/ {2}|undefined/)
  expect(Object.keys(kinds)).toContain(tellingOf(act)?.kind)
})

test('acts of another version, and rows whose detail cannot be read, are still readable', async () => {
  const { db, owner } = await openTestShop()
  await db
    .insertInto('audit')
    .values([
      { at: NOON, actor: 'owner', act: 'polish-teapot', subject: 'x', name: 'Blue one', detail: 'no json' },
      { at: NOON, actor: 'owner', act: 'constructor', subject: 'x', name: '', detail: '[]' },
      { at: NOON, actor: 'owner', act: 'complete-sale', subject: 'x', name: '', detail: '{"salePriceCents":"12"}' },
    ])
    .execute()
  expect(texts(await (await owner()).page(page))).toEqual(['Sold something without a name', 'Constructor', 'Polish teapot: Blue one'])
})

test('COLOR-04 an act keeps the name that the thing had then, and is found by it as it is read', async () => {
  const { db, owner } = await openTestShop()
  await addColor(db, 'ash', { name: 'Ash_grey' })
  await addCategory(db, 'bags', { title: 'Bags' })
  const her = await owner()
  await her.act('/manage/colors/', { intent: 'mark', id: 'ash', mark: 'isLowOnStock', on: 'on' })
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'picture', id: 'bags' })) form.set(name, value)
  form.set('file', new File([new Uint8Array(await drawn())], 'a.png', { type: 'image/png' }))
  await her.act('/manage/category/', form)
  await db.deleteFrom('colors').execute()
  await db.updateTable('categories').set({ title: 'Totes' }).execute()
  const acts = ['Changed the picture of the category Bags', 'Marked the color Ash grey as low on stock']
  expect(texts(await her.page(page))).toEqual(acts)
  for (const word of ['ash grey', 'Ash_grey', 'ASH'])
    expect(texts(await her.page(`${page}?name=${encodeURIComponent(word)}`))).toEqual([acts[1]])
  expect(texts(await her.page(`${page}?name=bags`))).toEqual([acts[0]])
})

test('what the owner does stands there with the time of the shop, before and after, and a link while the thing exists', async () => {
  const { db, owner, clock } = await openTestShop({ timeZone: 'America/New_York', now: Date.UTC(2026, 2, 5, 3, 7) })
  await addCategory(db, 'bags')
  await addItem(db, 'moon', 'bags', { name: 'Moon <b>bag</b>', priceCents: 2000, discountType: 'amount', discountValue: 250 })
  await addColor(db, 'ash', { name: 'Ash_grey' })
  const her = await owner()
  await her.act('/manage/discount/', { intent: 'items-apply', type: 'percent', value: '10', item: 'moon', confirm: 'Yes' })
  await her.act('/manage/discount/', { intent: 'color-go', color: 'ash', type: 'percent', value: '5' })

  const html = clean(await her.page(page))
  expect(html).toContain('March 04, 2026')
  expect(html).toContain('10:07 PM')
  expect(html).toMatch(/<a[^>]*href="\/manage\/item\/moon"[^>]*>Put Moon &lt;b&gt;bag&lt;\/b&gt; on sale with 10%<\/a>/)
  expect(html).toMatch(/<a[^>]*href="\/manage\/colors\/"[^>]*>Put the color Ash grey on sale with 5%<\/a>/)
  expect(html.replace(/<[^>]*>/g, '')).toContain('Discount: from $2.50 →  to 10%')

  await db.deleteFrom('items').execute()
  clock.now += 86_400_000
  await record(db, { at: clock.now, act: 'delete-item', subject: 'moon', name: 'Moon' })
  const later = clean(await her.page(page))
  expect(later).not.toContain('href="/manage/item/moon"')
  expect(later).toContain('Put Moon &lt;b&gt;bag&lt;/b&gt; on sale with 10%')
})

test('S-160 a change of discounts is undone from the history too, once', async () => {
  const { db, owner } = await openTestShop()
  await addCategory(db, 'bags')
  await addItem(db, 'moon', 'bags', { name: 'Moon' })
  const her = await owner()
  await her.act('/manage/discount/', { intent: 'items-apply', type: 'percent', value: '10', item: 'moon', confirm: 'Yes' })
  const html = clean(await her.page(page))
  expect(html).toMatch(/<form[^>]*action="\/manage\/discount\/"/)
  expect(html).toContain('aria-label="Undo: Put Moon on sale with 10%"')
  const seq = /name="seq" value="(\d+)"/.exec(html)![1]!
  const answered = await her.post('/manage/discount/', { intent: 'undo', seq, back: page })
  expect(answered.headers.get('location')).toBe(page)
  const after = clean(await her.page(page))
  expect(texts(after)).toEqual(['Undid: Moon on sale with 10%', 'Put Moon on sale with 10%'])
  expect(after).not.toContain('name="seq"')
})

test('by kind, by name without capitals and accents, and by parts: each act comes exactly once, the newest first', async () => {
  const { db, owner } = await openTestShop()
  for (let at = 0; at < 95; at++)
    await record(
      db,
      at % 3 === 0 ? { act: 'mark-color', subject: 'c', name: `Colór ${at}` } : { act: 'update-item', subject: 'i', name: `Item ${at}` },
    )
  await record(db, { act: 'complete-sale', subject: 'o', name: 'Moon', also: 'Clara Whitfield', detail: { buyer: 'Clara Whitfield' } })
  const her = await owner()
  const through = async (query: string) => {
    const found: (string | undefined)[] = []
    for (let path: string | null = `${page}?${query}`; path !== null;) {
      const html = clean(await her.page(path))
      found.push(...texts(html))
      const older: string | undefined = /href="([^"]*)"[^>]*>Older</.exec(html)?.[1]
      path = older ? older.replaceAll('&amp;', '&') : null
    }
    return found
  }
  const all = await through('')
  expect(all).toHaveLength(96)
  expect(new Set(all).size).toBe(96)
  expect(all.slice(0, 2)).toEqual(['Sold Moon to Clara Whitfield', 'Changed the item Item 94'])
  expect(await through('kind=colors')).toHaveLength(32)
  expect((await through('kind=items&name=item+9')).sort()).toEqual(
    ['9', '91', '92', '94'].filter((at) => Number(at) % 3 !== 0).map((at) => `Changed the item Item ${at}`),
  )
  expect(await through('name=COLOR+93')).toEqual(['Marked the color Colór 93 as not low on stock'])
  expect(await through('name=clara')).toEqual(['Sold Moon to Clara Whitfield'])
  expect(await through('kind=mail')).toEqual([])
})

test.for([
  '?before=x',
  '?before=-1',
  '?before=99999999999999999999',
  '?kind=nonsense',
  '?kind=constructor',
  '?name=%00',
  '?name=%25',
  '?before=0',
])('the address %s is no mistake of the shop', async (query) => {
  const { db, owner } = await openTestShop()
  await record(db, { act: 'delete-item', subject: 'x', name: 'Old one' })
  expect((await (await owner()).get(page + query)).status).toBe(200)
})

test('nothing secret is shown, even if it were written there, and long texts are cut', () => {
  const before = { password: 'a', apiKey: 'b', terms: '', isPromoShown: true, priceCents: 100, same: 1 }
  const after = { password: 'c', apiKey: 'd', terms: 'x'.repeat(500), isPromoShown: false, priceCents: 250, same: 1 }
  const changes = changesOf({ before, after })
  expect(changes.map(({ what, before: was }) => [what, was])).toEqual([
    ['Terms', 'nothing'],
    ['Promo shown', 'yes'],
    ['Price', '$1.00'],
  ])
  expect(changes[0]!.after).toHaveLength(141)
  expect(changesOf({ after: { discount: null } })).toEqual([])
})

test('the settings tell what they were and what they are', async () => {
  const { owner } = await openTestShop()
  const her = await owner()
  const form = await her.page('/manage/settings/')
  const values = Object.fromEntries([...form.matchAll(/name="(\w+)"[^>]*value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]))
  const areas = Object.fromEntries([...form.matchAll(/<textarea[^>]*name="(\w+)"[^>]*>([^<]*)/g)].map(([, name, value]) => [name!, value!]))
  const sent = await her.act('/manage/settings/', { ...values, ...areas, isPromoShown: 'on', name: 'Rope and Joy' })
  expect(sent.status).toBe(200)
  const html = clean(await her.page(page)).replace(/<[^>]*>/g, '')
  expect(html).toContain('Changed the settings')
  expect(html).toContain('Rope and Joy')
})

test('an empty history and an empty search say so', async () => {
  const { owner } = await openTestShop()
  const her = await owner()
  expect(await her.page(page)).toContain('Nothing has been done yet.')
  expect(await her.page(`${page}?name=zebra`)).toContain('Nothing is found.')
})
