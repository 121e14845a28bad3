import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { DESK, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, hasFocus, openSender, openStopped, overflow, soon } from '#test/pages/shop.ts'
import { addTestimonies } from '#test/pages/testimonials.ts'

const here = shopAndBrowser({ isShared: true })

const slide = (page: Page) => page.locator('[aria-roledescription=slide]:not([inert])')
const label = (page: Page) => slide(page).getAttribute('aria-label')
const shows = (page: Page, name: string) => page.getByRole('group', { name }).waitFor()
const writer = (page: Page) => slide(page).getByRole('heading').textContent()
const reads = (page: Page, name: string) =>
  slide(page).getByRole('heading', { name, exact: true }).waitFor()
const writers = (page: Page) => page.locator('[aria-roledescription=slide] h2').allTextContents()
const movePointerAway = (page: Page) => page.mouse.move(1, 1)

async function backToFirst(page: Page): Promise<string[]> {
  const names = await writers(page)
  for (let step = names.indexOf((await writer(page))!); step > 0; step--) {
    await page.getByRole('link', { name: `Previous writer: ${names[step - 1]}` }).click()
    await reads(page, names[step - 1]!)
  }
  await movePointerAway(page)
  return names
}

test(
  'the About slides change every 10 s, and a visitor can choose a slide by its dot and pause the slides [ABOUT-04, ABOUT-05, S-028]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, '/about/')
    await page.getByRole('link', { name: 'Slide 4' }).click()
    await movePointerAway(page)
    await shows(page, '4 of 5')
    await page.clock.runFor(9999)
    expect(await label(page)).toBe('4 of 5')
    await page.clock.runFor(1)
    await shows(page, '5 of 5')
    expect(await page.getByRole('link', { name: 'Slide 5' }).getAttribute('aria-current')).toBe(
      'true',
    )
    await page.clock.runFor(10_000)
    await shows(page, '1 of 5')
    await page.getByRole('button', { name: 'Pause' }).click()
    await movePointerAway(page)
    await page.clock.runFor(60_000)
    expect(await label(page)).toBe('1 of 5')
    await page.getByRole('button', { name: 'Play' }).click()
    await movePointerAway(page)
    await page.clock.runFor(10_000)
    await shows(page, '2 of 5')
    expect(page.errors).toEqual([])
  },
)

test(
  'each picture of the About slides is loaded before its slide appears [OWN-102]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, '/about/')
    const isLoaded = (index: number) =>
      page
        .locator('[aria-roledescription=slide] img')
        .nth(index)
        .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
    const first = Number((await label(page))![0])
    for (let at = first; at < 5; at++) {
      await soon(() => isLoaded(at)).toBe(true)
      expect(await label(page)).toBe(`${at} of 5`)
      await page.clock.runFor(10_000)
      await shows(page, `${at + 1} of 5`)
    }
  },
)

test('the About slides stay unchanged while hovered, while focused and in a hidden browser tab [ABOUT-04]', async () => {
  const page = await openStopped(here, '/about/')
  const staysFor = async (time: number) => {
    await page.clock.runFor(time)
    expect(await label(page)).toBe('1 of 5')
  }
  await page.getByRole('link', { name: 'Slide 1' }).click()
  await page.getByRole('group', { name: '1 of 5' }).hover()
  await staysFor(30_000)
  await movePointerAway(page)
  await page.getByRole('link', { name: 'Slide 1' }).focus()
  await page.keyboard.press('Tab')
  await staysFor(30_000)
  await page.getByRole('link', { name: 'Write to me' }).focus()
  const hide = (isHidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, isHidden)
  await hide(true)
  await staysFor(30_000)
  await hide(false)
  await page.clock.runFor(10_000)
  await shows(page, '2 of 5')
})

test('the About slides do not change for visitors who prefer reduced motion [ABOUT-04]', async () => {
  const page = await openStopped(here, '/about/', { reducedMotion: 'reduce' })
  await page.clock.runFor(60_000)
  expect(await label(page)).toBe('1 of 5')
  expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(1)
})

test('a visitor can change the About slides by arrow keys and links [ABOUT-05]', async () => {
  const page = await here.open('/about/#slide-3')
  await shows(page, '3 of 5')
  await page.locator('[aria-live][tabindex="0"]').focus()
  await page.keyboard.press('ArrowRight')
  await shows(page, '4 of 5')
  await page.keyboard.press('Home')
  await shows(page, '1 of 5')
  expect(await label(page)).toBe('1 of 5')
})

test.each([
  { path: '/about/', viewport: PHONE },
  { path: '/about/', viewport: DESK },
  { path: '/testimonials/', viewport: PHONE },
  { path: '/testimonials/', viewport: DESK },
])(
  'without JavaScript, the slides of $path are listed vertically at $viewport.width px [S-028, S-042]',
  async ({ path, viewport }) => {
    const page = await here.open(path, { javaScriptEnabled: false, viewport })
    const tops = await Promise.all(
      (await page.getByRole('group').all()).map(async (one) => (await one.boundingBox())!.y),
    )
    expect(tops.length).toBeGreaterThanOrEqual(5)
    expect(new Set(tops).size).toBe(tops.length)
    expect(tops).toEqual(tops.toSorted((one, other) => one - other))
    expect(await overflow(page)).toBe(0)
  },
)

