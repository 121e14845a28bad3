/** Many customers at once, with favourites of their own, put into the database of a shop that is not open; signing in one by one has its limits. */
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const FAVOURITES = 5

/** Gives their session cookies. */
export async function addCustomers(dataDir: string, count: number): Promise<string[]> {
  const secret = (await readFile(join(dataDir, 'secrets', 'session'), 'utf8')).trim()
  const db = new DatabaseSync(join(dataDir, 'shop.db'))
  const items = db
    .prepare('select id from items order by id')
    .all()
    .map(({ id }) => String(id))
  const user = db.prepare('insert into user (id, name, email, "emailVerified", "createdAt", "updatedAt") values (?, ?, ?, 1, ?, ?)')
  const session = db.prepare('insert into session (id, "userId", token, "expiresAt", "createdAt", "updatedAt") values (?, ?, ?, ?, ?, ?)')
  const favourite = db.prepare('insert or ignore into favourites ("userId", "itemId", "createdAt") values (?, ?, ?)')
  const [now, end] = [Date.now(), Date.now() + 30 * 86_400_000].map((time) => new Date(time).toISOString()) as [string, string]
  db.exec('begin')
  const cookies = Array.from({ length: count }, (_none, at) => {
    const [id, token] = [`looker-${at}`, randomBytes(16).toString('hex')]
    user.run(id, `Person ${at}`, `looker${at}@example.com`, now, now)
    session.run(randomBytes(16).toString('hex'), id, token, end, now, now)
    for (let number = 0; number < FAVOURITES; number++) favourite.run(id, items[(at * 7 + number * 13) % items.length]!, at)
    const signature = createHmac('sha256', secret).update(token).digest('base64')
    return `shop.session_token=${encodeURIComponent(`${token}.${signature}`)}`
  })
  db.exec('commit')
  db.close()
  return cookies
}
