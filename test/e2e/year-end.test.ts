/** The turn of the year in the owner's browser: a sale of the last evening, the first morning after it, and where each is found then. */
import { TZDate } from '@date-fns/tz'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { placeOrder } from '../a-sale.ts'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, signIn } from './people.ts'

const ZONE = 'America/New_York'
const OLD = new Date().getFullYear() + 1
const [EVENING, MORNING] = [
  [11, 31, 23, 40],
  [12, 1, 0, 20],
] as const
/** A process whose clock goes from there on: at both times it is another year in the zone of the machine than on the shop's wall. */
const clockFrom = ([month, day, hour, minute]: readonly [number, number, number, number]) => {
  const shift = new TZDate(OLD, month, day, hour, minute, ZONE).getTime() - Date.now()
  const code = `const now=Date.now.bind(Date);Date.now=()=>now()+${shift};globalThis.Date=new Proxy(Date,{construct:(made,given,as)=>Reflect.construct(made,given.length?given:[Date.now()],as)})`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}

const env = { SHOP_TIME_ZONE: ZONE, TZ: 'UTC', NODE_OPTIONS: clockFrom(EVENING) }
let shop: ServedShop
let browser: Browser

beforeAll(async () => {
  shop = await openServedShop({ env })
  const { db, close } = openSqliteDatabase(shop.dataDir)
  const pieces = [
    { itemId: 'star', name: 'Star', priceCents: 2000 },
    { itemId: 'wreath', name: 'Wreath', priceCents: 4500 },
  ]
  await placeOrder(db, pieces, { id: 'wilma-uid', userName: 'Wilma Winter', receiptTag: 'WINTER01' })
  await close()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

async function sell(owner: Page, piece: string, price: string): Promise<void> {
  await owner.goto('/manage/messages/wilma-uid/')
  await owner.getByRole('link', { name: 'Order', exact: true }).click()
  const line = owner.getByRole('listitem').filter({ hasText: piece })
  await line.getByLabel('Sale price').fill(price)
  await line.getByRole('button', { name: 'Sale Complete' }).click()
  await line.getByRole('button', { name: 'Sale Completed' }).waitFor()
}

/** The Sales screen, once it shows this month. */
async function salesOf(owner: Page, month: string): Promise<string> {
  await owner.getByRole('heading', { name: month }).waitFor()
  return (await owner.getByRole('main').innerText()).replace(/\s+/g, ' ')
}

test('S-105 S-107 S-108 S-189 SALES-03 SALES-04 SALES-13 SALES-25 the year ends between two sales of one receipt: the screen turns over, the reports keep both years', async () => {
  const owner = await openBrowser(browser, shop.url)
  await signIn(owner, OWNER)
  await sell(owner, 'Wreath', '')
  await owner.goto('/manage/sales/')
  const evening = await salesOf(owner, `December ${OLD}`)
  expect(evening).toMatch(new RegExp(`Wilma Winter December 31, ${OLD} Wreath \\$45\\.00.* Total \\$45\\.00`))

  await shop.kill()
  env.NODE_OPTIONS = clockFrom(MORNING)
  await shop.start()
  await owner.goto('/manage/sales/')
  expect(await salesOf(owner, `January ${OLD + 1}`)).toMatch(/No Sales Record.*Total \$0\.00/)
  await owner.getByRole('link', { name: 'Previous month' }).click()
  expect(await salesOf(owner, `December ${OLD + 1}`)).toMatch(/No Sales Record.*Total \$0\.00/)

  // The other half of the parcel is paid in the new year.
  await sell(owner, 'Star', '15')
  await owner.goto('/manage/sales/')
  expect(await salesOf(owner, `January ${OLD + 1}`)).toMatch(
    new RegExp(`Wilma Winter January 01, ${OLD + 1} Star Original price: \\$20\\.00 Sold for: \\$15\\.00.* Total \\$15\\.00`),
  )
  await owner.getByRole('link', { name: /Wilma Winter/ }).click()
  const overlay = owner.getByRole('dialog')
  await overlay.getByRole('checkbox', { name: 'Invoice' }).check()
  // On paper the purchase is whole, in whichever year its lines were sold.
  const invoice = overlay.getByRole('article', { name: 'Invoice' })
  await invoice.filter({ hasText: /Star.*Wreath.*Total\s*\$60\.00/ }).waitFor()
  await owner.keyboard.press('Escape')
  await overlay.waitFor({ state: 'detached' })

  await owner.getByRole('main').getByRole('link', { name: 'Reports' }).click()
  const revenue = (of: string) => owner.locator('dl', { hasText: new RegExp(`Revenue\\s*\\${of}\\s*1 piece`) })
  await revenue('$15.00').waitFor()
  await owner
    .getByRole('navigation', { name: 'Year' })
    .getByRole('link', { name: String(OLD), exact: true })
    .click()
  await revenue('$45.00').waitFor()
})
