/** A guest and a customer who turn out to be one person, and the steps of "Link Guest Account" through the front door. */
import { addCategory, addItem } from './sample-catalogue.ts'
import { openTestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'

export const clara = { email: 'clara@mail.test', password: 'a-good-password' }

export async function openGuestAndAccount({ rateLimits = false } = {}) {
  const shop = await openTestShop({ rateLimits })
  await addCategory(shop.db, 'walls')
  for (const id of ['moon', 'sun', 'star']) await addItem(shop.db, id, 'walls', { name: `The ${id}`, priceCents: 1000 })
  const account = await shop.customer(clara.email)
  return { shop, account, guest: await shop.guest() }
}

export const ask = (who: Person, itemId: string, message: string) => who.act('/order-request', { itemId, message, messageId: '' })
export const like = (who: Person, itemId: string) => who.act('/favourite', { itemId, wanted: 'yes' })
export const say = (who: Person, message: string, messageId = '') => who.act('/messages', { intent: 'send', message, messageId })
export const prove = (guest: Person, with_ = clara) => guest.act('/link-guest/', { intent: 'login', ...with_ })

/** What the page carries of what it shows. */
export async function seenBy(guest: Person): Promise<string> {
  const [, value = ''] = /name="seen" value="([^"]*)"/.exec(await guest.page('/link-guest/')) ?? []
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&')
}
export const answerWith = (guest: Person, confirm: 'Yes' | 'No', seen: string) =>
  guest.act('/link-guest/?from=/gallery/', { intent: 'move', confirm, seen })
export async function move(guest: Person) {
  await prove(guest)
  return answerWith(guest, 'Yes', await seenBy(guest))
}
