/** Takes the pictures of README and docs/pictures/ anew, from the built demo shop: node test/e2e/take-pictures.ts */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp, { type Sharp } from 'sharp'
import { launchChromium } from '../chromium.ts'
import { makeDemoData } from './demo-data.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openTicket } from './open-ticket.ts'
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
  const picture = sharp(await page.screenshot()).resize({ width: viewport === PHONE ? 360 : 960 })
  await writeFile(`${FOLDER}/${name}.webp`, await small(picture))
  await page.context().close()
}

const MOST_BYTES = 60_000

/** As good as 60 kB allow. */
async function small(picture: Sharp): Promise<Buffer> {
  for (let quality = 74; ; quality -= 8) {
    const packed = await picture.clone().webp({ quality, effort: 6 }).toBuffer()
    if (packed.length <= MOST_BYTES || quality <= 34) return packed
  }
}

/** Every public page, in both themes and both sizes; docs/pictures.md shows them side by side. */
const publicPages = (ticketId: string) => [
  { name: 'home', title: 'Home', path: '/' },
  { name: 'gallery', title: 'Gallery', path: '/gallery/' },
  { name: 'category', title: 'Gallery, one category', path: '/gallery/wall-hangings/' },
  { name: 'search', title: 'Gallery, a search', path: '/gallery/?q=fringe' },
  { name: 'item', title: 'Item', path: '/item/three-diamonds-wall-hanging/' },
  { name: 'about', title: 'About', path: '/about/' },
  { name: 'contact', title: 'Contact', path: '/contact/' },
  { name: 'testimonials', title: 'Testimonials', path: '/testimonials/' },
  { name: 'write-testimony', title: 'Write a testimony', path: `/writetestimonials/${ticketId}/` },
  { name: 'login', title: 'Login', path: '/login/' },
]
type PublicPage = ReturnType<typeof publicPages>[number]
const looks = (['dark', 'light'] as const).flatMap((theme) => [
  { size: 'phone', theme, viewport: PHONE },
  { size: 'desk', theme, viewport: DESK },
])

const sideBySide = (pages: PublicPage[]): string => `# The public pages

The demo shop at 360 and 1280 pixels, dark and light. Taken by \`node test/e2e/take-pictures.ts\` from the built shop.
${pages
  .map(({ name, title }) => {
    const cells = looks.map(
      ({ size, theme }) => `<td><img src="pictures/${name}-${size}-${theme}.webp" alt="${title}, ${size}, ${theme}"></td>`,
    )
    return `\n## ${title}\n\n<table><tr>${cells.join('')}</tr></table>\n`
  })
  .join('')}`

await mkdir(FOLDER, { recursive: true })
const demoData = makeDemoData(await mkdtemp(join(tmpdir(), 'demo-shop-')), [''])
const shop = await openServedShop({ demo: demoData })
const browser = await launchChromium()
const pages = publicPages(openTicket(shop.dataDir).id)
for (const shot of shots) await take(browser, shop, shot)
for (const { name, path } of pages)
  for (const { size, ...look } of looks) await take(browser, shop, { name: `${name}-${size}-${look.theme}`, path, ...look })
await writeFile('docs/pictures.md', sideBySide(pages))
await browser.close()
await shop.stop()
await rm(demoData, { recursive: true })
