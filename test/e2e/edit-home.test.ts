import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { corners } from '#test/fixtures/images.ts'
import { hold, isInert, openFormByLink, openSender, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const open = (path: string) => here.open(path, { as: OWNER, viewport: PHONE })
const prompt = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })

test(
  'the preview of Home shows unsaved texts in a new tab, and the form asks before the owner leaves without saving [OWN-16, OWN-17]',
  { tags: ['core'] },
  async () => {
    const owner = await open('/manage/home/')
    const headline = owner.getByLabel('Beginning of the headline')
    await headline.fill('Tied by the sea')
    const [preview] = await Promise.all([
      owner.context().waitForEvent('page'),
      owner.getByRole('button', { name: 'Preview in a new tab' }).click(),
    ])
    await preview.getByRole('heading', { level: 1, name: 'Tied by the sea' }).waitFor()
    await preview.getByText('Nothing has been saved.').waitFor()
    await preview.close()

    const leave = () => owner.getByRole('link', { name: 'See it in the shop' }).click()
    await leave()
    await prompt(owner).getByRole('button', { name: 'Stay' }).click()
    expect(await headline.inputValue()).toBe('Tied by the sea')
    await owner.getByRole('button', { name: 'Save', exact: true }).last().click()
    await owner.getByText('Saved', { exact: true }).waitFor()
    await leave()
    await owner.getByRole('heading', { level: 1, name: 'Tied by the sea' }).waitFor()
    expect(owner.errors).toEqual([])
  },
)

test('the open form of Home shows texts that the owner saves on another device, and after a save she cannot type until the page has loaded the saved texts [S-470, S-471]', async () => {
  const owner = await open('/manage/')
  const send = await openSender(here, OWNER)
  const stored = await openFormByLink(owner, '/manage/home/', '#page-texts')
  const [headline, lead] = [owner.locator('#homeHeadline'), owner.locator('#homeLead')]
  const circle = owner.locator('form:has([id^=title-])').first()
  const title = circle.locator('[name=title]')
  await send('/manage/home/', {
    intent: 'save-circle',
    id: await circle.locator('[name=id]').inputValue(),
    title: 'For the beach',
  })
  await soon(() => title.inputValue()).toBe('For the beach')
  await headline.fill('Tied by a lake')
  await send('/manage/home/', { ...stored, homeLead: 'Knots from the coast' })
  await soon(() => lead.inputValue()).toBe('Knots from the coast')
  expect(await headline.inputValue()).toBe('Tied by a lake')

  const letGo = await hold(owner, /home.*\.data/, 'GET')
  await owner.getByRole('button', { name: 'Save', exact: true }).last().click()
  await owner.getByText('Saved', { exact: true }).waitFor()
  expect(await headline.inputValue()).toBe('Tied by a lake')
  expect(await isInert(headline)).toBe(true)
  letGo()
  await soon(() => isInert(headline)).toBe(false)
  expect(await headline.inputValue()).toBe('Tied by a lake')
  await owner.getByRole('link', { name: 'See it in the shop' }).click()
  await owner.getByRole('heading', { level: 1, name: 'Tied by a lake' }).waitFor()
})

test('the form of the About page keeps refused texts, focuses the first refused text, and asks before the owner leaves [OWN-15, OWN-17]', async () => {
  const owner = await open('/manage/about/')
  await owner.locator('#slideTitle2').fill('')
  await owner.locator('#slideText4').fill('A new text')
  await owner.locator('#slideAlt5').fill(' ')
  await owner.getByRole('button', { name: 'Save' }).click()
  await owner.locator('#slideTitle2-error').waitFor()
  await soon(() => owner.evaluate(() => document.activeElement?.id)).toBe('slideTitle2')
  expect(await owner.locator('#slideAlt5-error').count()).toBe(1)
  expect(await owner.locator('#slideText4').inputValue()).toBe('A new text')
  await owner.getByRole('link', { name: 'See it in the shop' }).click()
  await prompt(owner).getByRole('button', { name: 'Leave' }).click()
  await owner.waitForURL(/\/about\/?$/)
})