test(
  'the carousel fades to the next testimony every 7 s, counted from the visitor’s last choice [TESTI-02, TESTI-03]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, '/testimonials/')
    const names = await backToFirst(page)
    const fade = await slide(page).evaluate((element) => {
      const { transitionProperty, transitionDuration } = getComputedStyle(element)
      return [transitionProperty, transitionDuration]
    })
    expect(fade).toEqual(['opacity', '0.3s'])

    await page.clock.runFor(6999)
    await page.getByRole('link', { name: `Next writer: ${names[1]}` }).click()
    await movePointerAway(page)
    await reads(page, names[1]!)
    await page.clock.runFor(6999)
    expect(await writer(page)).toBe(names[1])
    await page.clock.runFor(1)
    await reads(page, names[2]!)
    for (const name of [names[1]!, names[0]!, names.at(-1)!]) {
      await page.getByRole('link', { name: `Previous writer: ${name}` }).click()
      await reads(page, name)
    }
    await movePointerAway(page)
    await page.clock.runFor(7000)
    await reads(page, names[0]!)

    await page.getByRole('button', { name: 'Pause' }).click()
    await movePointerAway(page)
    await page.clock.runFor(60_000)
    expect(await writer(page)).toBe(names[0])
    expect(page.errors).toEqual([])
  },
)

test('the link to the next testimony keeps the focus after Enter, and Tab reaches only the visible testimony [TESTI-05, S-042]', async () => {
  const page = await here.open('/testimonials/')
  const names = await writers(page)
  const next = page.getByRole('link', { name: /^Next writer/ })
  await next.focus()
  for (const name of [names[1]!, names[2]!]) {
    await page.keyboard.press('Enter')
    await reads(page, name)
    expect(await hasFocus(next)).toBe(true)
  }
  await page.getByRole('link', { name: /^Previous writer/ }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  const slideOfFocus = () =>
    document.activeElement?.closest('[aria-roledescription=slide]')?.querySelector('h2')
      ?.textContent
  expect(await page.evaluate(slideOfFocus)).toBe(names[2])
})

test.for([PHONE, DESK])(
  'at $width px a long testimony does not change the layout, and a visitor can open its full text [TESTI-07]',
  async (viewport) => {
    const long = 'The rope is soft and the knots are tight. '.repeat(50).slice(0, 2000).trim()
    const name = 'Maximiliana Featherstonehaugh-Wolfeschlegelstein'
    const ids = [`long-${viewport.width}`, `short-${viewport.width}`] as const
    addTestimonies(
      here.shop,
      { id: ids[0], name, text: long, at: 2000 },
      { id: ids[1], name: 'Bo', text: 'Lovely.', at: 1000 },
    )
    const send = await openSender(here, OWNER)
    const moderate = async (intent: 'show' | 'hide') => {
      for (const id of ids) {
        expect((await send('/manage/testimonials/', { intent, id })).status()).toBe(200)
      }
    }
    await moderate('show')
    onTestFinished(() => moderate('hide'))
    const page = await openStopped(here, '/testimonials/', { viewport })
    const places = () =>
      Promise.all(
        [
          page.getByRole('contentinfo'),
          page.getByRole('link', { name: /^Next writer/ }),
          slide(page),
        ].map(async (part) => {
          const { y, height } = (await part.boundingBox())!
          return { y, height }
        }),
      )
    expect((await backToFirst(page)).slice(0, 2)).toEqual([name, 'Bo'])
    const before = await places()
    expect(before[2]!.height).toBeLessThan(viewport.height)

    await slide(page).getByRole('button', { name: 'Read all' }).click()
    const dialog = page.getByRole('dialog', { name: /Maximiliana/ })
    expect((await dialog.getByText(long).textContent())!.length).toBe(long.length)
    await movePointerAway(page)
    await page.clock.runFor(60_000)
    expect(await dialog.isVisible()).toBe(true)
    expect(await overflow(page)).toBe(0)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('link', { name: 'Next writer: Bo' }).click()
    await reads(page, 'Bo')
    expect(await places()).toEqual(before)
    expect(await slide(page).getByRole('button', { name: 'Read all' }).count()).toBe(0)
  },
)

test(
  'the testimony carousel keeps the shown testimony, the focus and the pause when the owner publishes a testimony [S-039, S-042, TESTI-31]',
  { tags: ['core'] },
  async () => {
    addTestimonies(here.shop, {
      id: 'late',
      name: 'Late Writer',
      text: 'Better than never.',
      at: 5000,
    })
    const owner = await here.open('/manage/testimonials/', { as: OWNER })
    const visitor = await here.open('/testimonials/')
    const text = visitor.getByText('Better than never.')
    await visitor.getByRole('button', { name: 'Pause' }).click()
    await visitor.getByRole('link', { name: 'Next writer' }).focus()
    const before = await writer(visitor)
    // Slows the browser down. A slow phone updates the list of testimonies long before it measures
    // the slides.
    const tools = await visitor.context().newCDPSession(visitor)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 20 })
    await owner.getByRole('button', { name: 'Show what Late Writer wrote' }).click()
    await text.waitFor({ state: 'attached' })
    await reads(visitor, before!)
    await tools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await reads(visitor, before!)
    expect(await focused(visitor)).toMatch(/^Next writer: /)
    expect(await visitor.getByRole('button', { name: 'Play' }).count()).toBe(1)
    expect((await backToFirst(visitor))[0]).toBe('Late Writer')

    await visitor.getByRole('button', { name: 'Play' }).focus()
    await owner.getByRole('button', { name: 'Hide what Late Writer wrote' }).click()
    await text.waitFor({ state: 'detached' })
    await slide(visitor).getByRole('heading').waitFor()
    expect(await focused(visitor)).toBe('Play')
    expect([...owner.errors, ...visitor.errors]).toEqual([])
  },
)
