/**
 * Takes the screenshots for README and docs/pictures.md from the built demo shop. Usage: node
 * scripts/take-pictures.ts
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import {
  DESK,
  launchChromium,
  openBrowser,
  openServedShop,
  OWNER,
  PHONE,
  type ServedShop,
  signIn,
} from '#test/fixtures/browser.ts'
import { makeDemoData } from '#test/fixtures/e2e-demo-data.ts'
import { openTicket } from '#test/pages/testimonials.ts'

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
  await page.getByRole('checkbox', { name: 'Invoice' }).check()
}

const shots: Shot[] = [
  { name: 'home-dark', path: '/', theme: 'dark', viewport: DESK },
  { name: 'gallery-light', path: '/gallery/', theme: 'light', viewport: DESK },
  {
    name: 'item-phone-dark',
    path: '/item/three-diamonds-wall-hanging/',
    theme: 'dark',
    viewport: PHONE,
  },
  {
    name: 'messages-phone-light',
    path: '/manage/messages/',
    theme: 'light',
    viewport: PHONE,
    as: 'owner',
    before: (page) => page.getByRole('link', { name: /Clara/ }).first().click(),
  },
  { name: 'sales-light', path: '/manage/sales/', theme: 'light', viewport: DESK, as: 'owner' },
  {
    name: 'invoice',
    path: '/manage/sales/',
    theme: 'light',
    viewport: DESK,
    as: 'owner',
    before: openFirstReceipt,
  },
]

/** Ignores hidden images and images outside the window, because the browser does not load them. */
const areImagesLoaded = () =>
  document.fonts.status === 'loaded' &&
  [...document.images].every((image) => {
    const { width, top, left, right } = image.getBoundingClientRect()
    return (
      image.complete ||
      !image.checkVisibility() ||
      width === 0 ||
      top > innerHeight ||
      left > innerWidth ||
      right < 0
    )
  })

async function take(
  browser: Browser,
  shop: ServedShop,
  { name, path, theme, viewport, as, before }: Shot,
) {
  const page = await openBrowser(browser, shop.url, { viewport })
  await page.context().addCookies([{ name: 'theme', value: theme, url: shop.url }])
  if (as === 'owner') await signIn(page, OWNER)
  await page.goto(path)
  await before?.(page)
  await page.waitForFunction(areImagesLoaded)
  const image = sharp(await page.screenshot()).resize({ width: viewport === PHONE ? 360 : 960 })
  await image.webp({ quality: 60, effort: 6 }).toFile(`${FOLDER}/${name}.webp`)
  await page.context().close()
}

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
const newShopPages = [
  { name: 'new-home', title: 'Home of a new shop', path: '/' },
  { name: 'new-about', title: 'About page of a new shop', path: '/about/' },
  {
    name: 'new-first-steps',
    title: 'First steps of its owner',
    path: '/manage/',
    as: 'owner' as const,
  },
  {
    name: 'new-home-editor',
    title: 'The owner edits the home page',
    path: '/manage/home/',
    as: 'owner' as const,
  },
]
type ShownPage = { name: string; title: string; path: string; as?: 'owner' }
const looks = (['dark', 'light'] as const).flatMap((theme) => [
  { size: 'phone', theme, viewport: PHONE },
  { size: 'desk', theme, viewport: DESK },
])

const sideBySide = (pages: ShownPage[]): string => `# Pages

Each row shows a page of the demo shop, or of a new shop at the end, in windows of 360 and 1280 pixels, dark and light. \`node scripts/take-pictures.ts\` takes these screenshots of the built shop and writes this page.
${pages
  .map(({ name, title }) => {
    const cells = looks.map(
      ({ size, theme }) =>
        `<td><img src="pictures/${name}-${size}-${theme}.webp" alt="${title}, ${size === 'desk' ? 'desktop' : size}, ${theme}"></td>`,
    )
    return `\n## ${title}\n\n<table><tr>${cells.join('')}</tr></table>\n`
  })
  .join('')}`

await mkdir(FOLDER, { recursive: true })
const demoData = makeDemoData(await mkdtemp(join(tmpdir(), 'demo-shop-')), [''])
const shop = await openServedShop({ demo: demoData })
const browser = await launchChromium()
const pages = publicPages(openTicket(shop).id)
for (const shot of shots) await take(browser, shop, shot)
for (const { name, path } of pages) {
  for (const { size, ...variant } of looks) {
    await take(browser, shop, { name: `${name}-${size}-${variant.theme}`, path, ...variant })
  }
}
const newShop = await openServedShop()
for (const { name, path, as } of newShopPages) {
  for (const { size, ...variant } of looks) {
    await take(browser, newShop, {
      name: `${name}-${size}-${variant.theme}`,
      path,
      ...(as && { as }),
      ...variant,
    })
  }
}
await newShop.stop()
await writeFile('docs/pictures.md', sideBySide([...pages, ...newShopPages]))
await browser.close()
await shop.stop()
await rm(demoData, { recursive: true })
