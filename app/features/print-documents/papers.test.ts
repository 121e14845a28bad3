import { expect, test } from 'vitest'
import { addSale } from '#test/a-sale.ts'
import { NOON, openTestShop } from '#test/open-test-shop.ts'
import { wordsOf as words } from '#test/words.ts'
import { issuePapers } from './papers.server.ts'

const DAY = 86_400_000
const SCREEN = '/manage/sales/'

type Fields = { receipt?: string; paper?: string[]; shipping?: string; output?: string; size?: string; back?: string }
const asForm = ({ paper = [], ...fields }: Fields) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ receipt: 'TAG00001', shipping: '', ...fields })) form.set(name, value)
  for (const one of paper) form.append('paper', one)
  return form
}

async function openPapersShop(options: Parameters<typeof openTestShop>[0] = {}) {
  const shop = await openTestShop(options)
  const owner = await shop.owner()
  return {
    ...shop,
    owner,
    print: (fields: Fields) => owner.act(SCREEN, asForm(fields)),
    invoices: () => shop.db.selectFrom('invoices').selectAll().orderBy('number').execute(),
    tickets: () => shop.db.selectFrom('testimonies').select(['id', 'receiptTag']).execute(),
    acts: async () =>
      (await shop.db.selectFrom('audit').select(['act', 'subject', 'name']).orderBy('seq').execute()).map((row) => ({ ...row })),
  }
}

test('SALES-26 SALES-27 SALES-28 SALES-29 SALES-30 SALES-31 SALES-33 SALES-34 SALES-35 S-111 a receipt opens the print overlay of its own', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'Ben Other' })
  const list = await shop.owner.page(SCREEN)
  expect(list).toContain('href="/manage/sales/?month=3&amp;receipt=TAG00001"')
  expect(list).not.toContain('Print for')

  const html = await shop.owner.page(`${SCREEN}?month=3&receipt=TAG00002`)

  expect(words(html)).toMatch(/Print for Ben Other.*Invoice Thank you card Testimony Ticket Shipping fee Print.*Download PDF/)
  const overlay = html.slice(html.indexOf('print-title'))
  expect(overlay).toMatch(/<input[^>]*placeholder="Enter Shipping Price, 0 for FREE"[^>]*value=""/)
  expect(overlay).toContain('aria-label="Close"')
  expect(overlay.match(/<input type="checkbox"/g)).toHaveLength(3)
  expect(overlay).not.toMatch(/<input type="checkbox"[^>]*checked/)
})

test('SALES-32 a buyer without an e-mail is offered no Testimony Ticket, and a forged form gets none', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db, { buyerEmail: '' })
  const offered = words(await shop.owner.page(`${SCREEN}?receipt=TAG00001`))
  expect(offered).toContain('Invoice Thank you card Shipping fee')

  const forged = await shop.print({ paper: ['Invoice', 'Testimony Ticket'] })

  expect([forged.status, forged.text.includes('"Erro Creating Testimony Ticket"')]).toEqual([409, true])
  expect([await shop.tickets(), await shop.invoices()]).toEqual([[], []])
})

test('an overlay whose receipt does not exist stays closed', async () => {
  const shop = await openPapersShop()
  expect(await shop.owner.page(`${SCREEN}?receipt=%00nothing`)).not.toContain('Print for')
  expect(shop.logged.filter((line) => line.level === 'error')).toEqual([])
})

test('SALES-60 SALES-61 TESTI-26 S-114 printing a ticket answers with the specified texts, and again with the same ticket', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)

  const made = await shop.print({ paper: ['Testimony Ticket'] })
  const again = await shop.print({ paper: ['Testimony Ticket', 'Thank you card'] })
  const unknown = await shop.print({ paper: ['Testimony Ticket'], receipt: 'UNKNOWN1' })
  const letter = await shop.print({ paper: ['Thank you card'] })

  expect([made.status, again.status, unknown.status, letter.status]).toEqual([200, 200, 404, 200])
  expect(made.text).toContain('"Created Testimony Ticket"')
  expect(again.text).toContain('"Created Testimony Ticket"')
  expect(unknown.text).toContain('"Erro Creating Testimony Ticket"')
  expect(letter.text).not.toContain('Testimony Ticket')
  expect(await shop.tickets()).toHaveLength(1)
  expect(await shop.invoices()).toEqual([])
})

