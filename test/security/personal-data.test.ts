/**
 * Sends personal data with a unique text to every route. The log and the pages of other users must
 * not contain this text (decision 046).
 */
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createLog } from '#lib/telemetry/log.server.ts'
import { dataOf, fill, walkedRoutes } from '#test/fixtures/access.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { openSmtp, refusal } from '#test/fixtures/email.ts'
import { listed } from '#test/fixtures/fuzz.ts'
import { addTestimonyTicket } from '#test/fixtures/orders.ts'
import { isFull } from '#test/fixtures/size.ts'
import { openTestShop, ORIGIN, refuseWrites, type TestShop } from '#test/fixtures/test-shop.ts'

// The timeout is long, because each test sends several hundred requests.
vi.setConfig({ testTimeout: 600_000 })

const MARK = 'qzmark'
const EMAIL = `${MARK}@${MARK}-mail.test`
const marked = /qzmark/i

const fieldNames = listed`
  all by categoryId check code color confirm email from id itemId key mark message messageId name newPassword orderId password
  pictures seq testimony text title url value wanted website writer`
const intents = isFull
  ? listed`login register ask write save delete sell change confirm try`
  : ['write']
const formOf = (intent: string) => {
  const form = Object.fromEntries(fieldNames.map((name) => [name, `${MARK} ${name}`]))
  return {
    ...form,
    intent,
    email: EMAIL,
    password: `${MARK}-password`,
    newPassword: `${MARK}-newer`,
    itemId: 'moon',
    confirm: 'Yes',
  }
}

async function openMarkedShop() {
  const lines: string[] = []
  const smtp = await openSmtp({
    recipient: (address) => refusal(550, `<${address}>: no such mailbox`),
  })
  const shop = await openTestShop({
    log: createLog({ level: 'debug', write: (line) => lines.push(line) }),
    smtpUrl: smtp.url,
  })
  await addItem(shop.db, 'moon', await addCategory(shop.db, 'walls'), { name: `${MARK} moon` })
  const customer = await shop.customer(EMAIL)
  await customer.post('/account/name', { name: `${MARK} Clara` })
  await customer.post('/order-request', { itemId: 'moon', message: `${MARK} wishes` })
  await customer.post('/messages', {
    intent: 'send',
    message: `${MARK} thoughts`,
    messageId: 'abcdefghijklmno',
  })
  await addTestimonyTicket(shop.db, `${MARK}-ticket`, {
    writerId: customer.id,
    writerName: MARK,
    writerEmail: EMAIL,
  })
  return { shop, lines, people: [shop.visitor(), customer, await shop.owner()] }
}

/**
 * Requests every URL with the unique text in its parameters and its query, and sends every form
 * with the unique text.
 */
async function walk({ people }: Awaited<ReturnType<typeof openMarkedShop>>, intentsOf: string[]) {
  const agent = { 'user-agent': `${MARK} browser` }
  const headers = {
    ...agent,
    origin: ORIGIN,
    'content-type': 'application/x-www-form-urlencoded',
    referer: `${ORIGIN}/?${MARK}`,
  }
  const query = `?q=${MARK}&code=${MARK}&email=${encodeURIComponent(EMAIL)}`
  for (const someone of people) {
    for (const { path, hasAction } of walkedRoutes) {
      if (path === '/logout') continue
      const address = fill(path, `${MARK}-ticket`)
      for (const place of [address + query, dataOf(address) + query]) {
        await someone.send(place, { headers: agent })
      }
      for (const intent of hasAction ? intentsOf : []) {
        await someone.send(dataOf(address), {
          method: 'POST',
          body: new URLSearchParams(formOf(intent)),
          headers,
        })
      }
    }
  }
}

async function breakEverything({ db, dialect }: TestShop) {
  if (dialect === 'sqlite') await sql`pragma foreign_keys = off`.execute(db)
  for (const table of [
    'items',
    'settings',
    'orders',
    'testimonies',
    'outbox',
    'sales',
    'colors',
  ] as const) {
    await db.schema.alterTable(table).renameTo(`${table}Away`).execute()
  }
}

