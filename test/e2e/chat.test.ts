import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isHydrated, newCustomer, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { using } from '#test/fixtures/processes.ts'
import { box, bubble, log, openAsOwner, send, texts, type } from '#test/pages/chat.ts'
import { focused, hold, overflow, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const openOwner = (name: string) =>
  here
    .open('/manage/', { as: OWNER })
    .then(async (owner) => (await openAsOwner(owner, name), owner))
const openPanel = (email: string, path = '/?messages=', viewport = { width: 1280, height: 800 }) =>
  here.open(path, { as: newCustomer(email), viewport })

/** Returns the stored read receipt of the user with this email address. */
function readMark(email: string) {
  const query = 'select m.seq from readReceipts m join user u on u.id = m.reader where u.email = ?'
  return using(here.shop.database, (db) => db.prepare(query).get(email)?.seq ?? null)
}
const colorOf = (page: Page, text: string) =>
  bubble(page, text).evaluate((element) => {
    const [r = 0, g = 0, b = 0] = getComputedStyle(element)
      .backgroundColor.match(/\d+/g)!
      .map(Number)
    return { blueness: b - Math.max(r, g), spread: Math.max(r, g, b) - Math.min(r, g, b) }
  })

test(
  'the chat shows only the reader’s own messages in blue [CHAT-02, CHAT-03]',
  { tags: ['core'] },
  async () => {
    const ann = await openPanel('ann@mail.test')
    await send(ann, 'Is the moon still there?')
    const owner = await openOwner('ann')
    await send(owner, 'It waits for you.')
    await bubble(ann, 'It waits for you.').waitFor()

    for (const [page, own, other] of [
      [ann, 'Is the moon', 'It waits'],
      [owner, 'It waits', 'Is the moon'],
    ] as const) {
      expect((await colorOf(page, own)).blueness).toBeGreaterThan(40)
      expect((await colorOf(page, other)).spread).toBeLessThan(30)
    }
  },
)

test('Enter sends a non-empty message once on a desktop, and breaks the line on a phone [OWN-81, S-172]', async () => {
  const bea = await openPanel('bea@mail.test')
  await box(bea).press('Enter')
  await box(bea).pressSequentially('  ')
  await box(bea).press('Enter')
  expect(await box(bea).inputValue()).toBe('  ')
  await box(bea).fill('')
  await box(bea).pressSequentially('first')
  await box(bea).press('Shift+Enter')
  await box(bea).pressSequentially('second')
  expect(await box(bea).inputValue()).toBe('first\nsecond')
  await box(bea).press('Enter')
  await box(bea).press('Enter')
  await bubble(bea, 'first').locator('time').waitFor()
  expect(await texts(bea)).toEqual(['first\nsecond'])
  expect(await box(bea).inputValue()).toBe('')

  const phone = await here.open('/', { viewport: PHONE, isMobile: true })
  await phone.context().addCookies(await bea.context().cookies())
  await phone.goto('/?messages=')
  await isHydrated(phone)
  await box(phone).pressSequentially('third')
  await box(phone).press('Enter')
  expect(await box(phone).inputValue()).toBe('third\n')
  await phone.getByRole('button', { name: 'Send' }).click()
  await bubble(bea, 'third').locator('time').waitFor()
  // The desktop browser may show the message before the phone receives the HTTP response. The
  // test therefore waits for the empty field.
  await expect.poll(() => box(phone).inputValue()).toBe('')
})

test('messages stay unread until the message panel has the focus [CHAT-10, NAV-48]', async () => {
  const cleo = await openPanel('cleo@mail.test')
  await send(cleo, 'Hello')
  await box(cleo).blur()
  const owner = await openOwner('cleo')
  await send(owner, 'Good morning')
  await bubble(cleo, 'Good morning').waitFor()
  expect(readMark('cleo@mail.test')).toBeNull()

  const marked = cleo.waitForResponse(
    (response) =>
      response.url().endsWith('/messages.data') && response.request().method() === 'POST',
  )
  await box(cleo).focus()
  await marked
  expect(readMark('cleo@mail.test')).toBe(2)
})

test('the message panel shows the newest message, or announces the message to a reader who has scrolled up [CHAT-06]', async () => {
  const dora = await openPanel('dora@mail.test', '/?messages=', { width: 1280, height: 500 })
  for (let i = 1; i <= 8; i++) await send(dora, `Message number ${i}`)
  await dora.reload()
  const isInSight = (text: string) =>
    bubble(dora, text).evaluate((element) => {
      const [inner, outer] = [
        element.getBoundingClientRect(),
        element.closest('[role=log]')!.getBoundingClientRect(),
      ]
      return inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1
    })
  await bubble(dora, 'number 8').waitFor()
  expect(await isInSight('number 8')).toBe(true)
  expect(await isInSight('number 1')).toBe(false)

  await log(dora).hover()
  await dora.mouse.wheel(0, -2000)
  const news = dora.getByRole('button', { name: 'New messages' })
  await expect.poll(() => isInSight('number 1')).toBe(true)
  const placeOf = (text: string) =>
    bubble(dora, text).evaluate((element) => Math.round(element.getBoundingClientRect().top))
  const before = await placeOf('number 1')
  expect(await news.count()).toBe(0)
  const toEnd = dora.getByRole('button', { name: 'To the end' })
  expect(await toEnd.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(
    'rgba(0, 0, 0, 0)',
  )
  const owner = await openOwner('dora')
  await send(owner, 'An answer')
  await news.waitFor()
  expect(await placeOf('number 1')).toBe(before)

  await news.click()
  await expect.poll(() => isInSight('An answer')).toBe(true)
  await expect.poll(() => news.count()).toBe(0)
})

test('after a reload, unsent messages show "Try again" and are sent once [CHAT-14, S-169, S-171]', async () => {
  const eva = await openPanel('eva@mail.test', '/about?messages=')
  await send(eva, 'before')
  await eva.route('**/messages', (route) => route.abort())
  for (const text of ['first', 'second', 'third']) await type(eva, text)
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' })
  await again(eva).nth(2).waitFor()
  await bubble(eva, 'third').getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => again(eva).count()).toBe(2)
  await box(eva).fill('half a thought')

  await eva.reload()
  await again(eva).nth(1).waitFor()
  expect(await box(eva).inputValue()).toBe('half a thought')
  await eva.unroute('**/messages')
  await eva.route('**/messages', async (route) => (await route.fetch(), route.abort()))
  await again(eva).first().click()
  await bubble(eva, 'first').locator('time').waitFor()
  await eva.close()

  const next = await eva.context().newPage()
  await next.goto('/?messages=')
  await bubble(next, 'second').locator('time').waitFor()
  expect(await texts(next)).toEqual(['before', 'first', 'second'])
  expect(await again(next).count()).toBe(0)
  expect(await box(next).inputValue()).toBe('half a thought')
})

test('a message that is too long stays in its field beside an error, even when typed before hydration [S-133, S-171]', async () => {
  const fay = await here.open('/about', { as: newCustomer('fay@mail.test') })
  const slow = await fay.context().newPage()
  const letScriptsCome = await hold(slow, '**/assets/*.js')
  await slow.goto('/?messages=', { waitUntil: 'commit' })
  const early = 'x'.repeat(10_000)
  await box(slow).fill(early)
  letScriptsCome()
  await isHydrated(slow)
  await slow.close()

  await fay.goto('/?messages=')
  expect((await box(fay).inputValue()) === early).toBe(true)
  await type(fay, `${early}x`)
  await fay.getByText('A message can have at most 10,000 characters').waitFor()
  expect((await box(fay).inputValue()) === `${early}x`).toBe(true)
})

test('the message panel closes by its button, Escape, Back or a tap outside, and keeps the rest of the URL [NAV-22, OWN-107]', async () => {
  const gina = await openPanel('gina@mail.test', '/about?from=card&messages=')
  const panel = gina.getByRole('complementary', { name: 'Messages' })
  await box(gina).press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => gina.url()).toBe(`${here.shop.url}/about?from=card`)

  await gina.goto('/contact?messages=')
  const letPageCome = await hold(gina, '**/contact.data*')
  await gina.getByRole('link', { name: 'Close messages' }).click()
  await panel.waitFor({ state: 'detached' })
  letPageCome()
  await expect.poll(() => gina.url()).toBe(`${here.shop.url}/contact`)

  await gina.setViewportSize(PHONE)
  await gina.goto('/about?messages=')
  expect(
    await panel.evaluate((element) => ({
      width: element.clientWidth,
      height: element.clientHeight,
    })),
  ).toEqual({
    width: PHONE.width,
    height: PHONE.height - 44,
  })
  await gina.goBack()
  await panel.waitFor({ state: 'detached' })
  await gina.goto('/about?messages=')
  await gina.mouse.click(180, 20)
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => gina.url()).toBe(`${here.shop.url}/about`)
})

