import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { collectViolations, linkOn, pagesAt, PATIENCE, SIZES } from '#test/fixtures/axe.ts'
import {
  CLARA,
  type Opening,
  OWNER,
  PHONE,
  sendLogin,
  shopAndBrowser,
} from '#test/fixtures/browser.ts'
import { openTicket } from '#test/pages/testimonials.ts'

const here = shopAndBrowser({ isShared: true })

const open = (options: Opening) => here.open('/about/', { reducedMotion: 'reduce', ...options })
const linkToItem = (page: Page) => linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
const logIn = (page: Page, password: string) => sendLogin(page, { ...CLARA, password })

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
  '/testimonials/?view=all',
  '/writetestimonials/none/',
  '/login/',
  '/reset-password/',
  '/reset-password/?code=none',
  '/confirm-email/',
  '/confirm-email/?code=none',
]
const visitorsPagesOnDesk = [
  '/',
  '/gallery/',
  '/gallery/?q=zebra&from=abc',
  '/contact/',
  '/testimonials/',
  '/login/',
]

test.each(SIZES)(
  'the pages of a visitor have no accessibility violations at $width px',
  { timeout: PATIENCE },
  async (size) => {
    const page = await open({ viewport: size })
    const violations = collectViolations(page)
    const category = await linkOn(page, '/gallery/', /href="(\/gallery\/[^"?/]+\/?)"/)
    for (const path of [
      ...pagesAt(size, visitorsPages, visitorsPagesOnDesk),
      await linkToItem(page),
      category,
    ]) {
      await violations.on(path)
    }
    expect(violations.found).toEqual([])
  },
)

test(
  'an open menu, a refused form and a testimony ticket page have no accessibility violations',
  { timeout: PATIENCE },
  async () => {
    const page = await open({ viewport: PHONE })
    const violations = collectViolations(page)
    await page.getByRole('button', { name: 'Menu' }).click()
    await violations.here('the menu')
    for (const path of ['/?category=bags', '/gallery/?q=wall', '/gallery/?q=nothing-like-it']) {
      await violations.on(path)
    }

    await page.goto('/contact/?tab=mail')
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.locator('[aria-invalid=true]').first().waitFor()
    await violations.here('the contact form, refused')
    for (const tab of ['facebook', 'instagram', 'phone']) {
      await page.goto(`/contact/?tab=${tab}`)
      for (const fold of await page.getByRole('tabpanel').locator('summary').all()) {
        if (await fold.isVisible()) await fold.click()
      }
      await violations.here(`the contact tab ${tab}, unfolded`)
    }

    const ticket = openTicket(here.shop)
    await violations.on(`/writetestimonials/${ticket.id}/`)
    await page.getByLabel('Email').fill(ticket.writerEmail)
    await page.getByRole('button', { name: 'Submit' }).waitFor()
    await violations.here('an open ticket, its email matched')

    await page.goto(await linkToItem(page))
    await page.locator('figure li a').first().click()
    await page.getByRole('dialog').waitFor()
    await violations.here('the zoomed picture')
    expect(violations.found).toEqual([])
  },
)

test(
  'a refused login, a refused reset code and “Link Guest Account” have no accessibility violations',
  { timeout: PATIENCE },
  async () => {
    const page = await open({ viewport: PHONE })
    const violations = collectViolations(page)
    await page.goto('/login/')
    await logIn(page, 'not-her-password')
    await page.locator('#password[aria-invalid="true"]').waitFor()
    await violations.here('the login, refused')

    await page.goto('/reset-password/?code=')
    await page.getByLabel('Code').fill('none')
    await page.getByLabel('New password', { exact: true }).fill('a-long-enough-one')
    await page.getByRole('button', { name: 'Change Password' }).click()
    await page.getByLabel('Code').and(page.locator('[aria-invalid=true]')).waitFor()
    await violations.here('a new password, its code refused')

    await page.goto('/login/')
    await page.getByRole('button', { name: 'Log In Anonymously' }).click()
    await page.waitForURL('/')
    await page.goto('/link-guest/')
    for (const password of ['not-her-password', CLARA.password]) {
      await logIn(page, password)
      await page.getByText(/^Invalid Credentials$|^There is nothing to move/).waitFor()
      await violations.here(`linking a guest with ${password}`)
    }
    expect(violations.found).toEqual([])
  },
)

test.each(SIZES)(
  'customers’ pages and dialogs have no accessibility violations at $width px',
  { timeout: PATIENCE },
  async (viewport) => {
    const page = await open({ viewport, as: CLARA })
    const violations = collectViolations(page)
    const opened = async (button: string, dialog: string) => {
      await page.getByRole('button', { name: button }).click()
      await page.getByRole('dialog', { name: dialog }).waitFor()
      await violations.here(dialog)
    }
    for (const path of [
      '/',
      '/gallery/?favorites',
      await linkToItem(page),
      '/account/orders/',
      '/account/',
    ]) {
      await violations.on(path)
    }
    await opened('Change Password', 'Change Password')
    const prompt = page.getByRole('dialog', { name: 'Change Password' })
    await prompt.getByLabel('Current Password').fill('not-hers')
    await prompt.getByLabel('New Password').fill('not-hers-either')
    await prompt.getByRole('button', { name: 'Submit' }).click()
    await prompt.getByText('Invalid Credentials').waitFor()
    await violations.here('the password prompt, refused')
    await page.keyboard.press('Escape')
    await opened('Change Email', 'Change your email')
    await page.keyboard.press('Escape')
    await opened('Delete my account', 'Delete your account for good?')

    await page.goto('/about/')
    await page.getByRole('button', { name: 'Your account' }).click()
    await violations.here('the profile menu')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /unread/ }).click()
    await page.getByRole('complementary').getByRole('textbox').waitFor()
    await violations.here('the message panel')
    expect(violations.found).toEqual([])
  },
)

test.each([
  { who: 'a visitor', as: undefined, paths: ['/', '/contact/'] },
  { who: 'a customer', as: CLARA, paths: ['/gallery/', '/about/?messages='] },
  {
    who: 'the owner',
    as: OWNER,
    paths: ['/manage/', '/manage/messages/', '/manage/item/'],
  },
])(
  'the main pages of $who have no accessibility violations in either theme',
  { tags: ['core'] },
  async ({ as, paths }) => {
    const page = await here.open('/about/', {
      viewport: PHONE,
      reducedMotion: 'reduce',
      ...(as && { as }),
    })
    const violations = collectViolations(page)
    const item = await linkOn(page, '/gallery/', /href="(\/item\/[^"]+)"/)
    for (const path of [...paths, item]) await violations.on(path)
    expect(violations.found).toEqual([])
  },
)