test('SALES-61 a ticket that cannot be written is told, the reason only logged, and no number is spent on it', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await shop.db.schema.dropTable('testimonyItems').execute()

  const failed = await shop.print({ paper: ['Invoice', 'Testimony Ticket'] })

  expect(failed.status).toBe(500)
  expect(failed.text).toContain('"Erro Creating Testimony Ticket"')
  expect(failed.text).not.toContain('testimonyItems')
  expect(shop.logged.filter((line) => line.level === 'error')).toHaveLength(1)
  expect([await shop.tickets(), await shop.invoices(), await shop.acts()]).toEqual([[], [], []])
})

test('SALES-54 SALES-56 SALES-57 S-115 the ticket of an opened receipt comes with its link and its code, drawn by the shop', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await shop.print({ paper: ['Testimony Ticket'] })
  const [ticket] = await shop.tickets()

  const data = await (await shop.owner.get('/manage/sales.data?receipt=TAG00001')).text()

  expect(data).toContain(`http://shop.test/writetestimonials/${ticket!.id}`)
  expect(data).toMatch(/M4 4h1v1h-1z/)
})

test('S-190 invoices are numbered 1, 2, 3 in the order of their first printing, and keep their numbers', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db, { receiptTag: 'TAG00002', buyerName: 'Ben Other', createdAt: NOON - DAY })
  await addSale(shop.db)
  const loose = await addSale(shop.db, { receiptTag: null, buyerName: 'Cleo' })
  const before = await shop.owner.page(`${SCREEN}?receipt=TAG00002`)

  for (const receipt of ['TAG00002', 'TAG00001', 'TAG00002', loose.id]) {
    shop.clock.now += 1000
    expect((await shop.print({ receipt, paper: ['Invoice'] })).status).toBe(200)
  }

  expect((await shop.invoices()).map(({ number, receiptKey, createdAt }) => [number, receiptKey, createdAt - NOON])).toEqual([
    [1, 'TAG00002', 1000],
    [2, 'TAG00001', 2000],
    [3, loose.id, 4000],
  ])
  expect(await shop.acts()).toEqual([
    { act: 'number-invoice', subject: 'TAG00002', name: 'Ben Other' },
    { act: 'number-invoice', subject: 'TAG00001', name: 'Ann Buyer' },
    { act: 'number-invoice', subject: loose.id, name: 'Cleo' },
  ])
  expect(words(before)).toContain('An invoice gets its number when it is first printed.')
  expect(words(await shop.owner.page(`${SCREEN}?receipt=TAG00002`))).toContain('This invoice keeps its number')
  expect(words(await shop.owner.page('/manage/history/'))).toContain('Printed invoice 0002 for Ann Buyer')
})

test('S-190 fifty prints at once of ten receipts: ten numbers without a gap, one ticket and one act for each', async () => {
  const shop = await openPapersShop()
  const tags = Array.from({ length: 10 }, (_, at) => `TAG0000${at}`)
  for (const receiptTag of tags) await addSale(shop.db, { receiptTag })

  const done = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      issuePapers(shop.shop, { receipt: tags[at % 10]!, papers: ['Invoice', 'Testimony Ticket'], shipping: 500 }),
    ),
  )

  expect(done.filter((one) => !one.ok)).toEqual([])
  const invoices = await shop.invoices()
  expect(invoices.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  expect(invoices.map(({ receiptKey }) => receiptKey).toSorted()).toEqual(tags)
  expect((await shop.tickets()).map(({ receiptTag }) => receiptTag).toSorted()).toEqual(tags)
  expect((await shop.acts()).map(({ act, subject }) => `${act} ${subject}`).toSorted()).toEqual(
    ['create-ticket', 'number-invoice'].flatMap((act) => tags.map((tag) => `${act} ${tag}`)),
  )
})