test('on a phone, Tab stays in the message panel, and Escape returns the focus to the page [S-400]', async () => {
  const page = await here.open('/about', { as: newCustomer('jill@mail.test'), viewport: PHONE })
  const panel = page.getByRole('complementary', { name: 'Messages' })
  const tabOut = async () => {
    const isOut = () =>
      page.evaluate(
        () =>
          document.activeElement!.closest('main, header:not(aside header), footer, .skip') !== null,
      )
    for (let presses = 0; presses < 30; presses++) {
      await page.keyboard.press('Tab')
      if (await isOut()) return true
    }
    return false
  }
  await page.getByRole('link', { name: 'No unread messages' }).click()
  await panel.waitFor()
  expect(await tabOut()).toBe(false)
  await box(page).press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page)).toBe('No unread messages')
  expect(await page.locator('body > [inert]').count()).toBe(0)

  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'No unread messages' }).click()
  await panel.waitFor()
  expect(await tabOut()).toBe(true)
})

test('on a desktop, the message panel stays open while a customer searches the gallery or opens a tab of Contact, and the focus stays in her field [S-400]', async () => {
  const page = await openPanel('kira@mail.test', '/gallery/')
  const query = () => new URL(page.url()).search
  const panel = page.getByRole('complementary', { name: 'Messages' })
  await page.getByRole('link', { name: 'No unread messages' }).click()
  await panel.waitFor()
  await page.getByRole('searchbox', { name: 'Search pieces' }).click()
  await page.keyboard.type('wall')
  await soon(query).toBe('?q=wall&messages=')
  await page.keyboard.type(' hanging')
  await soon(query).toBe('?q=wall+hanging&messages=')
  await page.goBack()
  await soon(query).toBe('?messages=')
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  await soon(() => focused(page)).toBe('Search pieces')
  await page.goto('/gallery/?q=wall&messages=')
  await page.getByRole('link', { name: 'Clear all', exact: true }).click()
  await soon(query).toBe('?messages=')
  await page.getByRole('link', { name: 'Next', exact: true }).click()
  await page.waitForURL('**/gallery/?page=2&messages=#pieces')
  await page
    .getByRole('navigation', { name: 'Categories' })
    .getByRole('link', { name: 'Bags' })
    .click()
  await page.waitForURL('**/gallery/bags?messages=')
  await page.goto('/contact/?messages=')
  await page.getByRole('tab', { name: 'Phone' }).click()
  await soon(query).toBe('?tab=phone&messages=')
  await page.keyboard.press('ArrowLeft')
  await soon(query).toBe('?tab=mail&messages=')
  expect(await panel.count()).toBe(1)
})

