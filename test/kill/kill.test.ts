/** The built shop is killed in the middle of a burst, again and again: what it acknowledged is there, once, and what was retried is not doubled. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newId15 } from '#app/platform/ids.ts'
import { freePort } from '../free-port.ts'
import { newDataDir, openProcess } from '../open-process.ts'

const ROUNDS = 5
const CUSTOMERS = 4
const ITEMS = 40
const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }

/** A form that is sent until it is acknowledged, always with the same id. */
type Sent = { path: string; form: Record<string, string>; isAcknowledged: boolean }

function openClient(origin: string, number: number) {
  let cookie = ''
  async function post(path: string, form: Record<string, string>) {
    const response = await fetch(origin + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      // Each client comes from an address of its own, as if through a proxy.
      headers: { origin, cookie, 'x-forwarded-for': `203.0.113.${number}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.arrayBuffer()
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    return response.status
  }
  return {
    signIn: (intent: string, who: { email: string; password: string }) => post('/login', { intent, ...who }),
    /** Acknowledged or refused; false when the shop died before it could say. */
    async send(sent: Sent): Promise<boolean> {
      const status = await post(`${sent.path}.data`, sent.form).catch(() => 0)
      if (status === 200) sent.isAcknowledged = true
      return status !== 0
    },
  }
}

function seed(path: string) {
  const db = new DatabaseSync(path, { timeout: 20_000 })
  db.exec(
    `insert into categories (id, title, color, "pictureId", position, "createdAt", "firstCreatedAt") values ('wall', 'Wall', '#ffffff', null, 0, 0, 0)`,
  )
  for (let item = 0; item < ITEMS; item += 1)
    db.exec(`insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
      values ('item${item}', 'Piece ${item}', 'wall', 3500, '', '', '', '', 0, 0)`)
  db.close()
}

/** How many forms of a round are acknowledged before the kill: enough, and not always at the same point of their ways. */
const enoughFor = (round: number) => 15 + ((round * 7) % 11)

test('an acknowledged message, order request or sale survives a kill, exactly once', { timeout: 120_000 }, async () => {
  const dataDir = await newDataDir()
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const env = { DATA_DIR: dataDir, PORT: String(port), OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password }
  const path = join(dataDir, 'shop.db')
  let shop = openProcess(env)
  await shop.opened
  seed(path)
  const owner = openClient(origin, 100)
  expect(await owner.signIn('login', OWNER)).toBe(302)
  const customers = Array.from({ length: CUSTOMERS }, (_, number) => openClient(origin, number + 1))
  for (const [number, customer] of customers.entries())
    expect(await customer.signIn('register', { email: `c${number}@mail.test`, password: 'a-good-password' })).toBe(302)
  const uids = new Map(read<{ id: string; email: string }>(path, 'select id, email from "user"').map(({ id, email }) => [email, id]))

  const messages: Sent[][] = customers.map(() => [])
  const requests: Sent[][] = customers.map(() => [])
  const sales: Sent[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false
    let heard = 0
    let enough = () => {}
    const isEnough = new Promise<void>((done) => (enough = done))
    /** Speaks until the shop is gone; every third form is sent twice at once, as an impatient browser would. */
    const burst = async (client: ReturnType<typeof openClient>, next: () => Sent | undefined) => {
      for (let count = 0; !isOver; count += 1) {
        const sent = next()
        if (!sent) {
          await new Promise((done) => setTimeout(done, 5))
          continue
        }
        const answers = await Promise.all(count % 3 === 0 ? [client.send(sent), client.send(sent)] : [client.send(sent)])
        if (answers.includes(false)) return
        heard += 1
        if (heard >= enoughFor(round) && sales.filter((sale) => sale.isAcknowledged).length > round) enough()
      }
    }
    const write = (list: Sent[], to: string, form: Record<string, string>) => {
      const sent = { path: to, form, isAcknowledged: false }
      list.push(sent)
      return sent
    }
    const bursts = customers.flatMap((customer, number) => [
      burst(customer, () => write(messages[number]!, '/messages', { intent: 'send', message: 'Hello', messageId: newId15() })),
      burst(customer, () => {
        const asked = requests[number]!.length
        if (asked >= ITEMS) return undefined
        return write(requests[number]!, '/order-request', { itemId: `item${asked}`, message: 'This one', messageId: newId15() })
      }),
    ])
    const sell = burst(owner, () => {
      const bought = requests.flatMap((list, number) =>
        list.map((sent) => ({ sent, path: `/manage/messages/${uids.get(`c${number}@mail.test`)}` })),
      )
      const isAsked = (path: string, itemId?: string) => sales.some((sale) => sale.path === path && sale.form.itemId === itemId)
      const next = bought.find(({ sent, path }) => sent.isAcknowledged && !isAsked(path, sent.form.itemId))
      return next && write(sales, next.path, { intent: 'complete', itemId: next.sent.form.itemId!, price: '30' })
    })
    await isEnough
    shop.kill('SIGKILL')
    await shop.ended
    isOver = true
    await Promise.all([...bursts, sell])
    shop = openProcess(env)
    await shop.opened
    expect(read(path, 'pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }

  const acknowledged = [...messages.flat(), ...requests.flat()].filter((sent) => sent.isAcknowledged)
  const counts = () =>
    new Map(
      read<{ id: string; count: number }>(path, 'select id, count(*) as count from messages group by id').map(({ id, count }) => [
        id,
        count,
      ]),
    )
  const found = counts()
  expect(acknowledged.length).toBeGreaterThan(ROUNDS * CUSTOMERS)
  for (const { form } of acknowledged) expect(found.get(form.messageId!), form.messageId).toBe(1)

  // A browser that heard nothing sends its form again.
  for (const [number, customer] of customers.entries())
    for (const sent of [...messages[number]!, ...requests[number]!]) if (!sent.isAcknowledged) await customer.send(sent)
  const all = [...messages.flat(), ...requests.flat()].map(({ form }) => form.messageId!)
  expect([...counts()].filter(([, count]) => count !== 1)).toEqual([])
  expect(new Set(counts().keys())).toEqual(new Set(all))

  // Each item stands once in an order; a sale and its mark come together.
  const lines = read<{ orderId: string; itemId: string; isSold: number }>(path, 'select orderId, itemId, isSold from orderItems')
  const sold = read<{ buyerId: string; itemId: string }>(path, 'select buyerId, itemId from sales').map(
    (sale) => `${sale.buyerId} ${sale.itemId}`,
  )
  expect(new Set(sold).size).toBe(sold.length)
  expect(lines.flatMap((line) => (line.isSold ? `${line.orderId} ${line.itemId}` : [])).sort()).toEqual(sold.sort())
  const toldSold = sales.filter((sent) => sent.isAcknowledged).map((sent) => `${sent.path.split('/').at(-1)} ${sent.form.itemId}`)
  expect(toldSold.length).toBeGreaterThan(0)
  for (const sale of toldSold) expect(sold).toContain(sale)
  const gaps = read(path, 'select orderId from messages group by orderId having max(seq) <> count(*) or count(distinct seq) <> count(*)')
  expect(gaps).toEqual([])
  expect(read(path, 'pragma foreign_key_check')).toEqual([])
})

function read<Row>(path: string, query: string): Row[] {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 20_000 })
  try {
    return db.prepare(query).all() as Row[]
  } finally {
    db.close()
  }
}
