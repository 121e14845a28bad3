/** Tickets, testimonies and a sale for the journeys, written past the shop into its database. */
import { DatabaseSync } from 'node:sqlite'
import { OWNER, type ServedShop } from './open-served-shop.ts'

const openBooks = (dataDir: string) => new DatabaseSync(`${dataDir}/shop.db`, { timeout: 20_000 })

type Row = { id: string; name: string; text: string; isOpen?: boolean; isShown?: boolean; at?: number }

/** Straight into the books, as if tickets had been used before. No signal tells of them: what visitors see is put there by `moderate`. */
export function keep({ dataDir }: ServedShop, ...rows: Row[]) {
  const db = openBooks(dataDir)
  for (const { id, name, text, isOpen = false, isShown = true, at = 0 } of rows) {
    db.prepare(
      `insert into testimonies (id, "writerId", "writerName", "writerEmail", "writerPhotoURL", testimony, "isAvailable", "isValidated", "showOnPage", "createdAt")
       values (?, 'w', ?, ?, '', ?, ?, ?, ?, ?)`,
    ).run(id, name, `${id}@Mail.test`, text, isOpen ? 1 : 0, isShown ? 1 : 0, isShown ? 1 : 0, Date.now() + at)
    db.prepare(
      `insert into "testimonyItems" ("testimonyId", position, "itemId", name) values (?, 0, 'sunflower-coaster', 'Sunflower Coaster')`,
    ).run(id)
  }
  db.close()
}
export function sell({ dataDir }: ServedShop, name: string, email: string) {
  const db = openBooks(dataDir)
  db.prepare(
    `insert into sales (id, "buyerId", "buyerName", "buyerEmail", "buyerPhotoURL", "itemId", "itemName", "itemPriceCents", "salePriceCents", "receiptTag", "createdAt")
     values ('sale', 'nora', ?, ?, '', 'sunflower-coaster', 'Sunflower Coaster', 900, 900, 'NORA0001', ?)`,
  ).run(name, email, Date.now())
  db.close()
}
export function forget({ dataDir }: ServedShop, ...ids: string[]) {
  const db = openBooks(dataDir)
  for (const table of [`"testimonyItems" where "testimonyId"`, 'testimonies where id'])
    for (const id of ids) db.prepare(`delete from ${table} = ?`).run(id)
  db.close()
}
/** As the owner does it, so that every page that was kept ready hears of it. */
export async function moderate({ url }: ServedShop, intent: 'show' | 'hide', ...ids: string[]) {
  const post = (path: string, form: Record<string, string>, cookie = '') =>
    fetch(url + path, { method: 'POST', body: new URLSearchParams(form), headers: { origin: url, cookie }, redirect: 'manual' })
  const entered = await post('/login/', { intent: 'login', ...OWNER })
  const cookie = entered.headers.getSetCookie().map((one) => one.split(';')[0])
  for (const id of ids) {
    const { status } = await post('/manage/testimonials/', { intent, id }, cookie.join('; '))
    if (status >= 400) throw new Error(`${intent} ${id}: ${status}`)
  }
}
