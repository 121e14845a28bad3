/** Fills an empty shop with the demo shop: image files first, then every row in one transaction, so that a start that was killed begins again. */
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { saveSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { customers, photo } from './catalogue.ts'
import { fillCatalogue } from './fill-catalogue.server.ts'
import { copyImages } from './images.server.ts'
import { ensureCustomers, fillConversation, fillSales, fillTestimonials } from './fill-people.server.ts'

const settings = {
  city: 'Asheville, North Carolina',
  ownerName: 'Marisol',
  email: 'hello@knotsandlove.example',
  phone: '828 555 0142',
  facebookHandle: '@knotsandlove.workshop',
  instagramHandle: '@knots.and.love',
}

/** A shop that has a category, an item, a color or a conversation is not empty and stays as it is. */
async function isEmpty({ db }: Shop): Promise<boolean> {
  const found = await Promise.all(
    (['categories', 'items', 'colors', 'orders', 'sales'] as const).map((table) =>
      db.selectFrom(table).select('id').limit(1).executeTakeFirst(),
    ),
  )
  return found.every((row) => row === undefined)
}

/** Returns true when it has filled the shop. */
export async function fillDemoShop(shop: Shop, say: (line: string) => void): Promise<boolean> {
  if (!(await isEmpty(shop))) return false
  say('Setting up the demo shop, once. (DEMO=0 opens an empty shop instead.)')
  const pictures = await copyImages(shop)
  const uids = await ensureCustomers(shop)
  const now = shop.now()
  await shop.db.transaction().execute(async (tx) => {
    await fillCatalogue(tx, pictures, now)
    for (const customer of customers) await fillConversation(tx, customer, uids.get(customer.id)!, now)
    await fillSales(tx, uids, now)
    await fillTestimonials(tx, now)
    await saveSettings(tx, settings, now)
    await tx
      .updateTable('user')
      .set({ name: settings.ownerName, image: `/pictures/${photo('owner')}.avif` })
      .where('id', '=', ADMIN_ID)
      .execute()
  })
  return true
}
