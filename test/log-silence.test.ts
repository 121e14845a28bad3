/** Nothing of a person gets into the log (046): every route with marked data, while all is well and while everything breaks. */
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openLog } from '#app/platform/log.server.ts'
import { openTestShop, ORIGIN, type TestShop } from './open-test-shop.ts'
import { openSmtp, refusal } from './open-smtp.ts'
import { refuseWrites } from './refuse-writes.ts'
import { dataOf, fill, walkedRoutes } from './routes.ts'
import { addCategory, addItem } from './sample-catalogue.ts'
import { isFull } from './size.ts'

// Some hundred requests, two of three of which break.
vi.setConfig({ testTimeout: 60_000 })

const MARK = 'qzmark'
const EMAIL = `${MARK}@${MARK}-mail.test`
const marked = /qzmark/i

/** Fields of all forms of the shop, each with the mark in it; `intent` as each form has it. */
const fieldNames = [
  ...[
    'all',
    'by',
    'categoryId',
    'check',
    'code',
    'color',
    'confirm',
    'email',
    'from',
    'id',
    'itemId',
    'key',
    'mark',
    'message',
    'messageId',
  ],
  ...[
    'name',
    'newPassword',
    'orderId',
    'password',
    'pictures',
    'seq',
    'testimony',
    'text',
    'title',
    'url',
    'value',
    'wanted',
    'website',
    'writer',
  ],
]
const intents = isFull ? ['login', 'register', 'ask', 'write', 'save', 'delete', 'sell', 'change', 'confirm', 'try'] : ['write']
const formOf = (intent: string) => {
  const form = Object.fromEntries(fieldNames.map((name) => [name, `${MARK} ${name}`]))
  return { ...form, intent, email: EMAIL, password: `${MARK}-password`, newPassword: `${MARK}-newer`, itemId: 'moon', confirm: 'Yes' }
}

async function openMarkedShop() {
  const lines: string[] = []
  const smtp = await openSmtp({ recipient: (address) => refusal(550, `<${address}>: nobody of this name here`) })
  const shop = await openTestShop({ log: openLog({ level: 'debug', write: (line) => lines.push(line) }), smtpUrl: smtp.url })
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: `${MARK} moon` })
  const customer = await shop.customer(EMAIL)
  await customer.post('/account/name', { name: `${MARK} Clara` })
  await customer.post('/order-request', { itemId: 'moon', message: `${MARK} wishes` })
  await customer.post('/messages', { intent: 'send', message: `${MARK} thoughts`, messageId: 'abcdefghijklmno' })
  const ticket = { id: `${MARK}-ticket`, writerId: customer.id, writerName: MARK, writerEmail: EMAIL, writerPhotoURL: '', testimony: '' }
  await shop.db
    .insertInto('testimonies')
    .values({ ...ticket, isAvailable: 1, isValidated: 0, showOnPage: 0, createdAt: shop.now() })
    .execute()
  return { shop, lines, people: [shop.visitor(), customer, await shop.owner()] }
}

/** Every address with the mark in its parameters and its query, and every form. */
async function walk({ people }: Awaited<ReturnType<typeof openMarkedShop>>, intentsOf: string[]) {
  const headers = {
    origin: ORIGIN,
    'content-type': 'application/x-www-form-urlencoded',
    'user-agent': `${MARK} browser`,
    referer: `${ORIGIN}/?${MARK}`,
  }
  const query = `?q=${MARK}&code=${MARK}&email=${encodeURIComponent(EMAIL)}`
  for (const someone of people)
    for (const { path, hasAction } of walkedRoutes) {
      if (path === '/logout') continue
      const address = fill(path, `${MARK}-ticket`)
      for (const place of [address + query, dataOf(address) + query])
        await someone.send(place, { headers: { 'user-agent': `${MARK} browser` } })
      if (!hasAction) continue
      for (const intent of intentsOf)
        await someone.send(dataOf(address), { method: 'POST', body: new URLSearchParams(formOf(intent)), headers })
    }
}

async function breakEverything({ db, dialect }: TestShop) {
  if (dialect === 'sqlite') await sql`pragma foreign_keys = off`.execute(db)
  for (const table of ['items', 'settings', 'orders', 'testimonies', 'outbox', 'sales', 'colors'] as const)
    await db.schema.alterTable(table).renameTo(`${table}Away`).execute()
}

const messagesOf = (lines: string[]) => [...new Set(lines.map((line) => (JSON.parse(line) as { message: string }).message))]

test('no line of the log has anything of a person in it, whatever is asked, typed or sent', async () => {
  const open = await openMarkedShop()
  await walk(open, intents)
  await open.shop.mail.deliverDue()
  // The letters' server repeats the address in its refusal.
  expect(messagesOf(open.lines)).toContain('a letter could not be sent')
  expect(open.lines.filter((line) => marked.test(line))).toEqual([])
})

test('nor when writes are refused, nor when the tables are gone: the errors tell what broke, in which route and request, and for nobody', async () => {
  const open = await openMarkedShop()
  await refuseWrites(open.shop.db, open.shop.dialect, 'testimonies', 'update')
  await open.people[1]!.act(`/writetestimonials/${MARK}-ticket`, formOf('write'))
  expect(messagesOf(open.lines)).toEqual(['a testimony could not be stored'])
  await breakEverything(open.shop)
  await walk(open, ['write'])
  expect(open.lines.filter((line) => marked.test(line))).toEqual([])
  const errors = open.lines.map((line) => JSON.parse(line) as { level: string; error?: string; route?: string })
  // It would be easy to be silent about everything.
  expect(errors.filter(({ error }) => error?.match(/settings|no such table|does not exist/)).length).toBeGreaterThan(50)
  expect(errors.every(({ route }) => route === undefined || route.startsWith('/'))).toBe(true)
  expect(errors.some(({ route }) => route === '/writetestimonials/:testimonyid')).toBe(true)
  expect(errors.some(({ route }) => route === '/manage/messages/:orderid?')).toBe(true)
})
