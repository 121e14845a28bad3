/** A shop in the middle of its business: a customer has asked for two pieces, and the owner is signed in. */
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { listOrderLines } from '#app/features/orders/orders.server.ts'
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

export async function openShopWithOrder() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  await addItem(shop.db, 'sun', 'walls', { name: 'Sun wall', priceCents: 1200 })
  const ann = await shop.customer()
  await ann.act('/order-request', { itemId: 'moon', message: 'The moon, please' })
  await ann.act('/order-request', { itemId: 'sun', message: 'And the sun' })
  const owner = await shop.owner()
  const path = `/manage/messages/${ann.id}`
  const act = (form: Record<string, string>) => owner.act(path, form)
  const read = async () => {
    const conversation = await readConversation(shop.db, ann.id, 'owner')
    return conversation && { ...conversation, items: await listOrderLines(shop.db, ann.id) }
  }
  const sales = () => shop.db.selectFrom('sales').selectAll().execute()
  const acts = async () => (await shop.db.selectFrom('audit').select('act').execute()).map((row) => row.act)
  return { shop, ann, owner, path, act, read, sales, acts }
}
