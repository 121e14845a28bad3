/** No page of the shop, in either theme and at either width, holds a barrier that axe knows of. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, onTestFailed, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openTicket } from './open-ticket.ts'

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]
/** What the other theme can change: the rest of a page is the same in both, and is read once. */
const rulesOfColors = ['color-contrast', 'link-in-text-block']

let shop: ServedShop
let browser: Browser
beforeAll(async () => {
  shop = await openServedShop({ demo: true })
  browser = await launchChromium()
})
beforeEach(() => onTestFailed(() => console.log(shop.output())))
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

/** Long, because axe reads every element of many pages. */
const PATIENCE = 180_000

const visitorsPages = [
  '/',
  '/?colors=all',
  '/gallery/',
  '/gallery/none/',
  '/gallery/?q=wall&sale=on&page=2',
  '/gallery/?q=zebra&from=abc',
  '/item/none/',
  '/about/',
  '/contact/',
  '/contact/?tab=facebook',
  '/contact/?tab=phone',
  '/testimonials/',
  '/writetestimonials/none/',
  '/login/',
]
const customersPages = ['/', '/gallery/?favorites']
const ownersPages = [
  '/manage/',
  '/manage/category/',
  '/manage/colors/',
  '/manage/item/',
  '/manage/item/?open=1~bags',
  '/manage/item/?q=wall',
  '/manage/item/unknown',
  '/manage/messages/',
  '/manage/sales/',
  '/manage/reports/',
  '/manage/reports/sales/',
  '/manage/testimonials/',
  '/manage/discount/',
  '/manage/mail/',
  '/manage/tables/',
  '/manage/history/',
  '/manage/settings/',
]

async function openPage(viewport: (typeof sizes)[number]): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  return { context, page: await context.newPage() }
}

async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(`${shop.url}/login/`)
  await page.locator('input[name=email]').first().fill(email)
  await page.locator('input[name=password]').first().fill(password)
  await page.locator('button[value=login]').click()
  await page.waitForURL(`${shop.url}/`)
}

async function barriersOn(page: Page, path: string): Promise<string[]> {
  await page.goto(shop.url + path, { waitUntil: 'load' })
  await page.waitForFunction('document.fonts.ready.then(() => true)')
  return barriersHere(page, path)
}

/** Every fade at its end: half-way through, a text has the contrast of neither look. */
const settled = `new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one.effect.getTiming().iterations !== Infinity).map((one) => one.finished)))
  .then(() => null)`

async function wear(page: Page, theme: 'dark' | 'light') {
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
  await page.evaluate(settled)
}

/** Our pages hold no frames, which is what the other mode is for, and only violations are read: a third of the time. */
const axe = (page: Page) => new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode()

/** One line for each rule and place, in the dark theme and then in the light one; an empty list is what we want. */
async function barriersHere(page: Page, where: string): Promise<string[]> {
  await wear(page, 'dark')
  const dark = await axe(page).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze()
  await wear(page, 'light')
  const light = await axe(page).withRules(rulesOfColors).analyze()
  await wear(page, 'dark')
  const sideways = await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth')
  return [
    ...[...dark.violations, ...light.violations].flatMap(({ id, nodes }) =>
      nodes.map((node) => `${where} ${id}: ${node.target.join(' ')} (${node.any[0]?.message ?? node.html})`),
    ),
    ...(sideways ? [`${where} scrolls sideways`] : []),
  ]
}

/** The first address on a page that the pattern finds, so that the demo shop may change. */
async function linkOn(page: Page, path: string, pattern: RegExp): Promise<string[]> {
  await page.goto(shop.url + path)
  const found = pattern.exec(await page.content())?.[1]
  return found ? [found] : []
}

/** What a visitor opens, folds out or gets told: the page stays where it is, its state changes. */
async function barriersInStates(page: Page, isPhone: boolean): Promise<string[]> {
  const barriers: string[] = []
  const note = async (where: string) => void barriers.push(...(await barriersHere(page, where)))

  // Wide screens show its links in a row and have no menu to open.
  if (isPhone) {
    await page.goto(`${shop.url}/about/`)
    await page.getByRole('button', { name: 'Menu' }).click()
    await note('the menu')
  }
  for (const path of ['/?category=bags', '/gallery/?q=wall', '/gallery/?q=nothing-like-it'])
    barriers.push(...(await barriersOn(page, path)))

  await page.goto(`${shop.url}/contact/?tab=mail`)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Name is required').or(page.locator('[aria-invalid=true]')).first().waitFor()
  await note('the contact form, refused')
  for (const tab of ['facebook', 'instagram', 'phone']) {
    await page.goto(`${shop.url}/contact/?tab=${tab}`)
    for (const fold of await page.getByRole('tabpanel').locator('summary').all()) if (await fold.isVisible()) await fold.click()
    await note(`the contact tab ${tab}, folded out`)
  }

  const ticket = openTicket(shop.dataDir)
  barriers.push(...(await barriersOn(page, `/writetestimonials/${ticket.id}/`)))
  await page.getByLabel('Email').fill(ticket.writerEmail)
  await page.getByRole('button', { name: 'Submit' }).waitFor()
  await note('an open ticket, its e-mail matched')

  await page.goto(`${shop.url}/login/`)
  await page.getByLabel('Email').fill('clara@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-her-password')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page
    .getByText(/invalid|wrong|incorrect|password/i)
    .first()
    .waitFor()
  await note('the login, refused')

  const [item] = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
  await page.goto(shop.url + item)
  await page.locator('figure li a').first().click()
  await page.getByRole('dialog').waitFor()
  await note('the zoomed picture')
  return barriers
}

