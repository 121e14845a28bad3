/** The built shop with one item, a signed-in owner and a customer, and its database opened beside it. */
import type { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openBeside } from './open-beside.ts'
import { openProcess } from './open-process.ts'

const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
export const settings = (dataDir: string) => ({ DATA_DIR: dataDir, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password })

/** A browser: `form` is sent by script to `path.data`, or as a document where `path` says so. */
function openBrowser(origin: string) {
  let cookie = ''
  return async (path: string, form?: Record<string, string> | FormData) => {
    const body = form instanceof FormData || !form ? form : new URLSearchParams(form)
    const response = await fetch(origin + path, {
      method: body ? 'POST' : 'GET',
      body: body ?? null,
      headers: { origin, cookie },
      redirect: 'manual',
    })
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0])
    if (set.length > 0) cookie = set.join('; ')
    return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
  }
}

export async function openShop(dataDir: string, env: Record<string, string> = {}) {
  const shop = openProcess({ ...settings(dataDir), ...env })
  const origin = await shop.opened
  const path = join(dataDir, 'shop.db')
  using(path, (db) =>
    db.exec(`insert into categories (id, title, color, position, "createdAt", "firstCreatedAt") values ('wall', 'Wall', '#ffffff', 0, 0, 0);
      insert into items (id, name, "categoryId", "priceCents", description, width, "soleType", size, "createdAt", "firstCreatedAt")
      values ('moon', 'Moon', 'wall', 3500, '', '', '', '', 0, 0)`),
  )
  const [owner, clara] = [openBrowser(origin), openBrowser(origin)]
  expect((await owner('/login', { intent: 'login', ...OWNER })).status).toBe(302)
  expect((await clara('/login', { intent: 'register', email: 'clara@mail.test', password: 'a-good-password' })).status).toBe(302)
  return { shop, path, owner, clara, visitor: openBrowser(origin) }
}

export function using<T>(path: string, work: (db: DatabaseSync) => T): T {
  const db = openBeside(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
export const count = (path: string, query: string, ...values: string[]) =>
  using(path, (db) => (db.prepare(`select count(*) as n from ${query}`).get(...values) as { n: number }).n)
