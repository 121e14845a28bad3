// The contact page as a visitor and the owner meet it, with a real mail server behind it.
import jsQR from 'jsqr'
import sharp from 'sharp'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openSmtp, readLetter, refusal } from '../open-smtp.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE, signIn } from './people.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await (await withoutMail)?.stop()
})

async function openShop(smtpUrl = ''): Promise<ServedShop> {
  const shop = await openServedShop({ demo: true, env: { SMTP_URL: smtpUrl } })
  onTestFinished(() => shop.stop())
  return shop
}
async function visit(shop: ServedShop, path = '/contact/', options = {}) {
  const page = await openBrowser(browser, shop.url, options)
  onTestFinished(() => page.context().close())
  await page.goto(path, { waitUntil: 'networkidle' })
  return page
}
/** One for all who look and send nothing. */
let withoutMail: Promise<ServedShop> | undefined
const openShopWithoutMail = () => (withoutMail ??= openServedShop({ demo: true }))
async function openAsOwner(shop: ServedShop, options = {}) {
  const page = await openBrowser(browser, shop.url, options)
  onTestFinished(() => page.context().close())
  await signIn(page, OWNER)
  return page
}
type Visitor = Awaited<ReturnType<typeof visit>>
const DORA = { Name: 'Dora Knott', 'Email Address': 'dora+knots@mail.test', Phone: '8285550142', Message: 'Do you make curtains? 🧶' }
const field = (page: Visitor, label: string) => page.getByRole('textbox', { name: label, exact: true })
async function fill(page: Visitor, texts: Partial<typeof DORA> = DORA) {
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
}
const typedIn = (page: Visitor) => Promise.all(Object.keys(DORA).map((label) => field(page, label).inputValue()))
const submit = (page: Visitor) => page.getByRole('button', { name: 'Submit' })
const toast = (page: Visitor, text: string) => page.getByRole('status').getByRole('button', { name: text })
/** Whoever fills the form in faster than people do is asked to press again, and does. */
async function pressUntil(page: Visitor, text: string) {
  await expect
    .poll(
      async () => {
        const answer = page.waitForResponse((response) => response.request().method() === 'POST')
        await submit(page).click()
        return (await answer).status()
      },
      { timeout: 20_000, interval: 500 },
    )
    .toBeLessThan(300)
  await toast(page, text).waitFor()
}

test('contact: a visitor writes, the form clears, the owner finds the conversation, and her mail server has the letter', async () => {
  const smtp = await openSmtp()
  const shop = await openShop(smtp.url)
  const owner = await openAsOwner(shop)
  await owner.goto('/manage/messages/', { waitUntil: 'networkidle' })
  const visitor = await visit(shop, '/', { viewport: PHONE })
  await visitor.getByRole('button', { name: 'Menu' }).click()
  await visitor.getByRole('link', { name: 'Contact', exact: true }).click()
  await fill(visitor)
  await pressUntil(visitor, 'Your Mail Have been sent!')

  expect(await typedIn(visitor)).toEqual(['', '', '', ''])
  await visitor.getByText('Thank you for writing.').waitFor()
  // The owner's open page shows it by itself.
  await owner.getByText('Dora Knott').first().click()
  await owner.getByRole('log').getByText(DORA.Message).waitFor()
  expect(smtp.received).toHaveLength(1)
  const { headers } = readLetter(smtp.received[0]!.raw)
  expect(Object.fromEntries(headers)).toMatchObject({ 'reply-to': DORA['Email Address'], subject: 'Message from Dora Knott' })

  // A second message from the same page.
  await fill(visitor, { ...DORA, Message: 'And cushions?' })
  await submit(visitor).click()
  await expect.poll(() => smtp.received.length, { timeout: 30_000 }).toBe(2)
  // The browser notes a refusal for being too quick.
  expect([...visitor.errors, ...owner.errors].filter((error) => !error.includes('422'))).toEqual([])
})

