/** Letters of the outbox as they leave the house, with the code that the outbox itself does not know. */
import { expect } from 'vitest'
import type { TestShop } from './open-test-shop.ts'

export async function lettersTo(shop: TestShop, email: string) {
  const rows = await shop.db.selectFrom('outbox').selectAll().where('toAddress', '=', email).orderBy('createdAt').execute()
  return rows.map((row) => ({ ...row, text: shop.codes.fill(row), code: shop.codes.codeOf(row.id) }))
}

const seen = new WeakMap<object, Set<string>>()

/** The newest letter with a code, which may still be written; each is given once. */
export async function letterTo(shop: TestShop, email: string) {
  const known = seen.get(shop.shop) ?? new Set<string>()
  seen.set(shop.shop, known)
  const find = async () => (await lettersTo(shop, email)).filter(({ id, kind }) => kind === 'proof' && !known.has(id))
  await expect.poll(find).not.toEqual([])
  const letter = (await find()).at(-1)!
  known.add(letter.id)
  return letter
}
