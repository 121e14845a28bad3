/** A shop with two items in two categories, and its owner, for tests of tables. */
import { openTestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

export async function openTableShop() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls', { title: 'Wall Hangings', position: 1 })
  await addCategory(shop.db, 'bags', { title: 'Bags', position: 0 })
  await addItem(shop.db, 'm', 'walls', { name: 'Moon wall', priceCents: 4500, description: 'Round, "soft".\r\nBig.', width: '30 cm' })
  await addItem(shop.db, 's', 'bags', {
    name: 'Sun bag',
    priceCents: 1250,
    description: 'Warm.',
    discountType: 'percent',
    discountValue: 1250,
  })
  return { ...shop, owner: await shop.owner() }
}
export type TableShop = Awaited<ReturnType<typeof openTableShop>>

export const rowsOf = ({ db }: TableShop) => db.selectFrom('items').selectAll().orderBy('id').execute()

/** Ids of the checks that are kept, the oldest first. */
export const keptChecks = async ({ db }: Pick<TableShop, 'db'>) =>
  (await db.selectFrom('tableChecks').select('checkId').distinct().orderBy('checkId').execute()).map(({ checkId }) => checkId)