test('CONTACT-12 CONTACT-13 S-035 each mistake is one toast and leads to its field; whatever is refused, nothing typed is lost', async () => {
  const shop = await openShopWithoutMail()
  const page = await visit(shop)
  const steps = [
    ['Please provide a name', 'Name'],
    ['Please provide a valid Email', 'Email Address'],
    ['Please provide a valid Phone Number', 'Phone'],
    ['Please provide a short Message', 'Message'],
  ] as const
  const filled: Partial<typeof DORA> = {}
  for (const [text, label] of steps) {
    await submit(page).click()
    await toast(page, text).waitFor()
    expect(await page.getByRole('status').getByRole('button').count()).toBeLessThan(2)
    await expect.poll(() => field(page, label).evaluate((input) => input === document.activeElement)).toBe(true)
    expect(await field(page, label).getAttribute('aria-invalid')).toBe('true')
    // It may be about to go by itself.
    await toast(page, text).evaluateAll((toasts) => toasts.forEach((one) => (one as HTMLElement).click()))
    filled[label] = DORA[label]
    await fill(page, { [label]: DORA[label] })
  }
  // More than the server reads at all.
  await field(page, 'Message').evaluate((area: HTMLTextAreaElement) => (area.value = 'x'.repeat(2_500_000)))
  await submit(page).click()
  await toast(page, 'Please keep the message under 10,000 characters').waitFor()
  expect(await field(page, 'Name').inputValue()).toBe(DORA.Name)
  expect((await field(page, 'Message').inputValue()).length).toBe(2_500_000)
  await fill(page, { Message: DORA.Message })
  // A look at another tab in between.
  await page.getByRole('tab', { name: 'Phone' }).click()
  await page.getByRole('tab', { name: 'Mail' }).click()
  expect(await typedIn(page)).toEqual(Object.values(DORA))
})

test('CONTACT-25 S-034 while the mail server hangs the visitor is answered within seconds, and the owner sees the letter, tries again, and it leaves', async () => {
  const smtp = await openSmtp({ letter: () => 'hang' })
  const shop = await openShop(smtp.url)
  const visitor = await visit(shop)
  await fill(visitor)
  await pressUntil(visitor, 'There was an error sending your mail')
  await visitor.getByText('There is no need to send it again.').waitFor()
  expect(await typedIn(visitor)).toEqual(Object.values(DORA))

  const owner = await openAsOwner(shop, { viewport: PHONE })
  smtp.manners.recipient = () => refusal(550, 'no such mailbox')
  smtp.cut()
  await owner.goto('/manage/', { waitUntil: 'networkidle' })
  await owner.getByText('1 letter could not be delivered yet').waitFor()
  await owner.getByRole('link', { name: 'See the mail' }).click()
  const letter = owner.getByRole('article', { name: 'Message from Dora Knott' })
  await letter.getByRole('button', { name: 'Try again' }).click()
  await letter.getByText('no such mailbox').waitFor()
  await letter.getByText('Could not be delivered').waitFor()

  smtp.manners.recipient = () => null
  smtp.manners.letter = () => null
  await letter.getByRole('button', { name: 'Try again' }).click()
  await owner.getByText('Nothing waits. Every letter has left.').waitFor()
  expect(smtp.received).toHaveLength(1)
})

