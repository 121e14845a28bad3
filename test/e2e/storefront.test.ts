import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import pages from '#demo/pages.json' with { type: 'json' }
import { newCustomer, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { hold, openStopped, overflow, pathOf, soon } from '#test/pages/shop.ts'

const suffixWords = pages.home.homeWords
const here = shopAndBrowser({ isShared: true })

const CALM = { reducedMotion: 'reduce' } as const
const heart = (page: Page, name: string) =>
  page.getByRole('button', { name: `Favorite: ${name}` }).first()

test(
  'the headline shows each of sixteen words for 5 s, and stops when paused, hovered, focused or in a hidden tab [HOME-05, HOME-06, HOME-07]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, '/')
    const word = page.getByTestId('suffix')
    const stop = page.getByRole('button', { name: 'Pause the changing words' })
    const go = page.getByRole('button', { name: 'Resume the changing words' })
    await stop.click()
    const first = suffixWords.indexOf((await word.textContent())!)
    await page.clock.runFor(20_000)
    expect(await word.textContent()).toBe(suffixWords[first])

    await go.click()
    await stop.waitFor()
    for (let turn = 1; turn <= 16; turn++) {
      await page.clock.runFor(4999)
      expect(await word.textContent()).toBe(suffixWords[(first + turn - 1) % 16])
      await page.clock.runFor(1)
      expect(await word.textContent()).toBe(suffixWords[(first + turn) % 16])
    }

    await word.hover()
    await page.clock.runFor(20_000)
    expect(await word.textContent()).toBe(suffixWords[first])

    await page.getByRole('link', { name: 'Browse the gallery' }).focus()
    await page.mouse.move(5, 790)
    await page.clock.runFor(20_000)
    expect(await word.textContent()).toBe(suffixWords[first])

    await page.getByRole('link', { name: 'Browse the gallery' }).blur()
    await page.evaluate(() =>
      Object.defineProperty(document, 'hidden', { value: true, configurable: true }),
    )
    await page.clock.runFor(20_000)
    expect(await word.textContent()).toBe(suffixWords[first])
  },
)

test('the word in the headline does not change for visitors who prefer reduced motion [HOME-05]', async () => {
  const page = await openStopped(here, '/', CALM)
  await page.clock.runFor(30_000)

  expect(await page.getByTestId('suffix').textContent()).toBe(suffixWords[0])
  expect(await page.getByRole('button', { name: 'Pause the changing words' }).count()).toBe(0)
})

test('if the owner enters only one changing word, the headline does not change and has no pause button [OWN-12]', async () => {
  const owner = await here.open('/manage/home/', { ...CALM, as: OWNER })
  await owner.getByLabel('Words that take turns after it').fill('for all')
  await owner.getByRole('button', { name: 'Save', exact: true }).click()
  await owner.getByRole('status').getByText('Saved').waitFor()
  const page = await openStopped(here, '/')
  const word = await page.getByTestId('suffix').elementHandle()
  await page.clock.runFor(30_000)
  expect(await word!.textContent()).toBe('for all')
  expect(await word!.evaluate((shown) => shown.isConnected)).toBe(true)
  expect(await page.getByRole('button', { name: /the changing words/ }).count()).toBe(0)
})

test('a click on a circle of the showcase moves the circle to the front and shows a link to its category [HOME-02, HOME-03, HOME-04]', async () => {
  const page = await here.open('/', CALM)
  const circle = page.getByRole('link', { name: 'Bags', exact: true })
  await circle.click()

  const top = async (name: string) =>
    (await page.getByRole('link', { name, exact: true }).boundingBox())!.y
  await soon(async () => (await top('Bags')) < (await top('Wall Hangings'))).toBe(true)
  expect(await circle.getAttribute('aria-current')).toBe('true')
  await page.getByRole('link', { name: 'See Bags in the gallery' }).click()
  await soon(() => pathOf(page)).toBe('/gallery/bags')
})

test('"View All" shows every color on the page, and "Show fewer" shows twelve colors again [HOME-13, HOME-14, S-025, OWN-100]', async () => {
  const page = await here.open('/', CALM)
  const colors = page.locator('#colors li')
  expect(await colors.count()).toBe(12)

  await page.getByRole('button', { name: 'View All' }).click()
  await soon(() => colors.count()).toBe(18)
  await page.getByRole('button', { name: 'Show fewer' }).click()
  await soon(() => colors.count()).toBe(12)
})

test('the categories of the gallery are a panel at 768 px, and a list at the side at 769 px [GALLERY-01, GALLERY-03, GALLERY-04, GALLERY-05]', async () => {
  const page = await here.open('/gallery/', { ...CALM, viewport: { width: 768, height: 800 } })
  const panel = page.locator('details', { hasText: 'Categories' })
  const inPanel = panel.getByRole('link', { name: 'Coasters' })
  expect(await inPanel.isVisible()).toBe(true)
  expect(await page.getByRole('heading', { name: 'Categories' }).isVisible()).toBe(false)

  await inPanel.click()
  await page.getByRole('heading', { level: 1, name: 'Coasters' }).waitFor()
  expect(await inPanel.isVisible()).toBe(false)
  await panel.locator('summary').click()
  expect(await inPanel.isVisible()).toBe(true)

  await panel.locator('summary').click()
  await page.setViewportSize({ width: 769, height: 800 })
  expect(await panel.locator('summary').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { name: 'Categories' }).isVisible()).toBe(true)
  await page.getByRole('link', { name: 'Earrings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Earrings' }).waitFor()
})

