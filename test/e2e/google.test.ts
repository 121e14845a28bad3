// Log In with Google in a real browser, against a real provider: the popup and the ways in which it ends, and the whole page where there is none.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { freePort } from '../free-port.ts'
import { CLIENT, openProvider } from '../open-provider.ts'
import { axe } from './axe.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { DESK, openBrowser, PHONE } from './people.ts'

const ERROR = 'An Error has Occured...'
const gina = { sub: 'g-1', email: 'gina@mail.test', email_verified: true, name: 'Gina Google' }
const uma = { sub: 'g-2', email: OWNER.email, email_verified: false, name: 'Uma' }

let browser: Browser
let shop: ServedShop
let provider: Awaited<ReturnType<typeof openProvider>>

beforeAll(async () => {
  const port = await freePort()
  const env = { GOOGLE_ISSUER: `http://localhost:${port}`, GOOGLE_CLIENT_ID: CLIENT.clientId, GOOGLE_CLIENT_SECRET: CLIENT.clientSecret }
  ;[browser, shop] = await Promise.all([launchChromium(), openServedShop({ env })])
  provider = await openProvider({ port, redirects: [`${shop.url}/login/google/back`], people: { gina, uma } })
})
afterAll(() => Promise.all([browser.close(), shop.stop(), provider.close()]))

async function openLogin(options: Parameters<typeof openBrowser>[2] = {}): Promise<Page> {
  const page = await openBrowser(browser, shop.url, options)
  onTestFinished(() => page.context().close())
  await page.goto('/login/')
  return page
}
const button = (page: Page) => page.getByRole('button', { name: 'Log In with Google' })
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: ERROR })
async function openPopup(page: Page): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page).click()])
  await popup.getByRole('heading', { name: 'Who are you?' }).waitFor()
  return popup
}
const choose = (popup: Page, who: string) => popup.getByRole('link', { name: who }).click()
async function isIn(page: Page) {
  await page.waitForURL((address) => address.pathname === '/')
  await page.getByRole('button', { name: 'Your account' }).waitFor()
}

test('LOGIN-08 LOGIN-13 LOGIN-28 LOGIN-29 LOGIN-56 S-018 the popup: closed, refused, unverified and tried again, each leaves the page as it was; then it signs in', async () => {
  const page = await openLogin()

  const closed = await openPopup(page)
  await page.locator('button[aria-busy=true]').waitFor()
  await closed.close()
  await alert(page).waitFor()
  await page.locator('button[aria-busy=true]').waitFor({ state: 'detached' })

  const refused = await openPopup(page)
  await alert(page).waitFor({ state: 'detached' })
  await Promise.all([refused.waitForEvent('close'), choose(refused, 'Cancel')])
  await alert(page).waitFor()

  const unverified = await openPopup(page)
  await Promise.all([unverified.waitForEvent('close'), choose(unverified, 'uma')])
  const said = async () => (await page.getByRole('alert').allInnerTexts()).join(' ')
  await expect.poll(said).toContain('Google has not confirmed that this e-mail address is yours.')
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
  expect(new URL(page.url()).pathname).toBe('/login/')

  const popup = await openPopup(page)
  await Promise.all([popup.waitForEvent('close'), choose(popup, 'gina')])
  await isIn(page)
})

test('LOGIN-13 a provider that parts its window from the shop signs in all the same', async () => {
  provider.manners.opener = 'same-origin'
  onTestFinished(() => void (provider.manners.opener = undefined))
  const page = await openLogin()

  const popup = await openPopup(page)
  // Now the window looks closed to the page, which says so too early.
  await alert(page).waitFor()
  await choose(popup, 'gina')

  await isIn(page)
})

test('LOGIN-13 without a popup the whole page goes there and back: blocked, on a phone, and without script', async () => {
  const blocked = await openLogin({ viewport: DESK })
  await blocked.addInitScript(() => void (window.open = () => null))
  await blocked.reload()
  for (const page of [blocked, await openLogin({ viewport: PHONE }), await openLogin({ javaScriptEnabled: false })]) {
    await button(page).click()
    await choose(page, 'Cancel')
    await page.waitForURL('**/login/')
    await alert(page).waitFor()

    await button(page).click()
    await choose(page, 'gina')
    await isIn(page)
  }
})