/** What the item form says and asks: a draft that came back, two tabs, leaving. */
async function barriersOfItemForm(page: Page, path: string): Promise<string[]> {
  const barriers: string[] = []
  await page.goto(shop.url + path)
  const other = await page.context().newPage()
  await other.goto(shop.url + path)
  await page.getByLabel('Name *').fill('A name of mine')
  await other.getByLabel('Price *').fill(String(20 + Math.round(Math.random() * 900)))
  await other.getByRole('button', { name: 'Update Item' }).click()
  await page.getByText('This item was changed elsewhere meanwhile.').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, changed elsewhere')))
  await page.getByRole('button', { name: 'Update Item' }).click()
  await page.getByRole('button', { name: 'Keep mine' }).waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, two states')))
  await page.reload()
  await page.getByText('Your unsaved changes are back').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, a draft')))
  await page.getByRole('link', { name: 'Knots & Love' }).click()
  await page.getByRole('dialog').waitFor()
  barriers.push(...(await barriersHere(page, 'the item form, leaving')))
  await page.getByRole('button', { name: 'Leave' }).click()
  await other.close()
  return barriers
}

test.concurrent.for(sizes)('no barriers for visitors: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await openPage(size)
  const more = [
    ...(await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)),
    ...(await linkOn(page, '/gallery/', /href="(\/gallery\/[^"?/]+\/?)"/)),
  ]
  const barriers: string[] = []
  for (const path of [...visitorsPages, ...more]) barriers.push(...(await barriersOn(page, path)))
  barriers.push(...(await barriersInStates(page, size.width <= 768)))
  expect(barriers).toEqual([])
  await context.close()
})

test.concurrent.for(sizes)('no barriers for customers: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await openPage(size)
  await signIn(page, CLARA)
  const item = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
  const barriers: string[] = []
  for (const path of [...customersPages, ...item]) barriers.push(...(await barriersOn(page, path)))
  await page.goto(`${shop.url}/about/`)
  await page.getByRole('button', { name: 'Your account' }).click()
  barriers.push(...(await barriersHere(page, 'the profile menu')))
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /unread/ }).click()
  await page.getByRole('complementary').getByRole('textbox').waitFor()
  barriers.push(...(await barriersHere(page, 'the message panel')))
  expect(barriers).toEqual([])
  await context.close()
})

test.concurrent.for(sizes)('no barriers for the owner: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await openPage(size)
  await signIn(page, OWNER)
  const item = await linkOn(page, '/manage/item/?open=1~garlands', /href="(\/manage\/item\/[^"?/]+)[?]/)
  const conversation = await linkOn(page, '/manage/messages/', /href="(\/manage\/messages\/[^"?/]+\/?)"/)
  const barriers: string[] = []
  const papers = await linkOn(page, '/manage/sales/', /href="(\/manage\/sales\/?\?[^"]*receipt=[^"]+)"/)
  for (const path of [...ownersPages, ...item, ...conversation, ...papers.map((path) => path.replaceAll('&amp;', '&'))])
    barriers.push(...(await barriersOn(page, path)))
  expect(barriers).toEqual([])
  await context.close()
})

test.concurrent.for(sizes)(
  'no barriers in what the item form says: both themes, $width px',
  { timeout: PATIENCE },
  async (size, { expect }) => {
    const { context, page } = await openPage(size)
    await signIn(page, OWNER)
    const category = size.width > 768 ? 'bags' : 'coasters'
    const [form = ''] = await linkOn(page, `/manage/item/?open=1~${category}`, /href="(\/manage\/item\/\w[^"]*)"/)
    expect(await barriersOfItemForm(page, form.replaceAll('&amp;', '&'))).toEqual([])
    await context.close()
  },
)
