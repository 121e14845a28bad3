/** Takes the pictures of README and docs/pictures/ anew, from the built demo shop: node test/e2e/take-pictures.ts */
import { mkdir } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE, signIn } from './people.ts'

const FOLDER = 'docs/pictures'

type Shot = {
  name: string
  path: string
  theme: 'dark' | 'light'
  viewport: typeof DESK
  as?: 'owner'
  before?: (page: Page) => Promise<void>
}

const openFirstReceipt = async (page: Page) => {
  await page.getByRole('main').getByText('Henry Boateng').first().click()
  await page.getByLabel('Invoice').check()
}

const shots: Shot[] = [
  { name: 'home-dark', path: '/', theme: 'dark', viewport: DESK },
  { name: 'gallery-light', path: '/gallery/', theme: 'light', viewport: DESK },
  { name: 'item-phone-dark', path: '/item/three-diamonds-wall-hanging/', theme: 'dark', viewport: PHONE },
  {
    name: 'messages-phone-light',
    path: '/manage/messages/',
    theme: 'light',
    viewport: PHONE,
    as: 'owner',
    before: (page) => page.getByRole('link', { name: /Clara/ }).first().click(),
  },
  { name: 'sales-light', path: '/manage/sales/', theme: 'light', viewport: DESK, as: 'owner' },
  { name: 'invoice', path: '/manage/sales/', theme: 'light', viewport: DESK, as: 'owner', before: openFirstReceipt },
]

async function take(browser: Browser, shop: ServedShop, { name, path, theme, viewport, as, before }: Shot) {
  const page = await openBrowser(browser, shop.url, { viewport })
  await page.context().addCookies([{ name: 'theme', value: theme, url: shop.url }])
  if (as === 'owner') await signIn(page, OWNER)
  await page.goto(path)
  await before?.(page)
  await page.waitForLoadState('networkidle')
  await sharp(await page.screenshot())
    .resize({ width: viewport === PHONE ? 360 : 960 })
    .webp({ quality: 80 })
    .toFile(`${FOLDER}/${name}.webp`)
  await page.context().close()
}

await mkdir(FOLDER, { recursive: true })
const shop = await openServedShop({ demo: true })
const browser = await launchChromium()
for (const shot of shots) await take(browser, shop, shot)
await browser.close()
await shop.stop()