test(
  'conversations and History show times in the reader’s time zone, even after a reload [OWN-108]',
  { tags: ['core'] },
  async () => {
    const hana = await here.open('/?messages=', {
      as: newCustomer('hana@mail.test'),
      timezoneId: 'Asia/Tokyo',
    })
    await send(hana, 'When is it for you?')
    const owner = await here.open('/manage/messages/', { as: OWNER, timezoneId: 'Asia/Kolkata' })
    await openAsOwner(owner, 'hana')
    const expectLocalTime = async (page: Page, time: Locator, timeZone: string) => {
      await page.reload()
      const at = new Date((await time.getAttribute('datetime'))!)
      const expected = at
        .toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })
        .replace(/\s/gu, ' ')
      await expect.poll(() => time.textContent()).toBe(expected)
      return expected
    }
    await expectLocalTime(hana, bubble(hana, 'When is it').locator('time'), 'Asia/Tokyo')
    const shown = await expectLocalTime(
      owner,
      bubble(owner, 'When is it').locator('time'),
      'Asia/Kolkata',
    )
    expect(await owner.getByRole('link', { name: 'hana' }).first().textContent()).toContain(shown)
    await owner.request.post('/manage/category/', {
      form: { intent: 'hide', id: 'garlands' },
      headers: { origin: here.shop.url },
    })
    await owner.goto('/manage/history/')
    await expectLocalTime(owner, owner.locator('time').first(), 'Asia/Kolkata')
    expect([...hana.errors, ...owner.errors]).toEqual([])
  },
)

test('"Select Message" opens the list of conversations on a phone, and a wide screen shows the list beside the open conversation [MSG-05]', async () => {
  const owner = await here.open('/manage/', { as: OWNER, viewport: { width: 768, height: 800 } })
  const list = owner.getByRole('navigation', { name: 'Conversations' })
  const select = owner.getByRole('button', { name: 'Select Message' })
  await openAsOwner(owner, 'Clara Whitfield')
  await list.waitFor({ state: 'hidden' })
  await owner.setViewportSize({ width: 360, height: 740 })
  expect((await log(owner).boundingBox())!.height).toBeGreaterThan(340)

  await select.click()
  await list.waitFor()
  await owner.setViewportSize({ width: 320, height: 640 })
  expect(await overflow(owner)).toBe(0)
  await owner.setViewportSize({ width: 769, height: 800 })
  expect(await list.isVisible()).toBe(true)
  expect(await select.isVisible()).toBe(false)
  expect(await log(owner).isVisible()).toBe(true)
})

test('a customer’s bell shows the unread count live, opens the message panel, and gets the focus when the panel closes [NAV-47, NAV-48]', async () => {
  const ida = await here.open('/about', { as: newCustomer('ida@mail.test') })
  const form = { intent: 'send', message: 'Hello', back: '/' }
  await ida.request.post('/messages', { form, headers: { origin: here.shop.url }, maxRedirects: 0 })
  const owner = await openOwner('ida')
  await send(owner, 'one')
  await send(owner, 'two')
  await ida.getByRole('link', { name: '2 unread messages' }).click()

  const panel = ida.getByRole('complementary', { name: 'Messages' })
  await panel.waitFor()
  expect(ida.url()).toMatch(/\/about\?messages=?$/)
  await ida.getByRole('link', { name: 'No unread messages' }).waitFor()
  await ida.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  await expect.poll(() => focused(ida)).toBe('No unread messages')
})
