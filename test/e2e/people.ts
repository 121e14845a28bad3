/** Browsers of the journeys: somebody on a desk or a phone, signed in or not. */
import type { Browser, Page } from 'playwright-core'

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1280, height: 800 }

/** A browser of one's own, with its own cookies; whatever its page logs as an error is kept in `errors`. */
export async function openBrowser(browser: Browser, url: string, { viewport = DESK, javaScriptEnabled = true } = {}) {
  const context = await browser.newContext({ baseURL: url, viewport, javaScriptEnabled, hasTouch: viewport === PHONE })
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())))
  page.on('pageerror', (error) => void errors.push(error.message))
  return Object.assign(page, { errors })
}

/** By the request that the screen would send: most journeys are about what comes after it. The page stays where it is. */
export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  const { origin } = new URL((await page.request.get('/health')).url())
  const form = { intent: 'login', email, password }
  const answer = await page.request.post('/login/', { form, headers: { origin }, maxRedirects: 0 })
  if (answer.headers().location !== '/') throw new Error(`${email} was not let in: ${answer.status()}`)
}

/** The same by the screen of the login. */
export async function signInOnScreen(page: Page, { email, password }: { email: string; password: string }, button = 'Log In') {
  await page.goto('/login/')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.waitForURL((address) => address.pathname === '/')
}
