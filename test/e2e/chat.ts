/** What journeys about messages share: people who are signed in, and what they see of a conversation. */
import type { Browser, Page } from 'playwright-core'
import type { ServedShop } from './open-served-shop.ts'

export type Viewport = { width: number; height: number }

/** A page of somebody who has just sent the login's `form`, by the request and not by the screen. */
export async function signedIn(
  browser: Browser,
  shop: ServedShop,
  form: Record<string, string>,
  viewport: Viewport = { width: 1280, height: 800 },
) {
  const context = await browser.newContext({ baseURL: shop.url, viewport })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  await page.request.post('/login/', { form, headers: { origin: shop.url }, maxRedirects: 0 })
  return page
}
export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
export const log = (page: Page) => page.getByRole('log')
export const bubble = (page: Page, text: string) => log(page).locator('li[data-sender]', { hasText: text })

/** Enter sends only when the program of the conversation has come, later than its page. */
export const isReadyToSend = (page: Page) =>
  page.waitForFunction(() => {
    const [, root] = Object.entries(document).find(([key]) => key.startsWith('__reactContainer')) ?? []
    return root?.stateNode.current.memoizedState.isDehydrated === false && document.querySelector('[role=log]') !== null
  })

export async function send(page: Page, text: string) {
  await isReadyToSend(page)
  await box(page).fill(text)
  await box(page).press('Enter')
  await bubble(page, text).locator('time').waitFor()
}

/** The owner's page with this customer's conversation. */
export async function openAsOwner(owner: Page, name: string) {
  await owner.goto('/manage/messages/')
  await owner.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click()
  await owner.getByRole('heading', { name }).waitFor()
}
