/**
 * All data except images and accounts is inserted in one transaction at the end: after a kill, the
 * next start tries again.
 */
import { OWNER_ID } from '#services/owner-id.ts'
import { linkSoldItems } from '#conversation/requests.server.ts'
import { saveSettingGroup } from '#settings/settings.server.ts'
import type { PaymentSettings } from '#settings/payment-settings.ts'
import type { ShopSettings } from '#settings/shop-settings.ts'
import type { AppServices } from '#services/context.ts'
import { customers, photo } from './catalog.ts'
import pages from './pages.json' with { type: 'json' }
import { fillCatalog } from './fill-catalog.server.ts'
import { copyCatalogImages, ensureScenes } from './images.server.ts'
import {
  ensureCustomers,
  fillConversation,
  fillSales,
  fillTestimonials,
} from './fill-people.server.ts'

const settings: Partial<ShopSettings & PaymentSettings> = {
  city: 'Asheville, North Carolina',
  ownerName: 'Marisol',
  email: 'hello@knotsandlove.example',
  phone: '828 555 0142',
  facebook: 'https://www.facebook.com/knotsandlove.workshop',
  instagram: 'https://www.instagram.com/knots.and.love',
  tagline: 'Knotted by hand in Asheville, North Carolina',
  terms:
    'Every piece is made by hand, so small differences in color and size are part of it. A price is agreed in the conversation before work begins. Pieces can be returned within 14 days, unless they were made to your own measure.',
  thankYouLetter:
    'Thank you for letting something made by my hands into your home. Every knot in it was tied for you, with care and with joy. If anything is not as you hoped, write to me and I will make it right.',
  leadTime: 'Made in 1 to 2 weeks',
  shipsFrom: 'Asheville',
  returns: 'Returns within 14 days (not custom sizes)',
  sizeUnits: 'inches',
  // Real people may own the names in links to payment apps. Banks use these numbers in their
  // examples.
  accountHolder: 'Marisol Example',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  cashAtHandover: 'yes',
  depositPercent: '30',
}

async function isEmpty({ db }: AppServices) {
  const rows = await Promise.all(
    (['categories', 'items', 'colors', 'orders', 'sales'] as const).map((table) =>
      db.selectFrom(table).select('id').limit(1).executeTakeFirst(),
    ),
  )
  return rows.every((row) => row === undefined)
}

/** Whether the shop was empty. */
export async function fillDemoShop(shop: AppServices, say: (line: string) => void) {
  if (!(await isEmpty(shop))) return false
  say('Filling the demo shop … (DEMO=0 opens an empty shop instead.)')
  const begun = performance.now()
  await ensureScenes(shop)
  const images = await copyCatalogImages(shop)
  const uids = await ensureCustomers(shop)
  const now = shop.now()
  await shop.db.transaction().execute(async (tx) => {
    await fillCatalog(tx, images, now)
    for (const customer of customers) {
      await fillConversation(tx, customer, uids.get(customer.id)!, now)
    }
    await fillSales(tx, uids, now)
    await linkSoldItems(tx)
    await fillTestimonials(tx, now)
    await saveSettingGroup(tx, { ...settings, ...pages.home, ...pages.about }, now)
    await tx
      .updateTable('user')
      .set({ name: settings.ownerName, image: `/pictures/${photo('owner')}.avif` })
      .where('id', '=', OWNER_ID)
      .execute()
  })
  say(`Filling the demo shop: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return true
}
