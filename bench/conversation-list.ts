/** The owner's list of conversations with 10,000 of them held against 100: opened, searched, and only what is unread. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '../app/platform/node-sqlite.server.ts'
import { signIn } from './customer.ts'
import { median, ms, times } from './figures.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const [FEW, MANY, MESSAGES, ROUNDS] = [100, 10_000, 10, 15]

const asked: [what: string, query: string][] = [
  ['Opened', ''],
  ['Only what is unread', '?show=unread'],
  ['One person looked for', '?q=person+57+'],
  ['Nobody found', '?q=nobody'],
]

export async function measureConversationList({ folder, say }: Bench): Promise<WorkFigure[]> {
  say(`the list of conversations with ${FEW} and with ${MANY}`)
  const [few, many] = [await openFilled(join(folder, 'list-few'), FEW), await openFilled(join(folder, 'list-many'), MANY)]
  try {
    const owners = [await signIn(few.origin, OWNER), await signIn(many.origin, OWNER)]
    const figures: WorkFigure[] = []
    for (const [what, query] of asked) {
      const took: [number[], number[]] = [[], []]
      // One after the other, so that whatever else the machine does meets both; the first rounds warm up.
      for (let round = -3; round < ROUNDS; round++)
        for (const [at, { origin, cookie }] of owners.entries()) {
          const time = await timeOf(`${origin}/manage/messages/${query}`, cookie)
          if (round >= 0) took[at]!.push(time)
        }
      const [one, other] = [median(took[0]), median(took[1])]
      figures.push({
        what: `${MANY.toLocaleString('en-US')} conversations. ${what}`,
        found: `${ms(other)} ms`,
        beside: `${FEW}: ${ms(one)} ms`,
        ratio: times(other, one),
      })
    }
    return figures
  } finally {
    await few.stop()
    await many.stop()
  }
}

async function timeOf(address: string, cookie: string): Promise<number> {
  const begun = performance.now()
  const response = await fetch(address, { headers: { cookie }, redirect: 'error' })
  await response.text()
  if (!response.ok) throw new Error(`${address} answers ${response.status}`)
  return performance.now() - begun
}

/** Each with messages of both sides and two pieces; every fiftieth order is open, every thirtieth has unread messages. */
async function openFilled(dataDir: string, count: number) {
  await mkdir(dataDir, { recursive: true })
  const empty = await serveShop(dataDir)
  await empty.stop()
  const db = openSqlite(join(dataDir, 'shop.db'))
  const numbers = (last: number) => `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${last}) select i from n)`
  db.exec(`begin;
    insert into orders (id, userName, userEmail, userPhotoURL, receiptTag, isClosed, fromContactPage, lastSeq, createdAt, firstCreatedAt)
      select printf('u%06d', (i * 7919) % ${count}), 'Person ' || i || iif(i % 9, '', ' Müller'), 'p' || i || '@mail.test', '',
        iif(i % 50, null, 'T' || i), iif(i % 50, 1, 0), 0, ${MESSAGES}, 1700000000000 + i * 1000, 1 from ${numbers(count)};
    insert into messages (orderId, seq, id, message, sender, createdAt)
      select orders.id, i, 'm' || i, 'A piece for the wall above the table, if you please. ' || i, iif(i % 2, orders.id, 'owner'), orders.createdAt
      from orders, ${numbers(MESSAGES)};
    insert into orderItems (orderId, itemId, name, priceCents, isSold, position)
      select id, 'i' || i, 'Moon wall ' || i, 2500, isClosed, i from orders, ${numbers(2)};
    insert into readMarks (orderId, reader, seq) select id, 'owner', iif((createdAt / 1000) % 30, ${MESSAGES}, 3) from orders;
    commit`)
  db.close()
  return serveShop(dataDir)
}
