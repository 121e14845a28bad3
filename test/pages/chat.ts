/** Reads and sends messages in the conversations of customers and the owner. */
import type { Page } from 'playwright-core'

export const box = (page: Page) => page.getByRole('textbox', { name: 'Message' })
export const log = (page: Page) => page.getByRole('log')
export const bubble = (page: Page, text: string) =>
  log(page).locator('li[data-sender]', { hasText: text })
/** Returns the texts of all messages, the oldest first. */
export const texts = (page: Page) => log(page).locator('li[data-sender] p').allInnerTexts()

/** Types a message and presses Enter. Does not wait until the message is stored. */
export async function type(page: Page, text: string) {
  await box(page).fill(text)
  await box(page).press('Enter')
}

/** Sends a message and waits until it is stored. */
export async function send(page: Page, text: string) {
  await type(page, text)
  await bubble(page, text).locator('time').waitFor()
}

/** Opens a customer's conversation as the owner. */
export async function openAsOwner(owner: Page, name: string) {
  await owner.goto('/manage/messages/')
  await owner.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name }).click()
  await owner.getByRole('heading', { name }).waitFor()
}
