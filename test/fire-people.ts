/** Who writes under fire, and what the shop's database holds of it. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Writer } from './fire-tab.ts'
import type { Kept } from './under-fire.ts'

type Credentials = { email: string; password: string }

async function enter(origin: string, intent: 'login' | 'register', who: Credentials, address: string): Promise<string> {
  const response = await fetch(`${origin}/login/`, {
    method: 'POST',
    body: new URLSearchParams({ intent, ...who }),
    headers: { origin, 'x-forwarded-for': address },
    redirect: 'manual',
  })
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
}

function rows<Row>(dataDir: string, query: string): Row[] {
  const db = new DatabaseSync(join(dataDir, 'shop.db'), { readOnly: true, timeout: 5000 })
  try {
    return db.prepare(query).all() as Row[]
  } finally {
    db.close()
  }
}

export const readKept = (dataDir: string): Kept => ({
  messages: rows(dataDir, 'select "orderId", seq, id, message, sender from messages order by "orderId", seq'),
  marks: rows(dataDir, 'select "orderId", reader, seq from "readMarks"'),
})

/** The owner and new customers, each of an address of their own and with a conversation begun. */
export async function enterUnderFire(origin: string, dataDir: string, owner: Credentials, count: number) {
  const email = (number: number) => `fire${number}@mail.test`
  const cookies = [await enter(origin, 'login', owner, '203.0.113.99')]
  for (let number = 0; number < count; number++)
    cookies.push(await enter(origin, 'register', { email: email(number), password: 'a-good-password' }, `203.0.113.${number + 1}`))
  const ids = new Map(rows<{ id: string; email: string }>(dataDir, 'select id, email from "user"').map((user) => [user.email, user.id]))
  const writer = (email: string, at: number): Writer => ({
    id: ids.get(email)!,
    cookie: cookies[at]!,
    address: `203.0.113.${at + 1}`,
    stored: new Map(),
  })
  const customers = Array.from({ length: count }, (_, number) => writer(email(number), number + 1))
  return { owner: writer(owner.email, 0), customers }
}