test('S-190 a print that fails on the way leaves its number to the next', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  await addSale(shop.db, { receiptTag: 'TAG00002' })
  const invoice = { papers: ['Invoice'], shipping: 0 } as const
  await issuePapers(shop.shop, { receipt: 'TAG00001', ...invoice })

  await shop.db.schema.alterTable('audit').renameTo('elsewhere').execute()
  await expect(issuePapers(shop.shop, { receipt: 'TAG00002', ...invoice })).rejects.toThrow()
  await shop.db.schema.alterTable('elsewhere').renameTo('audit').execute()
  expect(await shop.invoices()).toHaveLength(1)
  await issuePapers(shop.shop, { receipt: 'TAG00002', ...invoice })

  expect((await shop.invoices()).map(({ number, receiptKey }) => [number, receiptKey])).toEqual([
    [1, 'TAG00001'],
    [2, 'TAG00002'],
  ])
})

test('SALES-36 SALES-38 SALES-39 SALES-40 S-191 the fee on the paper is kept with its invoice, and what is no number prints nothing', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  const kept: unknown[] = []
  for (const shipping of ['abc', '1e999', '', '0', '0.01', '-1', '1e12', '1,5']) {
    const { status } = await shop.print({ paper: ['Invoice'], shipping })
    kept.push([shipping, status, (await shop.invoices())[0]?.shippingCents])
  }
  expect(kept).toEqual([
    ['abc', 422, undefined],
    ['1e999', 422, undefined],
    ['', 200, 0],
    ['0', 200, 0],
    ['0.01', 200, 1],
    ['-1', 200, 0],
    ['1e12', 200, 100_000_000_000_000],
    ['1,5', 200, 150],
  ])
  expect((await shop.print({ paper: ['Invoice'], shipping: 'abc' })).text).toContain('Please enter the shipping fee as a number.')
  expect(await shop.owner.page(`${SCREEN}?receipt=TAG00001`)).toMatch(/<input[^>]*id="shipping"[^>]*value="1.50"/)
  expect((await shop.invoices()).length).toBe(1)
  expect(words(await shop.owner.page('/manage/history/'))).toMatch(
    /Changed the shipping fee on invoice 0001 for Ann Buyer.*\$0\.00.*\$0\.01/,
  )
})

test('S-111 nothing ticked, or a paper that there is not, prints nothing', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  const odd = await Promise.all([[], ['invoice'], ['Invoice', '__proto__']].map((paper) => shop.print({ paper })))
  expect(odd.map(({ status }) => status)).toEqual([422, 422, 422])
  expect((await shop.owner.act(SCREEN, { receipt: 'TAG00001' })).status).toBe(422)
  expect([await shop.invoices(), await shop.tickets()]).toEqual([[], []])
})

test('another tab hears of a number and of a ticket, once each', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  shop.heard.length = 0
  for (let time = 0; time < 2; time++) await shop.print({ paper: ['Invoice'] })
  expect(shop.heard).toEqual(['sales'])
  for (let time = 0; time < 2; time++) await shop.print({ paper: ['Invoice', 'Testimony Ticket'] })
  expect(shop.heard).toEqual(['sales', 'sales', 'tickets'])
})

test('ROLES-20 the papers are the owner’s alone: nobody else prints, numbers or downloads', async () => {
  const shop = await openPapersShop()
  await addSale(shop.db)
  const file = '/manage/papers.pdf?receipt=TAG00001&paper=Invoice'
  for (const person of [shop.visitor(), await shop.customer(), await shop.guest()]) {
    await person.act(SCREEN, asForm({ paper: ['Invoice', 'Testimony Ticket'] }))
    expect([(await person.get(file)).status, (await person.get(file)).headers.get('location')]).toEqual([302, '/'])
  }
  expect([await shop.tickets(), await shop.invoices()]).toEqual([[], []])
})
