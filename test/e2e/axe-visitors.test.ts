/** No page of the shop, in either theme and at either width, holds a barrier that axe knows of: what visitors and customers see. */
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { barriersHere, barriersOn, linkOn, pagesAt, PATIENCE, SIZES, shopForAxe } from './barriers.ts'
import { openTicket } from './open-ticket.ts'
import { signIn } from './people.ts'

const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const shop = shopForAxe()

const visitorsPages = [
  '/',
  '/?colors=all',
  '/gallery/',
  '/gallery/none/',
  '/gallery/?q=wall&sale=on&page=2',
  '/gallery/?q=zebra&from=abc',
  '/item/none/',
  '/about/',
  '/contact/',
  '/contact/?tab=facebook',
  '/contact/?tab=phone',
  '/testimonials/',
  '/writetestimonials/none/',
  '/login/',
  '/reset-password/',
  '/reset-password/?code=none',
  '/confirm-email/',
  '/confirm-email/?code=none',
]
const visitorsPagesOnDesk = ['/', '/gallery/', '/gallery/?q=zebra&from=abc', '/contact/', '/testimonials/', '/login/']
const customersPages = ['/', '/gallery/?favorites', '/account/']
/** What a visitor opens, folds out or gets told: the page stays where it is, its state changes. */
async function barriersInStates(page: Page): Promise<string[]> {
  const barriers: string[] = []
  const note = async (where: string) => void barriers.push(...(await barriersHere(page, where)))

  await page.goto('/about/')
  await page.getByRole('button', { name: 'Menu' }).click()
  await note('the menu')
  for (const path of ['/?category=bags', '/gallery/?q=wall', '/gallery/?q=nothing-like-it'])
    barriers.push(...(await barriersOn(page, path)))

  await page.goto('/contact/?tab=mail')
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Name is required').or(page.locator('[aria-invalid=true]')).first().waitFor()
  await note('the contact form, refused')
  for (const tab of ['facebook', 'instagram', 'phone']) {
    await page.goto(`/contact/?tab=${tab}`)
    for (const fold of await page.getByRole('tabpanel').locator('summary').all()) if (await fold.isVisible()) await fold.click()
    await note(`the contact tab ${tab}, folded out`)
  }

  const ticket = openTicket(shop.dataDir())
  barriers.push(...(await barriersOn(page, `/writetestimonials/${ticket.id}/`)))
  await page.getByLabel('Email').fill(ticket.writerEmail)
  await page.getByRole('button', { name: 'Submit' }).waitFor()
  await note('an open ticket, its e-mail matched')

  await page.goto('/login/')
  await page.getByLabel('Email').fill('clara@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not-her-password')
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page
    .getByText(/invalid|wrong|incorrect|password/i)
    .first()
    .waitFor()
  await note('the login, refused')

  const [item] = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
  await page.goto(item!)
  await page.locator('figure li a').first().click()
  await page.getByRole('dialog').waitFor()
  await note('the zoomed picture')

  await page.goto('/reset-password/')
  await page.getByLabel('Email').fill('clara@example.com')
  await page.getByRole('button', { name: 'Send Code' }).click()
  await page.getByLabel('Code').fill('none')
  await page.getByLabel('New password', { exact: true }).fill('a-long-enough-one')
  await page.getByRole('button', { name: 'Change Password' }).click()
  await page.getByLabel('Code').and(page.locator('[aria-invalid=true]')).waitFor()
  await note('a new password, its code refused')
  await asGuest(page, note)
  return barriers
}

/** Last, since she is signed in afterwards. */
async function asGuest(page: Page, note: (where: string) => Promise<void>) {
  await page.goto('/login/')
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL('/')
  await page.goto('/link-guest/')
  for (const password of ['not-her-password', CLARA.password]) {
    await page.getByLabel('Email').fill(CLARA.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Log In', exact: true }).click()
    await page.getByText(/^Invalid Credentials$|^There is nothing to move/).waitFor()
    await note(`linking a guest with ${password}`)
  }
}

test.concurrent.for(SIZES)('no barriers for visitors: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await shop.openPage(size)
  const more = [
    ...(await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)),
    ...(await linkOn(page, '/gallery/', /href="(\/gallery\/[^"?/]+\/?)"/)),
  ]
  const barriers: string[] = []
  for (const path of [...pagesAt(size, visitorsPages, visitorsPagesOnDesk), ...more]) barriers.push(...(await barriersOn(page, path)))
  // Opened, folded out or refused, a page is the same at any width but for its place.
  if (size.width <= 768) barriers.push(...(await barriersInStates(page)))
  expect(barriers).toEqual([])
  await context.close()
})

test.concurrent.for(SIZES)('no barriers for customers: both themes, $width px', { timeout: PATIENCE }, async (size, { expect }) => {
  const { context, page } = await shop.openPage(size)
  await signIn(page, CLARA)
  const item = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
  const barriers: string[] = []
  for (const path of [...customersPages, ...item]) barriers.push(...(await barriersOn(page, path)))
  await page.goto('/account/')
  await page.getByRole('button', { name: 'Change Password' }).click()
  const prompt = page.getByRole('dialog', { name: 'Change Password' })
  await prompt.waitFor()
  barriers.push(...(await barriersHere(page, 'the password prompt')))
  await prompt.getByLabel('Current Password').fill('not-hers')
  await prompt.getByLabel('New Password').fill('not-hers-either')
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await prompt.getByText('Invalid Credentials').waitFor()
  barriers.push(...(await barriersHere(page, 'the password prompt, refused')))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Change Email' }).click()
  await page.getByRole('dialog', { name: 'Change your e-mail' }).waitFor()
  barriers.push(...(await barriersHere(page, 'another e-mail')))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByRole('dialog', { name: 'Delete your account for good?' }).waitFor()
  barriers.push(...(await barriersHere(page, 'the question before leaving')))
  await page.goto('/about/')
  await page.getByRole('button', { name: 'Your account' }).click()
  barriers.push(...(await barriersHere(page, 'the profile menu')))
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: /unread/ }).click()
  await page.getByRole('complementary').getByRole('textbox').waitFor()
  barriers.push(...(await barriersHere(page, 'the message panel')))
  expect(barriers).toEqual([])
  await context.close()
})
