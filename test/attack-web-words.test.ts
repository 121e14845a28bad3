/** Words that somebody gives to the shop and somebody else reads: they stay words, however long, and whatever they look like. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { issuePapers } from '#app/features/print-documents/papers.server.ts'
import { readName } from '#app/features/account/profile.server.ts'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'
import { openShopWithOrder } from './shop-with-order.ts'
import { openShopWithGoogle } from './shop-with-google.ts'
import { unzipped } from './unzipped.ts'
import { signInWith } from './visit-provider.ts'

const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\u2028--></title>`
const RUNS = '</script><script>alert(1)</script><svg/onload=alert(1)> javascript:alert(1) =HYPERLINK("https://evil.test") {{7*7}} ${7*7}'

/** No script but the page's own, no attribute that runs, no address that does. */
function expectHarmless(path: string, html: string) {
  const nonce = /<script[^>]* nonce="([^"]+)"/.exec(html)?.[1] ?? 'none'
  const scripts = [...html.matchAll(/<script\b[^>]*>/gi)].map(([tag]) => tag)
  expect([path, scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`) && !tag.includes('ld+json'))]).toEqual([path, []])
  const outside = html.replaceAll(/<script\b[^>]*>[\s\S]*?<\/script>/gi, '')
  const bare = outside.replaceAll(/="[^"]*"/g, '=""')
  expect([path, bare.match(/<[^>]*\s(on\w+\s*=|srcdoc)[^>]*>/i)?.[0] ?? null]).toEqual([path, null])
  expect([path, bare.match(/<(svg\/|img src=x|iframe|object|embed|base|meta http-equiv)[^>]*>/i)?.[0] ?? null]).toEqual([path, null])
  expect([path, outside.match(/(href|src|action|formaction)="\s*(javascript|data|vbscript):[^"]*"/i)?.[0] ?? null]).toEqual([path, null])
  // Within the page's own scripts the words are data, which no markup ends.
  const own = [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/gi)].map(([, text]) => text!)
  expect([path, own.filter((text) => /<script|<svg\/onload|<img src=x/i.test(text)).length]).toEqual([path, 0])
}

const pagesOfOwner = ['', 'messages', 'sales', 'reports', 'testimonials', 'mail', 'history', 'discount', 'settings', 'customer-data']

async function expectHarmlessEverywhere({ owner, visitor }: { owner: Person; visitor: Person }, uid: string, ticket: string) {
  const customer = `/manage/customer-data?email=${encodeURIComponent('ann@mail.test')}`
  const told = [...pagesOfOwner.map((page) => `/manage/${page}`), `/manage/messages/${uid}`, '/manage/reports/sales', customer]
  let read = 0
  for (const path of told) {
    const html = await owner.page(path)
    expectHarmless(path, html)
    if (html.includes('alert(1)')) read++
  }
  for (const path of ['/', '/testimonials/', `/writetestimonials/${ticket}`]) expectHarmless(path, await visitor.page(path))
  // They did come as far as there.
  expect(read).toBeGreaterThan(4)
}

test('what a customer calls herself and writes runs nowhere: not before the owner, not before others, not in files, letters or the history', async () => {
  const { shop, ann, owner, act } = await openShopWithOrder()
  await ann.act('/account/name', { name: EVIL.slice(0, 80) })
  await ann.act('/order-request', { itemId: 'sun', message: RUNS })
  await ann.act('/messages', { intent: 'send', message: RUNS, messageId: '' })
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  const [sale] = await shop.db.selectFrom('sales').selectAll().execute()
  expect(sale!.buyerName).toContain('<script>')
  await issuePapers(shop.shop, { receipt: sale!.receiptTag!, papers: ['Invoice'], shipping: 500 })
  const row = {
    id: 'ticket',
    writerId: ann.id,
    writerName: sale!.buyerName,
    writerEmail: 'ann@mail.test',
    writerPhotoURL: 'javascript:alert(1)',
  }
  const state = {
    testimony: RUNS,
    isAvailable: 0,
    isValidated: 1,
    showOnPage: 1,
    createdAt: shop.now(),
    writtenAt: shop.now(),
    receiptTag: '',
  } as const
  await shop.db
    .insertInto('testimonies')
    .values({ ...row, ...state })
    .execute()
  const stamp = await shop.formTime.stamp(shop.now() - 60_000)
  await shop.visitor().post('/contact/', { stamp, name: EVIL, email: '"<evil>"@mail.test', phone: '<svg/onload', message: RUNS })
  await shop.visitor().post('/contact/', { stamp, name: EVIL, email: 'eve@mail.test', phone: '<svg/onload', message: RUNS })

  await expectHarmlessEverywhere({ owner, visitor: shop.visitor() }, ann.id, 'ticket')

  for (const path of ['/manage/sales.csv', '/manage/receipts.csv']) {
    const file = await owner.get(path)
    expect([path, file.status, file.headers.get('content-disposition')]).toEqual([
      path,
      200,
      expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
    ])
    expect(await file.text()).toContain('<script>')
  }
  const paper = await owner.get(`/manage/papers.pdf?receipt=${sale!.receiptTag}&paper=Invoice`)
  expect([paper.status, paper.headers.get('content-disposition')]).toEqual([200, expect.stringMatching(/^\w+; filename="[\w.-]+"$/)])
  expect(Buffer.from(await paper.arrayBuffer()).toString('latin1')).not.toMatch(/\/(JavaScript|JS|OpenAction|AA|Launch|URI)\b/)
  const files = await unzipped(await ann.post('/account/data', {}))
  for (const name of files.keys()) expect(name).toMatch(/^(pictures\/)?[\w-]+\.(html|json|jpg|webp|png)$/)
  expectHarmless('your-data.html', files.get('your-data.html')!.toString())
  await expectPlainLetters(shop)
})

/** Every letter that was written has the headers that the shop writes, and is text. */
async function expectPlainLetters(shop: TestShop) {
  const folder = join(shop.folder, 'outbox')
  const letters = await readdir(folder)
  expect(letters.length).toBeGreaterThan(0)
  for (const name of letters) {
    const [head = ''] = (await readFile(join(folder, name), 'utf8')).split('\r\n\r\n')
    const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
    const known = /^(From|To|Reply-To|Subject|Date|Message-ID|Content-Type|Content-Transfer-Encoding|MIME-Version): /
    expect(fields.filter((field) => !known.test(field))).toEqual([])
    expect(head).toContain('Content-Type: text/plain')
  }
}

test('S-219 S-224 what a browser calls itself is nobody’s script on the page of devices, nor in the file of all data', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const ann = shop.visitor()
  const agent = `Mozilla/5.0 "><script>alert(1)</script> (iPhone) Safari/<img src=x onerror=alert(1)> \xff\x80 ${'x'.repeat(8000)}`
  const body = new URLSearchParams({ intent: 'login', email: 'ann@mail.test', password: 'a-good-password' })
  await ann.send('/login/', { method: 'POST', body, headers: { origin: shop.publicUrl!, 'user-agent': agent } })
  expectHarmless('/account/', await ann.page('/account/'))
  const files = await unzipped(await ann.post('/account/data', {}))
  expect(files.get('account.json')!.toString()).toContain('<script>alert(1)')
  expectHarmless('your-data.html', files.get('your-data.html')!.toString())
})

