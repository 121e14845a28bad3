/** The main job from end to end: ask, agree, make, hand over. Two browsers side by side on the built demo shop. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { readPdf, scanPage } from '../printed.ts'
import { openServedShop, OWNER, type ServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn, signInOnScreen } from './people.ts'

let shop: ServedShop
let browser: Browser

beforeAll(async () => {
  shop = await openServedShop({ demo: true })
  browser = await launchChromium()
})
afterAll(async () => {
  await browser?.close()
  await shop?.stop()
})

test('HOME-03 HOME-04 ITEM-19 ITEM-33 FAV-04 NAV-46 CHAT-01 MSG-33 MSG-34 MSG-30 SALES-20 SALES-38 SALES-47 SALES-59 TESTI-10 TESTI-17 S-190 a customer asks, they agree, the owner sells and prints, both on their phones, and the ticket of the parcel opens', async () => {
  const ann = await openBrowser(browser, shop.url, { viewport: PHONE })
  const owner = await openBrowser(browser, shop.url, { viewport: PHONE })
  await signIn(owner, OWNER)
  await owner.goto('/manage/')

  // 1. A visitor finds a piece.
  await ann.goto('/')
  await ann.getByRole('link', { name: 'Plant Hangers', exact: false }).first().click()
  await ann.goto('/gallery/plant-hangers')
  await ann
    .getByRole('link', { name: /Morning Light/ })
    .first()
    .click()
  await ann.getByText('Please Login to Order').waitFor()
  const itemPath = new URL(ann.url()).pathname
  const itemName = await ann.getByRole('heading', { level: 1 }).innerText()

  // 2. She registers, keeps the piece and asks for it.
  await signInOnScreen(ann, { email: 'ann@example.com', password: 'ann-likes-knots' }, 'Register')
  await ann.goto(itemPath)
  await ann
    .getByRole('button', { name: `Favorite: ${itemName}` })
    .first()
    .click()
  // Kept, not only shown at once.
  await ann.getByRole('region', { name: 'Your Favorite Items' }).getByRole('link', { name: itemName }).waitFor()
  await ann.goto('/gallery/?favorites')
  await ann
    .getByRole('link', { name: new RegExp(itemName) })
    .first()
    .waitFor()
  await ann.goto(itemPath)
  await ann.getByRole('textbox').last().fill('Could it be a little longer? Write to me in app.')
  const bell = (page: Page, count: number) =>
    page.getByRole('link', { name: count === 1 ? '1 unread message' : `${count} unread messages`, exact: true })
  const before = Number.parseInt((await owner.getByRole('link', { name: /unread message/ }).getAttribute('aria-label'))!, 10) || 0
  await ann.getByRole('button', { name: 'Submit' }).click()
  await ann.getByText('Order Request Sent!').waitFor()

  // 3. The owner's bell counts up without a reload; she opens the conversation and answers.
  await bell(owner, before + 1).click()
  await owner.getByRole('link', { name: /ann/ }).first().click()
  await owner.getByText('Could it be a little longer?').last().waitFor()
  await owner.getByRole('textbox').last().fill('Yes, by a hand. Shall I?')
  await owner.getByRole('button', { name: 'Send' }).click()
  await bell(ann, 1).click()
  await ann.getByText('Yes, by a hand. Shall I?').waitFor()
  await ann.getByRole('complementary').getByRole('textbox').focus()
  await ann.getByRole('link', { name: 'No unread messages' }).waitFor()
  await owner.getByRole('button', { name: 'mark as read' }).click()
  await bell(owner, before).waitFor()

  // 4. The sale, the record of it, and its papers.
  await owner.getByRole('link', { name: 'Order', exact: true }).click()
  await owner.getByLabel(/Sale price/i).fill('30')
  await owner.getByRole('button', { name: 'Sale Complete' }).click()
  await owner.getByText('Successfully Added Sales Record...').waitFor()
  await owner.getByText('Sale Completed! Invoice Management will show at Sales').waitFor()
  expect(await owner.getByRole('button', { name: 'Sale Completed', exact: true }).isDisabled()).toBe(true)
  await owner.goto('/manage/sales/')
  await owner.getByText(itemName).first().click()
  await owner.getByLabel('Invoice').check()
  const onPaper = async () => (await readPdf(await owner.pdf())).pages
  expect((await onPaper())[0]).toMatch(/INVOICE.*FREE.*\$30\.00/)
  await owner.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('4,50')
  expect((await onPaper())[0]).toMatch(/INVOICE.*\$4\.50.*\$34\.50/)

  // 5. The parcel: all three papers printed with a number and a ticket, and once more as a file.
  await owner.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }))
  for (const paper of ['Thank you card', 'Testimony Ticket']) await owner.getByLabel(paper).check()
  await owner.getByRole('button', { name: 'Print' }).click()
  await owner.locator('body[data-printed]').waitFor()
  const [invoice, card, ticket] = await onPaper()
  const number = /NUMBER(\d{4,})DATE/.exec(invoice!)?.[1]
  expect([number, card, ticket]).toEqual([expect.any(String), expect.stringContaining('Dear'), expect.stringContaining('$5OFF')])
  const [file] = await Promise.all([owner.waitForEvent('download'), owner.getByRole('button', { name: 'Download PDF' }).click()])
  expect(file.suggestedFilename()).toBe(`invoice-${number}.pdf`)
  const bytes = await readFile(await file.path())
  expect((await readPdf(bytes)).pages[0]).toMatch(new RegExp(`INVOICE.*${number}.*\\$34\\.50`))

  // 6. Ann scans the ticket.
  const link = (await scanPage(bytes, 3))!.text
  await ann.goto(link)
  await ann.getByLabel('Email').fill('ann@example.com')
  await ann.getByText("You're All set!").waitFor()

  expect(ann.errors).toEqual([])
  expect(owner.errors).toEqual([])
})

test('ROLES-11 ROLES-14 a guest asks, logs out and finds nothing of hers, while the owner still has the request', async () => {
  const guest = await openBrowser(browser, shop.url)
  await guest.goto('/login/')
  await guest.getByRole('button', { name: 'Log In Anonymously' }).click()
  await guest.waitForURL((address) => address.pathname === '/')
  await guest.goto('/gallery/coasters')
  await guest.locator('main a[href^="/item/"]').first().click()
  await guest.getByRole('textbox').last().fill('A guest asks. My phone is 555 010 1234.')
  await guest.getByRole('button', { name: 'Submit' }).click()
  await guest.getByText('Order Request Sent!').waitFor()

  await guest.getByRole('button', { name: 'Your account' }).click()
  await guest.getByRole('button', { name: 'Logout' }).click()
  await guest.getByRole('button', { name: 'Yes' }).click()
  await guest.getByRole('link', { name: 'Login | Register' }).waitFor()
  await guest.goto('/login/')
  await guest.getByRole('button', { name: 'Log In Anonymously' }).click()
  await guest.waitForURL((address) => address.pathname === '/')
  await guest.goto('/?messages')
  await guest.getByRole('textbox').last().waitFor()
  expect(await guest.getByText('A guest asks.').count()).toBe(0)

  const owner = await openBrowser(browser, shop.url)
  await signIn(owner, OWNER)
  await owner.goto('/manage/messages/')
  await owner.getByText('A guest asks.').first().waitFor()
})
