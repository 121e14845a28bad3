/** Letters of the outbox as they leave the house, with the code that the outbox itself does not know. */
import type { TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'

export async function lettersTo(shop: TestShop, email: string) {
  const rows = await shop.db.selectFrom('outbox').selectAll().where('toAddress', '=', email).orderBy('createdAt').execute()
  return rows.map((row) => ({ ...row, text: shop.codes.fill(row), code: shop.codes.codeOf(row.id) }))
}

const seen = new WeakMap<object, Set<string>>()

/** The newest letter with a code, once what goes on behind the answers is done; each is given once. */
export async function letterTo(shop: TestShop, email: string) {
  const known = seen.get(shop.shop) ?? new Set<string>()
  seen.set(shop.shop, known)
  await shop.behind.settled()
  const letter = (await lettersTo(shop, email)).findLast(({ id, kind }) => kind === 'proof' && !known.has(id))
  if (!letter) throw new Error(`No letter to ${email}.`)
  known.add(letter.id)
  return letter
}

/** What whoever has a letter's code does with it, in any browser. */
export const confirm = (shop: TestShop, code: string) => shop.visitor().post('/confirm-email/', { code })
const verify = (shop: TestShop, id: string) => shop.db.updateTable('user').set({ emailVerified: true }).where('id', '=', id).execute()
export const change = (person: Person, email: string, password = 'a-good-password') => person.act('/account/email', { email, password })

/** A customer whose address is confirmed, or not. */
export async function customer(shop: TestShop, isVerified: boolean) {
  const ann = await shop.customer()
  if (isVerified) await verify(shop, ann.id)
  return ann
}
