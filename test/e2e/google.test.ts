import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DESK, type Opening, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { freePort } from '#test/fixtures/network.ts'
import { CLIENT, openTestProvider } from '#test/fixtures/oidc-provider.ts'
import { axe } from '#test/fixtures/axe.ts'

const ERROR = 'An Error has Occured...'
const gina = { sub: 'g-1', email: 'gina@mail.test', email_verified: true, name: 'Gina Google' }
const uma = { sub: 'g-2', email: OWNER.email, email_verified: false, name: 'Uma' }

const port = await freePort()
const here = shopAndBrowser({
  env: {
    GOOGLE_ISSUER: `http://localhost:${port}`,
    GOOGLE_CLIENT_ID: CLIENT.clientId,
    GOOGLE_CLIENT_SECRET: CLIENT.clientSecret,
  },
})
let provider: Awaited<ReturnType<typeof openTestProvider>>

beforeAll(async () => {
  provider = await openTestProvider(
    { port, redirects: [`${here.shop.url}/login/google/back`], people: { gina, uma } },
    () => {},
  )
})
afterAll(() => provider.close())

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

test('a customer can log in with Google after she closed the popup, canceled the login or had an unverified email address [LOGIN-08, LOGIN-13, LOGIN-28, LOGIN-29, LOGIN-56, S-018]', async () => {
  const page = await here.open('/login/')

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
  await expect.poll(said).toContain('Google has not confirmed that this email address is yours.')
  expect((await axe(page).analyze()).violations.map(({ id }) => id)).toEqual([])
  expect(new URL(page.url()).pathname).toBe('/login/')

  const popup = await openPopup(page)
  await Promise.all([popup.waitForEvent('close'), choose(popup, 'gina')])
  await isIn(page)
})

test('a customer can log in even if the popup of the provider cannot access the page that opened the popup [LOGIN-13]', async () => {
  provider.manners.opener = 'same-origin'
  onTestFinished(() => void (provider.manners.opener = undefined))
  const page = await here.open('/login/')

  const popup = await openPopup(page)
  await alert(page).waitFor()
  await choose(popup, 'gina')
  await isIn(page)
  expect(new URL(page.url()).pathname).toBe('/')
})

const blockPopups = (page: Page) => page.addInitScript(() => void (window.open = () => null))
const withoutPopup: { where: string; options: Opening }[] = [
  { where: 'where popups are blocked', options: { viewport: DESK, before: blockPopups } },
  { where: 'on a phone', options: { viewport: PHONE } },
  { where: 'without JavaScript', options: { javaScriptEnabled: false } },
]
test.each(withoutPopup)(
  '$where, login opens the provider in the same tab instead of a popup, and then returns to the shop [LOGIN-13]',
  async ({ options }) => {
    const page = await here.open('/login/', options)
    await button(page).click()
    await choose(page, 'Cancel')
    await page.waitForURL('**/login/')
    await alert(page).waitFor()

    await button(page).click()
    await choose(page, 'gina')
    await isIn(page)
    expect(new URL(page.url()).pathname).toBe('/')
  },
)