test('S-209 what Google calls somebody is a line of plain words, and no photo of its is shown or fetched', async () => {
  const names = {
    turned: 'A\u202enn\u2066',
    tagged: EVIL,
    half: `${'x'.repeat(79)}🧶`,
    book: `${' '.repeat(90_000)}${'\u0301\u0323'.repeat(5000)}`,
  }
  const photos = [
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'http://evil.test/a.png',
    'https://evil.test/"onerror="alert(1)',
  ]
  const people = Object.fromEntries(
    Object.entries(names).map(([key, name], at) => [
      key,
      { sub: key, email: `${key}@mail.test`, email_verified: true, name, picture: photos[at] },
    ]),
  )
  const { shop } = await openShopWithGoogle(people)
  for (const key of Object.keys(people)) {
    const visitor = shop.visitor()
    await signInWith(visitor, key)
    await visitor.act('/messages', { intent: 'send', message: 'Hello', messageId: '' })
    expectHarmless(key, await visitor.page('/account/'))
  }
  const owner = await shop.owner()
  expectHarmless('/manage/messages', await owner.page('/manage/messages'))
  expect(await owner.page('/manage/messages')).not.toMatch(/evil\.test\/a|src="https?:/)
  const kept = await shop.db.selectFrom('user').select(['name', 'image']).where('id', '!=', 'owner').orderBy('email').execute()
  expect(kept.map(({ image }) => image)).toEqual([null, null, null, null])
  expect(kept.map(({ name }) => name)).toEqual(['', 'x'.repeat(79), expect.stringContaining('<script>'), 'Ann'])
})

test('S-217 LOGIN-34 a name of a million accents is refused before they are put in their order', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const form = new FormData()
  form.set('name', `a${'\u0301\u0323'.repeat(450_000)}`)
  expect((await ann.act('/account/name', form)).status).toBe(422)
  expect(readName('e\u0301'.repeat(40))).toBe('é'.repeat(40))
})
