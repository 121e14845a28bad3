// Opens the settings on a phone, and checks how the owner's choices change the shop.
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { CLARA, DESK, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import {
  hold,
  isInert,
  openFormByLink,
  openSender,
  overflow,
  soon,
  toast,
} from '#test/pages/shop.ts'

/** No mail server uses this port, so each email fails. */
const here = shopAndBrowser({ demo: true, env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
const openSettings = () => here.open('/manage/settings/', { as: OWNER, viewport: PHONE })
const toggle = (page: Page, section: string) =>
  page.locator('summary').getByText(section, { exact: true }).click()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

async function saveSetting(page: Page, label: string, value: string) {
  await page.getByLabel(label, { exact: true }).fill(value)
  await save(page)
  await page.getByText('Settings saved').waitFor()
}

async function areApart(one: Locator, other: Locator) {
  const [a, b] = await Promise.all([one.boundingBox(), other.boundingBox()])
  return a!.y + a!.height <= b!.y || b!.y + b!.height <= a!.y
}

test(
  'a refused settings form opens each section with an error, and no toast covers the focused first error [OWN-20, OWN-28, OWN-120]',
  { tags: ['core'] },
  async () => {
    const page = await openSettings()
    const terms = page.getByLabel('Terms and Conditions')
    for (const section of ['Contact', 'Texts']) await toggle(page, section)
    await page.getByLabel('Instagram page').fill('not a page')
    await terms.fill('')
    for (const section of ['Contact', 'Texts']) await toggle(page, section)
    await save(page)
    const toast = page.getByRole('button', { name: 'Please check 2 fields' })
    await toast.waitFor()
    const first = page.getByLabel('Instagram page')
    await expect.poll(() => first.evaluate((field) => field === document.activeElement)).toBe(true)
    await expect.poll(() => areApart(toast, first)).toBe(true)
    expect(await page.getByText('Please fill in the Terms and Conditions').isVisible()).toBe(true)
    expect(await page.getByText('Please enter the Instagram page').isVisible()).toBe(true)
  },
)

test('a link that names a section of the settings opens this section [OWN-120]', async () => {
  const page = await here.open('/manage/settings/#contact', { as: OWNER, viewport: PHONE })
  await page.getByLabel('Instagram page').waitFor()
  expect(await page.getByLabel('Terms and Conditions').isVisible()).toBe(false)
})

test('the shop asks before the owner leaves a form with changes, and does not ask after a save [OWN-31]', async () => {
  const page = await openSettings()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const toShop = page.getByRole('link', { name: 'See it in the shop' })
  await toggle(page, 'Contact')
  await page.getByLabel('Instagram page').fill('@other.name')
  await toShop.click()
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(await page.getByLabel('Instagram page').inputValue()).toBe('@other.name')
  await save(page)
  await page.getByText('Settings saved').waitFor()
  await expect
    .poll(() => page.getByLabel('Instagram page').inputValue())
    .toBe('https://www.instagram.com/other.name')
  await toShop.click()
  await page.waitForURL((url) => url.pathname === '/')

  await page.goto('/manage/messages/')
  const clara = await page
    .getByRole('link', { name: 'Clara Whitfield' })
    .first()
    .getAttribute('href')
  const field = page.locator('[name=message], [name=buyerName], [name=user], [name=awayText]')
  for (const path of [
    clara!.replace('messages', 'offer'),
    '/manage/sales/add/',
    '/manage/mail/',
    '/manage/replies/',
  ]) {
    await page.goto(path)
    await field.fill('Half a word')
    await page.getByRole('banner').getByRole('link').first().click()
    await question.getByRole('button', { name: 'Leave' }).click()
  }
})

test('the form for a new saved reply keeps its text while the owner deletes another reply, and is empty after its own save [S-475]', async () => {
  const page = await here.open('/manage/replies/', { as: OWNER })
  const [fold, kept] = [
    (title: string) => page.locator('summary', { hasText: title }),
    page.locator('details', { hasText: 'Add a reply' }),
  ]
  const name = kept.getByLabel('Name')
  await name.fill('Shipping')
  await kept.getByLabel('Reply', { exact: true }).fill('I ship on Fridays.')
  await kept.getByRole('button', { name: 'Add', exact: true }).click()
  await fold('Shipping').click()
  expect(await name.inputValue()).toBe('')

  await fold('Add a reply').click()
  await name.fill('Half a word')
  await page.getByRole('button', { name: 'Delete Shipping' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  await fold('Shipping').waitFor({ state: 'detached' })
  expect(await name.inputValue()).toBe('Half a word')
})

test('the mailbox form keeps what the owner typed when the shop can no longer send emails [S-475]', async () => {
  const page = await here.open('/manage/mail/', { as: OWNER })
  const failing = page.getByText('Your mailbox did not accept the last email.')
  expect(await failing.count()).toBe(0)
  const address = page.getByLabel('Email address of the mailbox')
  await address.fill('ida@gmail.com')
  await page.getByLabel('Mail server').fill('smtp.example.com')
  await page.request.post('/reset-password/', {
    form: { email: CLARA.email },
    headers: { origin: here.shop.url },
  })
  await failing.waitFor()
  expect(await page.getByLabel('Mail server').inputValue()).toBe('smtp.example.com')
})

test('typing the address of the mailbox fills in its server and port, but never overwrites what the owner typed [OWN-150]', async () => {
  const page = await here.open('/manage/mail/', { as: OWNER })
  const address = page.getByLabel('Email address of the mailbox')
  const [server, port] = [page.getByLabel('Mail server'), page.getByLabel('Port')]
  await address.pressSequentially('ida@gmail.com')
  expect(await server.inputValue()).toBe('smtp.gmail.com')
  expect(await port.inputValue()).toBe('465')
  await address.fill('ida@me.com')
  await soon(() => server.inputValue()).toBe('smtp.mail.me.com')
  expect(await port.inputValue()).toBe('587')
  await page.getByText('Apple wants an app-specific password').waitFor()

  await server.fill('smtp.knots.test')
  await address.fill('ida@aol.com')
  await page.getByText('AOL wants an app password').waitFor()
  expect(await server.inputValue()).toBe('smtp.knots.test')
  expect(await port.inputValue()).toBe('587')
})

test('after "Continue" with an unknown provider, the server has the focus, and a corrected address fills it in [OWN-150]', async () => {
  const page = await here.open('/manage/mail/', { as: OWNER })
  await page.getByLabel('Email address of the mailbox').fill('ida@example')
  await page.getByRole('button', { name: 'Continue' }).click()
  const server = page.getByLabel('Mail server')
  await expect.poll(() => server.evaluate((field) => field === document.activeElement)).toBe(true)
  await page.getByLabel('Email address of the mailbox').fill('ida@gmx.de')
  await soon(() => server.inputValue()).toBe('mail.gmx.net')
})

test('the error of a refused table disappears when the owner chooses another file [S-477]', async () => {
  const page = await here.open('/manage/import-export/', { as: OWNER })
  const error = page.locator('#table-file-error')
  for (const name of ['first.csv', 'second.csv']) {
    await page
      .getByLabel('Table (CSV)')
      .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from('nothing') })
    await expect.poll(() => error.textContent()).toBe('')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await expect.poll(() => error.textContent()).not.toBe('')
  }
})

test('open settings and an open away message show what the owner saves on another device, but keep each field that she has changed [S-470]', async () => {
  const send = await openSender(here, OWNER)
  const away = {
    intent: 'away',
    awayFrom: '2026-07-01',
    awayUntil: '2026-07-09',
    awayText: 'At the sea',
  }
  await send('/manage/replies/', away)
  const page = await here.open('/manage/', { as: OWNER })
  const field = (name: string) => page.locator(`[name=${name}]`)
  await openFormByLink(page, '/manage/replies/', 'form:has([name=awayText])')
  await field('awayText').fill('In the hills')
  await send('/manage/replies/', {
    ...away,
    awayFrom: '2026-08-03',
    awayUntil: '2026-08-20',
    awayText: 'On a boat',
  })
  await soon(() => field('awayFrom').inputValue()).toBe('2026-08-03')
  expect(await field('awayUntil').inputValue()).toBe('2026-08-20')
  expect(await field('awayText').inputValue()).toBe('In the hills')

  await page.goto('/manage/')
  const stored = await openFormByLink(page, '/manage/settings/', 'form:has([name=tagline])')
  await field('city').fill('Porto')
  const changed = {
    tagline: 'Tied by the sea',
    sizeUnits: 'inches',
    accent: 'plum',
    cashAtHandover: '',
  }
  await send('/manage/settings/', { ...stored, ...changed, city: 'Faro' })
  await soon(() => field('tagline').inputValue()).toBe('Tied by the sea')
  expect(await field('sizeUnits').inputValue()).toBe('inches')
  expect(await page.locator('[name=accent]:checked').inputValue()).toBe('plum')
  expect(await field('cashAtHandover').isChecked()).toBe(false)
  expect(await field('city').inputValue()).toBe('Porto')
  await field('city').fill('Faro')
  await page.getByRole('link', { name: 'See it in the shop' }).click()
  await page.waitForURL((url) => url.pathname === '/')
})

test('the owner cannot type while the shop saves the settings, and what she typed stays if a later save is not sent [S-471]', async () => {
  const page = await openSettings()
  const tagline = page.locator('[name=tagline]')
  const letGo = await hold(page, '**/manage/settings**', 'POST')
  await tagline.fill(' From the coast ')
  await save(page)
  await soon(() => isInert(tagline)).toBe(true)
  letGo()
  await soon(() => tagline.inputValue()).toBe('From the coast')
  await soon(() => isInert(tagline)).toBe(false)

  await page.route('**/manage/settings**', (route) => route.abort())
  await tagline.fill('Half a sentence')
  await save(page)
  await toast(page, 'Not sent: no connection. What you typed is still here.').waitFor()
  await soon(() => isInert(tagline)).toBe(false)
  expect(await tagline.inputValue()).toBe('Half a sentence')
})

test('the settings show a chosen accent color before it is saved [OWN-24]', async () => {
  const page = await openSettings()
  const color = () =>
    page
      .getByRole('button', { name: 'Save', exact: true })
      .evaluate((button) => getComputedStyle(button).backgroundColor)
  const before = await color()
  await toggle(page, 'Appearance')
  await page.getByLabel('Teal').check()
  await expect.poll(color).not.toBe(before)
})

test('a toast on a phone does not cover "Undo" [OWN-28]', async () => {
  const page = await here.open('/manage/discount/', { as: OWNER, viewport: PHONE })
  await page.getByLabel('Select All').check()
  const panel = page.getByRole('group', { name: 'Discount of the selected items' })
  await panel.getByLabel('Discount type').selectOption('Percent')
  await panel.getByLabel('Value').fill('30')
  await panel.getByRole('button', { name: 'Apply', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click()
  const toast = page.getByRole('button', { name: 'Successfully put Items on Sale' })
  await toast.hover()
  const undo = page.getByRole('button', { name: 'Undo' }).first()
  await undo.waitFor()
  await expect.poll(() => areApart(toast, undo)).toBe(true)
})

test(
  'on a phone, a long shop name wraps in the navigation bar, and 200 % text fits the screen [OWN-29]',
  { tags: ['core'] },
  async () => {
    const name = 'The Long Workshop of Marisol & Sons'
    await saveSetting(await openSettings(), 'Shop name', name)
    const page = await here.open('/', { viewport: PHONE, as: OWNER })
    const brand = page.getByRole('banner').getByText(name)
    const isWhole = () =>
      brand.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1)
    expect(await isWhole()).toBe(true)
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
    await page.reload()
    expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
      '32px',
    )
    expect(await overflow(page)).toBe(0)
    for (const part of [
      page.getByRole('heading', { level: 1 }),
      page.locator('h1 span').last(),
      brand,
    ]) {
      const { x, width } = (await part.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(PHONE.width)
    }
    await page.setViewportSize(DESK)
    await page.getByRole('button', { name: 'Menu' }).waitFor()
    expect(await overflow(page)).toBe(0)
  },
)

test('in a window of 640 × 400 pixels, for example at 200 % zoom, no bar covers the page [S-404]', async () => {
  const owner = await here.open('/manage/', { as: OWNER, viewport: { width: 640, height: 400 } })
  const stickyBars = () =>
    owner.evaluate(() => {
      const isBar = (part: Element) =>
        part.clientWidth > innerWidth / 3 && getComputedStyle(part).position === 'sticky'
      return [...document.querySelectorAll('body *')].filter(isBar).map((part) => part.className)
    })
  for (const path of [
    '/item/sunflower-coaster',
    '/manage/settings/',
    '/manage/item/sunflower-coaster',
    '/manage/discount/',
  ]) {
    await owner.goto(path)
    expect(await stickyBars()).toEqual([])
  }
  await owner.setViewportSize(PHONE)
  expect((await stickyBars()).length).toBeGreaterThan(1)
})

test('the title of a category is saved when the owner moves on to its color [CATEGORY-07]', async () => {
  const page = await here.open('/manage/category/', { as: OWNER })
  const title = page.locator('#title-coasters')
  await page.getByLabel('Edit Coasters').click()
  await title.fill('Table coasters')
  await title.press('Tab')
  await page
    .getByRole('listitem', { name: 'Table coasters', exact: true })
    .getByText('Saved', { exact: true })
    .waitFor()
  expect(await title.inputValue()).toBe('Table coasters')
})

test('the title of a category that could not be sent stays in its field, and the owner can send it again [S-476]', async () => {
  const owner = await here.open('/manage/category/', { as: OWNER })
  await owner.getByLabel('Edit Wall Hangings').click()
  const [title, row] = [
    owner.locator('#title-wall-hangings'),
    owner.getByRole('listitem', { name: 'Wall Hangings', exact: true }),
  ]
  await owner.route('**/manage/category**', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await title.fill('Hangings')
  const notSent = toast(owner, 'Not sent: no connection. What you typed is still here.')
  await Promise.all([notSent.waitFor(), owner.getByRole('heading', { level: 1 }).click()])
  await expect
    .poll(() => row.getByRole('button', { name: 'Save Wall Hangings' }).textContent())
    .toBe('Save')
  expect(await title.inputValue()).toBe('Hangings')
  await owner.unroute('**/manage/category**')
  await title.press('Enter')
  await owner
    .getByRole('listitem', { name: 'Hangings', exact: true })
    .getByText('Saved', { exact: true })
    .waitFor()
})