test('a clicked heart fills immediately in all browser tabs, and removing the last favorite moves the focus to the heading [GALLERY-11, FAV-02, FAV-03]', async () => {
  const page = await here.open('/gallery/garlands', { ...CALM, as: newCustomer('heart@mail.test') })
  const name = (await page.locator('article h2').first().textContent())!
  const other = await page.context().newPage()
  await other.goto('/gallery/garlands')

  const letGo = await hold(page, '**/favourite.data*')
  await heart(page, name).click()
  await soon(() => heart(page, name).getAttribute('aria-pressed')).toBe('true')
  expect(await heart(other, name).getAttribute('aria-pressed')).toBe('false')
  letGo()
  await soon(() => heart(other, name).getAttribute('aria-pressed')).toBe('true')

  await page.goto('/gallery/?favorites')
  await heart(page, name).click()
  await page.getByText('No favorites yet.').waitFor()
  await soon(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1')
})

test(
  'a favorite is saved even if the customer marks it just before she leaves the page [OWN-87]',
  { tags: ['core'] },
  async () => {
    const page = await here.open('/gallery/', { ...CALM, as: newCustomer('hasty@mail.test') })
    const hearts = page.getByRole('main').getByRole('button', { name: /^Favorite: / })
    await page.evaluate(() => {
      for (const heart of [
        ...document.querySelectorAll<HTMLElement>('main button[name=itemId]'),
      ].slice(0, 8)) {
        heart.click()
      }
      location.assign('/about/')
    })
    await page.waitForURL('**/about/')
    await page.goto('/gallery/?favorites')
    await soon(() => hearts.count()).toBe(8)
  },
)

test.each(['/', '/gallery/', '/gallery/bags', '/item/sunflower-coaster'])(
  'at 320 px %s does not scroll sideways',
  async (path) => {
    const page = await here.open(path, { viewport: { width: 320, height: 640 } })
    expect(await overflow(page)).toBe(0)
  },
)

test('the browser can install the shop as an app', async () => {
  const page = await here.open('/')
  const devtools = await page.context().newCDPSession(page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data!).name).toBe('Knots & Love')
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // The only allowed error is that a private window cannot install the shop.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
})

test('each page has its own tags in the document head, and each tag appears once', async () => {
  const page = await here.open('/item/market-day-net-bag?utm_source=newsletter')
  const one = (selector: string, attribute: string) =>
    page.evaluate(
      ([wanted, name]) => {
        const found = [...document.head.querySelectorAll(wanted!)]
        return found.length === 1 ? found[0]!.getAttribute(name!) : `${found.length} times`
      },
      [selector, attribute],
    )
  const products = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('script[type="application/ld+json"]')]
        .map((script) => JSON.parse(script.textContent!) as { '@type': string; name?: string })
        .filter((document) => document['@type'] === 'Product')
        .map(({ name }) => name),
    )
  const expectHeadOf = async (name: string, path: string) => {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expect
      .poll(() => one('link[rel=canonical]', 'href'), { timeout: 30_000 })
      .toBe(`${here.shop.url}${path}`)
    expect(await one('meta[property="og:url"]', 'content')).toBe(`${here.shop.url}${path}`)
    expect(await one('meta[property="og:title"]', 'content')).toBe(name)
    expect(await one('meta[name=description]', 'content')).toMatch(/^.{50,160}$/)
    expect(await page.title()).toBe(`${name} — Knots & Love`)
  }
  await expectHeadOf('Market Day Net Bag', '/item/market-day-net-bag')
  expect(await products()).toEqual(['Market Day Net Bag'])

  await page.getByRole('link', { name: 'Gallery' }).first().click()
  await expectHeadOf('Everything Handmade', '/gallery/')
  expect(await products()).toEqual([])

  await page.locator('article a', { hasText: 'Porch Key Chain' }).first().click()
  await expectHeadOf('Porch Key Chain', '/item/porch-key-chain')
  expect(await products()).toEqual(['Porch Key Chain'])
  expect(page.errors).toEqual([])
})

test('"Back to Top" scrolls to the top of the page [HOME-17]', async () => {
  const page = await here.open('/', { ...CALM, viewport: PHONE })
  const back = page.getByRole('link', { name: 'Back to Top' })
  await back.scrollIntoViewIfNeeded()
  await soon(() => page.evaluate(() => scrollY)).toBeGreaterThan(500)
  await back.click()
  await soon(() => page.evaluate(() => scrollY)).toBe(0)
})