test(
  'the form of the Home page never sends a picture that its field refused, even after the owner chooses the default picture [OWN-130]',
  { tags: ['core'] },
  async () => {
    const owner = await open('/manage/home/')
    const form = owner
      .locator('form')
      .filter({ has: owner.getByText('Wallpaper of the dark theme', { exact: true }) })
    const upload = (buffer: Buffer) =>
      form
        .getByLabel('Wallpaper of the dark theme', { exact: true })
        .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    const back = form.getByRole('button', { name: 'Back to the default' })
    await upload(await corners(400, 300).png().toBuffer())
    await back.waitFor()
    const sent: number[] = []
    owner.on(
      'request',
      (request) => request.method() === 'POST' && sent.push(request.postDataBuffer()?.length ?? 0),
    )

    await upload(Buffer.alloc(20_000_000))
    await form.getByText('This file is larger than 10 MB.').waitFor()
    await back.click()
    await back.waitFor({ state: 'detached' })

    expect(sent).toEqual([expect.any(Number)])
    expect(sent[0]).toBeLessThan(10_000)
  },
)

test('the owner moves a category circle of the home page by keyboard, and visitors see the new sequence [OWN-08]', async () => {
  const owner = await open('/manage/home/')
  const order = () =>
    owner
      .getByRole('list', { name: 'Order of the circles' })
      .getByRole('heading', { level: 3 })
      .allTextContents()
  const [first, second] = await order()
  await owner.getByRole('button', { name: `Move ${first!}`, exact: true }).focus()
  const announcement = owner.getByRole('status').filter({ hasText: first! }).first()
  for (const [key, said] of [
    ['Space', 'picked up'],
    ['ArrowDown', 'position 2'],
    ['Space', 'dropped'],
  ] as const) {
    await owner.keyboard.press(key)
    await soon(() => announcement.textContent()).toContain(said)
  }
  await soon(async () => (await order()).slice(0, 2)).toEqual([second, first])
  const visitor = await here.open('/', { viewport: PHONE })
  await soon(() =>
    visitor
      .getByRole('region', { name: 'Categories' })
      .getByRole('listitem')
      .first()
      .getByRole('link')
      .getAttribute('title'),
  ).toBe(second)
})

const harsh = [['dark', 'white'] as const, ['light', 'black'] as const]
test.each(harsh)(
  'in the %s theme the headline of Home is readable over a %s wallpaper, which is uploaded when the owner chooses it [OWN-127, OWN-138]',
  { tags: ['core'] },
  async (theme, background) => {
    const owner = await here.open('/manage/home/', {
      as: OWNER,
      viewport: PHONE,
      reducedMotion: 'reduce',
    })
    const buffer = await sharp({ create: { width: 1200, height: 700, channels: 3, background } })
      .png()
      .toBuffer()
    await owner
      .getByLabel(`Wallpaper of the ${theme} theme`, { exact: true })
      .setInputFiles({ name: 'wall.png', mimeType: 'image/png', buffer })
    await owner.getByRole('status').getByText('Picture saved').waitFor()
    await owner.context().addCookies([{ name: 'theme', value: theme, url: here.shop.url }])
    await owner.goto('/')
    const headline = owner.getByRole('heading', { level: 1 })
    await headline.evaluate((shown) => (shown.style.opacity = '0'))
    const { channels } = await sharp(await headline.screenshot())
      .removeAlpha()
      .stats()
    // If the wallpaper has a brightness within these limits, the headline has a contrast of at
    // least 7 to 1 with the wallpaper.
    if (theme === 'dark') expect(Math.max(...channels.map(({ max }) => max))).toBeLessThan(75)
    else expect(Math.min(...channels.map(({ min }) => min))).toBeGreaterThan(190)
  },
)
