/** A conversation of 100,000 messages held against one of a hundred: opening it on both sides, reading backwards, counting what is unread. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqlite } from '../app/platform/node-sqlite.server.ts'
import { register, signIn, type Customer } from './customer.ts'
import { median, ms, times, whole } from './figures.ts'
import { OWNER, serveShop } from './served-shop.ts'
import type { Bench, WorkFigure } from './workshop.ts'

const [MANY, FEW] = [100_000, 100]
const ROUNDS = 21
const EMAILS = { many: 'many@bench.test', few: 'few@bench.test' }

/** Straight into the tables; every second message is the owner's. */
function fill(dataDir: string): Record<keyof typeof EMAILS, string> {
  const db = openSqlite(join(dataDir, 'shop.db'))
  const idOf = (email: string) => String(db.prepare('select id from user where email = ?').get(email)!.id)
  const add = (email: string, count: number) => {
    const id = idOf(email)
    db.exec(`begin;
      insert into messages ("orderId", seq, id, message, sender, "createdAt")
        with recursive n(i) as (select 2 union all select i + 1 from n where i < ${count})
        select '${id}', i, 'message' || i, 'Message ' || i || ', see https://example.com/' || i || ${"' and so on'"} || substr('${'x'.repeat(100)}', 1, i % 100),
          case i % 2 when 0 then 'owner' else '${id}' end, i * 60000 from n;
      update orders set "lastSeq" = ${count} where id = '${id}';
      commit`)
    return id
  }
  const ids = { many: add(EMAILS.many, MANY), few: add(EMAILS.few, FEW) }
  db.close()
  return ids
}

export async function measureLongConversation({ folder, say }: Bench): Promise<WorkFigure[]> {
  say(`a conversation of ${whole(MANY)} messages`)
  const dataDir = join(folder, 'long-conversation')
  await mkdir(dataDir, { recursive: true })
  const shop = await serveShop(dataDir)
  try {
    const enter = async (email: string) => {
      const customer = await register(shop.origin, { email, password: 'bench-password' })
      await customer.post('/messages', { intent: 'send', message: 'Message 1', back: '/' })
      return customer
    }
    const customers = { many: await enter(EMAILS.many), few: await enter(EMAILS.few) }
    const owner = await signIn(shop.origin, OWNER)
    const ids = fill(dataDir)
    const took = async ({ cookie }: Customer, path: string, shows: string) => {
      const begun = performance.now()
      const answer = await fetch(shop.origin + path, { headers: { cookie } })
      const text = await answer.text()
      if (!answer.ok || !text.includes(shows)) throw new Error(`${path} answers ${answer.status} without "${shows}"`)
      return performance.now() - begun
    }
    /** In turn, so that whatever else the machine does falls on both. */
    const compare = async (what: string, many: () => Promise<number>, few: () => Promise<number>): Promise<WorkFigure> => {
      const [one, other]: [number[], number[]] = [[], []]
      for (let round = 0; round < ROUNDS; round++) {
        one.push(await many())
        other.push(await few())
      }
      const [found, beside] = [median(one), median(other)]
      return { what, found: `${ms(found)} ms`, beside: `${FEW} messages: ${ms(beside)} ms`, ratio: times(found, beside) }
    }
    const panel = (who: keyof typeof EMAILS, shows: string) => () => took(customers[who], '/about/?messages=', shows)
    const view = (who: keyof typeof EMAILS, shows: string) => () => took(owner, `/manage/messages/${ids[who]}`, shows)
    const earlier = (who: keyof typeof EMAILS, before: number) => () =>
      took(customers[who], `/messages/earlier/${ids[who]}?before=${before}`, `Message ${before - 1},`)
    const [newest, newestOfFew] = [`Message ${MANY},`, `Message ${FEW},`]

    const unread = await compare(
      `The customer's panel, ${whole(MANY / 2)} of ${whole(MANY)} messages unread`,
      panel('many', newest),
      panel('few', newestOfFew),
    )
    for (const who of ['many', 'few'] as const) {
      const read = { intent: 'read', seq: String(who === 'many' ? MANY : FEW), back: '/' }
      await customers[who].post('/messages', read)
      await owner.post(`/manage/messages/${ids[who]}`, read)
    }
    return [
      await compare(`The customer's panel with ${whole(MANY)} messages`, panel('many', newest), panel('few', newestOfFew)),
      await compare(`The owner's view of ${whole(MANY)} messages`, view('many', newest), view('few', newestOfFew)),
      await compare('A page of earlier messages from the middle', earlier('many', MANY / 2), earlier('few', FEW / 2)),
      unread,
    ]
  } finally {
    await shop.stop()
  }
}
