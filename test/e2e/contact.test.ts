import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { offlineTexts } from '#ui/texts.ts'
import { DESK, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { focused, hasFocus, openStopped, pathOf, readCode, soon, toast } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const DORA = {
  Name: 'Dora Knott',
  'Email Address': 'dora+knots@mail.test',
  Phone: '8285550142',
  Message: 'Do you make curtains?',
}
const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
async function fill(page: Page, texts: Partial<typeof DORA> = DORA) {
  for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
}
const typedIn = (page: Page) =>
  Promise.all(Object.keys(DORA).map((label) => field(page, label).inputValue()))
const submit = (page: Page) => page.getByRole('button', { name: 'Submit' })
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const panel = (page: Page, name: string) => page.getByRole('tabpanel', { name })

test('each mistake in the contact form shows one toast and focuses its field, and all typed text stays [CONTACT-12, CONTACT-13, S-035]', async () => {
  const page = await here.open('/contact/')
  const steps = [
    ['Please provide a name', 'Name'],
    ['Please provide a valid Email', 'Email Address'],
    ['Please provide a valid Phone Number', 'Phone'],
    ['Please provide a short Message', 'Message'],
  ] as const
  for (const [text, label] of steps) {
    await Promise.all([toast(page, text).waitFor(), submit(page).click()])
    expect(await page.getByRole('status').getByRole('button').count()).toBeLessThan(2)
    await expect.poll(() => hasFocus(field(page, label))).toBe(true)
    expect(await field(page, label).getAttribute('aria-invalid')).toBe('true')
    await toast(page, text).evaluateAll((toasts) =>
      toasts.forEach((one) => (one as HTMLElement).click()),
    )
    await fill(page, { [label]: DORA[label] })
  }
  // The text is larger than the largest body that the server reads.
  await field(page, 'Message').evaluate(
    (area: HTMLTextAreaElement) => (area.value = 'x'.repeat(2_500_000)),
  )
  await Promise.all([
    toast(page, 'Please keep the message under 10,000 characters').waitFor(),
    submit(page).click(),
  ])
  expect(await field(page, 'Name').inputValue()).toBe(DORA.Name)
  expect((await field(page, 'Message').inputValue()).length).toBe(2_500_000)
})

test.each([
  { theme: 'dark', viewport: PHONE },
  { theme: 'light', viewport: DESK },
])(
  'a camera can read the QR codes on the screen in the $theme theme [CONTACT-02, CONTACT-04]',
  async ({ theme, viewport }) => {
    const page = await here.open('/contact/', { viewport })
    await page.context().addCookies([{ name: 'theme', value: theme, url: here.shop.url }])
    for (const name of ['facebook', 'instagram']) {
      await page.goto(`/contact/?tab=${name}`)
      const shown = page.getByRole('tabpanel')
      await shown.locator('summary').click()
      expect(await readCode(shown.getByRole('img')), name).toEqual(
        await shown.getByRole('link').getAttribute('href'),
      )
    }
  },
)

test('the tabs of the Contact page open without a connection, and text in the contact form stays [CONTACT-01]', async () => {
  const page = await here.open('/contact/')
  await fill(page)
  await page.context().setOffline(true)
  onTestFinished(() => page.context().setOffline(false))
  await tab(page, 'Phone').click()
  await panel(page, 'Phone').waitFor()
  expect(new URL(page.url()).search).toBe('?tab=phone')
  await tab(page, 'Mail').click()
  expect(await typedIn(page)).toEqual(Object.values(DORA))
  expect(await page.getByText('The page opens when').count()).toBe(0)
})

test('the contact form keeps what a visitor types until the message is sent, and after a failure says that it was not sent [S-441, S-442]', async () => {
  const page = await here.open('/contact/', { viewport: PHONE })
  await fill(page)
  await page.reload()
  expect(await typedIn(page)).toEqual(Object.values(DORA))
  await page.getByRole('link', { name: 'Knots & Love' }).first().click()
  await soon(() => pathOf(page)).toBe('/')
  await page.goBack()
  await soon(() => typedIn(page)).toEqual(Object.values(DORA))
  await page.context().setOffline(true)
  onTestFinished(() => page.context().setOffline(false))
  const unsent = page.getByText('Your message was not sent and is still here.')
  // The first attempt finds out that the browser is offline, and the next one knows it.
  for (const _ of [1, 2]) {
    await submit(page).click()
    await soon(() => unsent.isVisible()).toBe(true)
    await toast(page, offlineTexts.notSent).click()
  }
  await page.getByText(offlineTexts.calm).waitFor()
  await page.context().setOffline(false)
  await page.getByText(offlineTexts.calm).waitFor({ state: 'detached' })
  expect(await unsent.isVisible()).toBe(true)
  await submit(page).click()
  await page.getByText('Thanks for writing.').waitFor()
  expect(await unsent.count()).toBe(0)
  await page.reload()
  expect(await typedIn(page)).toEqual(['', '', '', ''])
})

test('on the Contact page, the arrow keys, Home and End open a tab, Tab reaches only the open tab, and Back leaves the page [CONTACT-01]', async () => {
  const page = await here.open('/about/')
  await page.getByRole('link', { name: 'Contact', exact: true }).click()
  await tab(page, 'Mail').focus()
  for (const [key, name] of [
    ['ArrowRight', 'Phone'],
    ['ArrowRight', 'Facebook'],
    ['ArrowLeft', 'Phone'],
    ['Home', 'Facebook'],
    ['End', 'Phone'],
  ] as const) {
    await page.keyboard.press(key)
    await panel(page, name).waitFor()
    expect(await focused(page)).toBe(name)
    expect(await page.locator('[role=tab][tabindex="0"]').allTextContents()).toEqual([name])
  }
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Phone')
  // Sends two key presses in one script, so that React cannot render the page between the key
  // presses.
  await page.evaluate(() => {
    for (const key of ['ArrowRight', 'ArrowRight']) {
      document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
  })
  await panel(page, 'Instagram').waitFor()
  expect(await focused(page)).toBe('Instagram')
  await page.goBack()
  await soon(() => pathOf(page)).toBe('/about/')
})

const nameToastIn = (within: Pick<Page, 'getByRole'>) =>
  within.getByRole('button', { name: 'Please provide a name' })

test(
  'a toast is shown for 2000 ms, and a click closes it earlier [TOAST-01, TOAST-02, CONTACT-13]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, '/contact/')
    await submit(page).click()
    await nameToastIn(page).waitFor()
    await page.mouse.move(1, 1)
    await page.clock.runFor(1999)
    expect(await nameToastIn(page).count()).toBe(1)
    await page.clock.runFor(1)
    await nameToastIn(page).waitFor({ state: 'detached' })

    await submit(page).click()
    await nameToastIn(page).click()
    await expect.poll(() => nameToastIn(page).count()).toBe(0)
  },
)

test('a toast above a dialog can be clicked, and stays when the dialog closes [TOAST-01, TOAST-02]', async () => {
  const page = await openStopped(here, '/login/')
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL(`${here.shop.url}/`)
  await page.goto('/contact/')
  const dialog = page.getByRole('dialog')
  const openBoth = async () => {
    await submit(page).click()
    await nameToastIn(page).waitFor()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
  }
  await openBoth()
  await nameToastIn(dialog).click()
  await expect.poll(() => nameToastIn(page).count()).toBe(0)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })

  await openBoth()
  await nameToastIn(dialog).hover()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(() => nameToastIn(page).count()).toBe(1)
})
