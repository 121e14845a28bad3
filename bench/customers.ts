/**
 * Creates signed-in customers for measurements: one customer by sending forms, or hundreds by
 * inserting their rows while the shop is stopped.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export type Customer = {
  origin: string
  cookie: string
  post: (path: string, form: Record<string, string>) => Promise<Response>
}
type Credentials = { email: string; password: string }

export const signIn = (origin: string, credentials: Credentials) =>
  enter(origin, 'login', credentials)
export const register = (origin: string, credentials: Credentials) =>
  enter(origin, 'register', credentials)

async function enter(
  origin: string,
  intent: 'login' | 'register',
  credentials: Credentials,
): Promise<Customer> {
  const response = await post(origin, '/login/', { intent, ...credentials }, '')
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  if (!cookie.includes('session_token')) {
    throw new Error(`${credentials.email} could not sign in: ${response.status}`)
  }
  return { origin, cookie, post: (path, form) => post(origin, path, form, cookie) }
}

async function post(
  origin: string,
  path: string,
  form: Record<string, string>,
  cookie: string,
): Promise<Response> {
  const headers = { origin, cookie }
  const response = await fetch(origin + path, {
    method: 'POST',
    body: new URLSearchParams(form),
    headers,
    redirect: 'manual',
  })
  await response.arrayBuffer()
  return response
}

const FAVORITES_PER_CUSTOMER = 5
const SESSION_MS = 30 * 86_400_000

/**
 * Inserts `count` customers with favorites and sessions, and returns their session cookies. Rows
 * are inserted, because rate limits would refuse so many sign-ins.
 */
export async function addCustomers(dataDir: string, count: number): Promise<string[]> {
  const secret = (await readFile(join(dataDir, 'secrets', 'session'), 'utf8')).trim()
  const db = new DatabaseSync(join(dataDir, 'shop.db'))
  const items = db
    .prepare('select id from items order by id')
    .all()
    .map(({ id }) => String(id))
  const user = db.prepare(
    'insert into user (id, name, email, "emailVerified", "createdAt", "updatedAt") values (?, ?, ?, 1, ?, ?)',
  )
  const session = db.prepare(
    'insert into session (id, "userId", token, "expiresAt", "createdAt", "updatedAt") values (?, ?, ?, ?, ?, ?)',
  )
  const favorite = db.prepare(
    'insert or ignore into favorites ("userId", "itemId", "createdAt") values (?, ?, ?)',
  )
  const [now, end] = [Date.now(), Date.now() + SESSION_MS].map((time) =>
    new Date(time).toISOString(),
  ) as [string, string]
  db.exec('begin')
  const cookies = Array.from({ length: count }, (_none, index) => {
    const id = `customer-${index}`
    const token = randomBytes(16).toString('hex')
    user.run(id, `Person ${index}`, `customer${index}@example.com`, now, now)
    session.run(randomBytes(16).toString('hex'), id, token, end, now, now)
    for (let n = 0; n < FAVORITES_PER_CUSTOMER; n++) {
      favorite.run(id, items[(index * 7 + n * 13) % items.length]!, index)
    }
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    return `shop.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  })
  db.exec('commit')
  db.close()
  return cookies
}