test('without script the whole page works: tabs, QR code, mistakes, and sending', async () => {
  const smtp = await openSmtp()
  const shop = await openShop(smtp.url)
  const page = await visit(shop, '/contact/', { javaScriptEnabled: false, viewport: PHONE })
  await page.getByRole('tab', { name: 'Facebook' }).click()
  await page.locator('summary', { hasText: 'QR code' }).locator('visible=true').click()
  await page.getByRole('img', { name: 'QR code of our Facebook page' }).waitFor()
  await page.getByRole('tab', { name: 'Phone' }).click()
  await page.getByRole('tabpanel', { name: 'Phone' }).getByText('828 555 0142').waitFor()
  await page.getByRole('tab', { name: 'Mail' }).click()
  await fill(page, { ...DORA, Phone: '1' })
  await submit(page).click()
  await page.locator('.error', { hasText: 'Please provide a valid Phone Number' }).waitFor()
  expect((await typedIn(page))[0]).toBe(DORA.Name)
  await fill(page, { Phone: DORA.Phone })
  await expect
    .poll(
      async () => {
        if (smtp.received.length === 0) await submit(page).click()
        return page.getByText('Thank you for writing.').isVisible()
      },
      { timeout: 20_000, interval: 300 },
    )
    .toBe(true)
  const told = page.locator('noscript [role=status]')
  expect([await told.isVisible(), await told.textContent()]).toEqual([true, 'Your Mail Have been sent!'])
  expect(smtp.received).toHaveLength(1)
  expect(await typedIn(page)).toEqual(['', '', '', ''])
})

test('CONTACT-02 CONTACT-04 the QR codes can be read from the screen in both themes, and lead where the handle leads', async () => {
  const shop = await openShopWithoutMail()
  for (const [theme, viewport] of [
    ['dark', PHONE],
    ['light', DESK],
  ] as const) {
    const page = await openBrowser(browser, shop.url, { viewport })
    onTestFinished(() => page.context().close())
    await page.context().addCookies([{ name: 'theme', value: theme, url: shop.url }])
    for (const tab of ['facebook', 'instagram']) {
      await page.goto(`/contact/?tab=${tab}`, { waitUntil: 'networkidle' })
      const panel = page.getByRole('tabpanel')
      await panel.locator('summary').click()
      const shot = await panel.getByRole('img').screenshot()
      const { data, info } = await sharp(shot).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      const read = jsQR(new Uint8ClampedArray(data), info.width, info.height)?.data
      expect([theme, tab, read]).toEqual([theme, tab, await panel.getByRole('link').getAttribute('href')])
    }
  }
})

test('CONTACT-01 of two quick presses of an arrow none is lost', async () => {
  const shop = await openShopWithoutMail()
  const page = await visit(shop)
  await page.getByRole('tab', { name: 'Mail' }).focus()
  // Both before the page could be drawn anew.
  await page.evaluate(() => {
    for (const key of ['ArrowRight', 'ArrowRight'])
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  })
  await page.getByRole('tabpanel', { name: 'Facebook' }).waitFor()
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Facebook')
})

test('CONTACT-01 the tabs open without a connection, and nothing typed is lost', async () => {
  const shop = await openShopWithoutMail()
  const page = await visit(shop)
  await page.getByLabel('Message').fill('In sage, please')
  await page.context().setOffline(true)
  await page.getByRole('tab', { name: 'Phone' }).click()
  await page.getByRole('tabpanel', { name: 'Phone' }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=phone')
  await page.getByRole('tab', { name: 'Mail' }).click()
  expect(await page.getByLabel('Message').inputValue()).toBe('In sage, please')
  expect(await page.getByText('The page opens when').count()).toBe(0)
})

test('CONTACT-01 the tabs go by Left, Right, Home and End, one of them in the order of Tab', async () => {
  const shop = await openShopWithoutMail()
  const page = await visit(shop)
  const focused = () => page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('tab', { name: 'Mail' }).focus()
  for (const [key, name] of [
    ['ArrowRight', 'Phone'],
    ['ArrowRight', 'Facebook'],
    ['ArrowLeft', 'Phone'],
    ['Home', 'Facebook'],
    ['End', 'Phone'],
  ] as const) {
    await page.keyboard.press(key)
    await page.getByRole('tabpanel', { name }).waitFor()
    expect(await focused()).toBe(name)
    expect(await page.locator('[role=tab][tabindex="0"]').allTextContents()).toEqual([name])
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Phone')
  await page.goBack()
  expect(page.url()).not.toContain('/contact')
})