const messagesOf = (lines: string[]) => [
  ...new Set(lines.map((line) => (JSON.parse(line) as { message: string }).message)),
]

test('the log contains no personal data, whatever visitors request, type or send', async () => {
  const open = await openMarkedShop()
  await walk(open, intents)
  await open.shop.outbox.deliverDue()
  // The mail server's refusal contains the email address. The log entry of the refusal must not
  // contain this address.
  expect(messagesOf(open.lines)).toContain('an email could not be sent')
  expect(open.lines.filter((line) => marked.test(line))).toEqual([])
})

test('when the database refuses writes or lacks tables, the log names the failure and its route, but no personal data', async () => {
  const open = await openMarkedShop()
  await refuseWrites(open.shop.db, open.shop.dialect, 'testimonies', 'update')
  await open.people[1]!.act(`/writetestimonials/${MARK}-ticket`, formOf('write'))
  expect(messagesOf(open.lines)).toEqual(['a testimony could not be stored'])
  await breakEverything(open.shop)
  await walk(open, ['write'])
  expect(open.lines.filter((line) => marked.test(line))).toEqual([])
  const errors = open.lines.map(
    (line) => JSON.parse(line) as { level: string; error?: string; route?: string },
  )
  // Expects many errors in the log, so that the test would find personal data in error messages.
  expect(
    errors.filter(({ error }) => error?.match(/settings|no such table|does not exist/)).length,
  ).toBeGreaterThan(50)
  expect(errors.every(({ route }) => route === undefined || route.startsWith('/'))).toBe(true)
  for (const pattern of ['/writetestimonials/:testimonyid', '/manage/messages/:orderid?']) {
    expect(errors.some(({ route }) => route === pattern)).toBe(true)
  }
})

test('no visitor or other customer sees the email address of a buyer or of the writer of a testimony or message [S-001]', async () => {
  const shop = await openTestShop()
  const stamp = await shop.formTimestamp.stamp(shop.now() - 60_000)
  await shop.visitor().post('/contact/', {
    stamp,
    name: 'Sue',
    email: 'sender@hidden.test',
    phone: '0123456789',
    message: 'Hello',
  })
  const writer = {
    writerName: 'Wim',
    writerEmail: 'writer@hidden.test',
    testimony: 'Lovely',
    isValidated: true,
  } as const
  await addTestimonyTicket(shop.db, 'open-ticket', { ...writer, receiptTag: 'open-ticket' })
  await addTestimonyTicket(shop.db, 'used-ticket', {
    ...writer,
    receiptTag: 'used-ticket',
    isAvailable: false,
    showOnPage: true,
  })
  await addItem(shop.db, 'tote', await addCategory(shop.db, 'bags'))
  const buyer = await shop.customer('buyer@hidden.test')
  await buyer.post('/order-request', { itemId: 'tote', message: 'For me', messageId: '' })
  const paths = listed`
    / /gallery/ /gallery/bags /item/tote /about/ /contact/ /testimonials/ /login/ /?messages
    /writetestimonials/open-ticket /writetestimonials/used-ticket /writetestimonials/none
    /sitemap.xml /robots.txt /manifest.webmanifest /contact/card.vcf /manage/mail/ /manage/testimonials/`
  const asData = (path: string) =>
    /^\/(\?|$)/.test(path) ? `/_root.data${path.slice(1)}` : path.replace(/\/?(\?|$)/, '.data$1')
  expect(await shop.visitor().page('/testimonials.data')).toContain('Lovely')
  expect(await shop.visitor().page('/writetestimonials/open-ticket.data')).toContain('Wim')
  for (const client of [
    shop.visitor(),
    await shop.guest(),
    await shop.customer('other@mail.test'),
  ]) {
    for (const path of paths.flatMap((path) => [path, asData(path)])) {
      expect((await client.page(path)).match(/\w+@hidden\.test/g), path).toBe(null)
    }
    for (const email of ['', 'WRITER@hidden.test ', 'writer@mail.test']) {
      expect(
        (await client.act('/writetestimonials/open-ticket', { intent: 'check', email })).text,
      ).not.toContain('writer@hidden.test')
    }
  }
})
