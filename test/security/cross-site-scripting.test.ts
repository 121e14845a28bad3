/**
 * Gives hostile texts and photo addresses to the shop, and checks the pages and files in which
 * other people see them.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseName } from '#lib/auth/person-name.ts'
import { issueDocuments } from '#print-documents/print-documents.server.ts'
import { unzipped } from '#test/fixtures/backups.ts'
import { expectHarmless } from '#test/fixtures/fuzz.ts'
import { formOf } from '#test/fixtures/html.ts'
import { signInWith } from '#test/fixtures/oidc-provider.ts'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { openShopWithGoogle, openShopWithOrder } from '#test/fixtures/prepared-shops.ts'
import { openTestShop, type Person, type TestShop } from '#test/fixtures/test-shop.ts'

const EVIL = `"'><script>alert(1)</script><img src=x onerror=alert(1)>\u2028--></title>`
const RUNS =
  '</script><script>alert(1)</script><svg/onload=alert(1)> javascript:alert(1) =HYPERLINK("https://evil.test") {{7*7}} ${7*7}'

const ownerPages = [
  '',
  'messages',
  'sales',
  'reports',
  'testimonials',
  'mail',
  'history',
  'discount',
  'settings',
  'customer-data',
]

async function expectHarmlessEverywhere(owner: Person, visitor: Person, uid: string) {
  const customer = `/manage/customer-data?email=${encodeURIComponent('ann@mail.test')}`
  const paths = [
    ...ownerPages.map((page) => `/manage/${page}`),
    `/manage/messages/${uid}`,
    '/manage/reports/sales',
    customer,
  ]
  let hostilePages = 0
  for (const path of paths) {
    const html = await owner.page(path)
    expectHarmless(path, html)
    if (html.includes('alert(1)')) hostilePages++
  }
  for (const path of ['/', '/testimonials/', '/writetestimonials/ticket']) {
    expectHarmless(path, await visitor.page(path))
  }
  expect(hostilePages).toBeGreaterThan(4)
}

/** Expects that every email is plain text and has only headers that the shop itself sets. */
async function expectPlainEmails(shop: TestShop) {
  const folder = join(shop.folder, 'outbox')
  const emails = await readdir(folder)
  expect(emails.length).toBeGreaterThan(0)
  for (const name of emails) {
    const [head = ''] = (await readFile(join(folder, name), 'utf8')).split('\r\n\r\n')
    const fields = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n')
    const known =
      /^(From|To|Reply-To|Subject|Date|Message-ID|Content-Type|Content-Transfer-Encoding|MIME-Version): /
    expect(fields.filter((field) => !known.test(field))).toEqual([])
    expect(head).toContain('Content-Type: text/plain')
  }
}

test('a customer’s name and messages never run as code in a page, file, email or audit log', async () => {
  const { shop, ann, owner, act } = await openShopWithOrder()
  await ann.act('/account/name', { name: EVIL.slice(0, 80) })
  await ann.act('/order-request', { itemId: 'sun', message: RUNS })
  await ann.act('/messages', { intent: 'send', message: RUNS, messageId: '' })
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  const sale = await shop.db.selectFrom('sales').selectAll().executeTakeFirstOrThrow()
  expect(sale.buyerName).toContain('<script>')
  await issueDocuments(shop.shop, { receipt: sale.receiptTag!, papers: ['Invoice'], shipping: 500 })
  const shown = {
    isAvailable: false,
    isValidated: true,
    showOnPage: true,
    receiptTag: '',
    testimony: RUNS,
  } as const
  await addTestimonyTicket(shop.db, 'ticket', {
    ...shown,
    writerId: ann.id,
    writerName: sale.buyerName,
    writerPhotoURL: 'javascript:alert(1)',
  })
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  for (const email of ['"<evil>"@mail.test', 'eve@mail.test']) {
    await shop
      .visitor()
      .post('/contact/', { stamp, name: EVIL, email, phone: '<svg/onload', message: RUNS })
  }

  await expectHarmlessEverywhere(owner, shop.visitor(), ann.id)

  for (const path of ['/manage/sales.csv', '/manage/receipts.csv']) {
    const file = await owner.get(path)
    expect(file.status, path).toBe(200)
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+"$/)
    expect(await file.text()).toContain('<script>')
  }
  const paper = await owner.get(
    `/manage/print-documents.pdf?receipt=${sale.receiptTag}&paper=Invoice`,
  )
  expect(paper.status).toBe(200)
  expect(paper.headers.get('content-disposition')).toEqual(
    expect.stringMatching(/^\w+; filename="[\w.-]+"$/),
  )
  expect(Buffer.from(await paper.arrayBuffer()).toString('latin1')).not.toMatch(
    /\/(JavaScript|JS|OpenAction|AA|Launch|URI)\b/,
  )
  const files = await unzipped(await ann.post('/account/data', {}))
  for (const name of files.keys()) {
    expect(name).toMatch(/^(pictures\/)?[\w-]+\.(html|json|jpg|webp|png)$/)
  }
  expectHarmless('your-data.html', files.get('your-data.html')!.toString())
  await expectPlainEmails(shop)
})

test('a hostile browser name never runs as code on the page of devices or in the data export [S-219, S-224]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const ann = shop.visitor()
  const agent = `Mozilla/5.0 "><script>alert(1)</script> (iPhone) Safari/<img src=x onerror=alert(1)> \xff\x80 ${'x'.repeat(8000)}`
  const body = new URLSearchParams({
    intent: 'login',
    email: 'ann@mail.test',
    password: 'a-good-password',
  })
  await ann.send('/login/', {
    method: 'POST',
    body,
    headers: { origin: shop.publicUrl!, 'user-agent': agent },
  })
  expectHarmless('/account/', await ann.page('/account/'))
  const files = await unzipped(await ann.post('/account/data', {}))
  expect(files.get('account.json')!.toString()).toContain('<script>alert(1)')
  expectHarmless('your-data.html', files.get('your-data.html')!.toString())
})

test('the shop reduces a name from Google to one line of plain text, and shows no photo from another host [S-209]', async () => {
  const hostile: Record<string, [name: unknown, image: string]> = {
    turned: ['A\u202enn\u2066', 'javascript:alert(1)'],
    tagged: [EVIL, 'data:image/svg+xml,<svg onload=alert(1)>'],
    number: [7, 'https://evil.test/a.png'],
    half: [`${'x'.repeat(79)}🧶`, 'http://evil.test/a.png'],
    book: [
      `${' '.repeat(90_000)}${'\u0301\u0323'.repeat(5000)}`,
      'https://evil.test/"onerror="alert(1)',
    ],
  }
  const people = Object.fromEntries(
    Object.entries(hostile).map(([sub, [name, image]]) => [
      sub,
      { sub, email: `${sub}@mail.test`, email_verified: true, name, image },
    ]),
  )
  const { shop } = await openShopWithGoogle(people)
  for (const key of Object.keys(people)) {
    const visitor = shop.visitor()
    await signInWith(visitor, key)
    await visitor.act('/messages', { intent: 'send', message: 'Hello', messageId: '' })
    expectHarmless(key, await visitor.page('/account/'))
  }
  const html = await (await shop.owner()).page('/manage/messages')
  expectHarmless('/manage/messages', html)
  expect(html).not.toMatch(/evil\.test\/a|src="https?:/)
  const users = await shop.db
    .selectFrom('user')
    .select(['name', 'image'])
    .where('id', '!=', 'owner')
    .orderBy('email')
    .execute()
  expect(users.map(({ image }) => image)).toEqual([null, null, null, null, null])
  expect(users.map(({ name }) => name)).toEqual([
    '',
    'x'.repeat(79),
    '',
    expect.stringContaining('<script>'),
    'Ann',
  ])
})

test('the shop refuses a name of a million accents before it normalizes the Unicode characters [S-217, LOGIN-34]', async () => {
  const ann = await (await openTestShop()).customer()
  const accents = (count: number) => `a${'\u0301\u0323'.repeat(count / 2)}`
  expect((await ann.act('/account/name', formOf({ name: accents(100_000) }))).status).toBe(422)
  expect(parseName(accents(1_000_000))).toBeNull()
  expect(parseName('e\u0301'.repeat(40))).toBe('é'.repeat(40))
})

test('the shop shows no user photo from a different site or with an invalid URL [S-009, S-218]', async () => {
  const { shop, ann, owner, act } = await openShopWithOrder()
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  const shown = {
    isAvailable: false,
    isValidated: true,
    showOnPage: true,
    receiptTag: '',
    testimony: 'Soft',
  } as const
  await addTestimonyTicket(shop.db, 'ticket', { ...shown, writerId: ann.id })
  const sites = [
    'https://evil.test/a.png',
    'http://evil.test/a.png',
    '//evil.test/a.png',
    '/\\evil.test/a.png',
    '/\t/evil.test/a.png',
  ]
  for (const photo of [...sites, 'data:image/svg+xml,<svg onload=alert(1)>']) {
    await shop.db.updateTable('user').set({ image: photo }).where('id', '=', ann.id).execute()
    await shop.db.updateTable('orders').set({ userPhotoURL: photo }).execute()
    await shop.db.updateTable('sales').set({ buyerPhotoURL: photo }).execute()
    await shop.db.updateTable('testimonies').set({ writerPhotoURL: photo }).execute()
    const pages = await Promise.all([
      ...[
        '/manage/messages',
        `/manage/messages/${ann.id}`,
        '/manage/sales',
        '/manage/testimonials',
      ].map(owner.page),
      ...['/testimonials/', '/writetestimonials/ticket'].map(shop.visitor().page),
      ...['/', '/account/', '/?messages'].map(ann.page),
    ])
    for (const html of pages) {
      expect(/(src|srcSet|href)="[^"]*(evil|data:)[^"]*"/i.exec(html)?.[0], photo).toBe(undefined)
    }
  }
})
