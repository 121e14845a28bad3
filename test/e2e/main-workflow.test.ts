import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { OWNER, PHONE, shopAndBrowser, signInOnScreen } from '#test/fixtures/browser.ts'
import { readPdf, scanPage } from '#test/fixtures/pdf.ts'
import { pathOf, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const bell = (page: Page, count: number) =>
  page.getByRole('link', {
    name: count === 1 ? '1 unread message' : `${count} unread messages`,
    exact: true,
  })

test(
  'a visitor requests an item, and the sale gets documents and a ticket [ITEM-33, MSG-33, SALES-59]',
  { tags: ['core'] },
  async () => {
    const owner = await here.open('/manage/', { as: OWNER, viewport: PHONE })

    // 1. A visitor finds an item.
    const ann = await here.open('/', { viewport: PHONE })
    await ann.getByRole('link', { name: 'Browse the gallery' }).first().click()
    await ann.waitForURL('**/gallery/')
    await ann
      .getByRole('main')
      .getByRole('link', { name: 'Plant Hangers', exact: true })
      .filter({ visible: true })
      .click()
    await ann.getByRole('heading', { level: 1, name: 'Plant Hangers' }).waitFor()
    await ann.getByRole('link', { name: 'Morning Light Plant Hanger' }).first().click()
    await ann.getByText('Please Login to Order').waitFor()
    const itemPath = pathOf(ann)
    const itemName = await ann.getByRole('heading', { level: 1 }).innerText()

    // 2. The visitor registers, marks the item as a favorite and sends an order request for the
    // item.
    await signInOnScreen(ann, { email: 'ann@example.com', password: 'ann-likes-knots' }, 'Register')
    await ann.goto(itemPath)
    await ann
      .getByRole('button', { name: `Favorite: ${itemName}` })
      .first()
      .click()
    await ann
      .getByRole('button', { name: `Favorite: ${itemName}`, pressed: true })
      .first()
      .waitFor()
    await waitForOrderRequestForm(ann)
    await ann
      .getByRole('textbox', { name: 'Message' })
      .fill('Could it be a little longer? Write to me in app.')
    const before =
      Number.parseInt(
        (await owner.getByRole('link', { name: /unread message/ }).getAttribute('aria-label'))!,
        10,
      ) || 0
    await ann.getByRole('button', { name: 'Submit' }).click()
    await ann.getByText('Order Request Sent!').waitFor()

    // 3. The unread number on the owner's bell increases without a reload. The owner opens the
    // conversation and replies.
    await bell(owner, before + 1).click()
    await owner.getByRole('link', { name: /ann/ }).first().click()
    await owner.getByText('Could it be a little longer?').last().waitFor()
    await owner.getByRole('textbox', { name: 'Message' }).fill('Yes, by a hand. Shall I?')
    await owner.getByRole('button', { name: 'Send' }).click()
    await bell(ann, 1).click()
    await ann.getByText('Yes, by a hand. Shall I?').waitFor()
    await ann.getByRole('complementary').getByRole('textbox').focus()
    await ann.getByRole('link', { name: 'No unread messages' }).waitFor()
    await bell(owner, before).waitFor()

    // 4. The owner completes the sale, which gets a receipt and an invoice.
    await owner.getByRole('link', { name: 'Order', exact: true }).click()
    await owner.getByLabel('Sale price').fill('30')
    await owner.getByRole('button', { name: 'Sale Complete' }).click()
    const toasts = owner.getByRole('status').getByRole('button')
    await expect
      .poll(() => toasts.allInnerTexts())
      .toEqual([
        'Successfully Added Sales Record...',
        'Sale Completed! Invoice Management will show at Sales',
      ])
    expect(
      await owner.getByRole('button', { name: 'Sale Completed', exact: true }).isDisabled(),
    ).toBe(true)
    await owner.goto('/manage/sales/')
    await owner.getByText(itemName).first().click()
    await owner.getByRole('checkbox', { name: 'Invoice' }).check()
    const onPaper = async () => (await readPdf(await owner.pdf())).pages
    expect((await onPaper())[0]).toMatch(/INVOICE.*FREE.*\$30\.00/)
    await owner.getByPlaceholder('Enter Shipping Price, 0 for FREE').fill('4,50')
    expect((await onPaper())[0]).toMatch(/INVOICE.*\$4\.50.*\$34\.50/)

    // 5. The owner prints the invoice, the thank-you card and the testimony ticket for the parcel,
    // and downloads all three as one PDF file.
    await owner.evaluate(() =>
      Object.assign(window, { print: () => document.body.setAttribute('data-printed', '') }),
    )
    for (const paper of ['Thank you card', 'Testimony Ticket']) {
      await owner.getByLabel(paper).check()
    }
    await owner.getByRole('button', { name: 'Print' }).click()
    await owner.locator('body[data-printed]').waitFor()
    const [invoice, card, ticket] = await onPaper()
    const number = /NUMBER(\d{4,})DATE/.exec(invoice!)?.[1]
    expect(number).toEqual(expect.any(String))
    expect(card).toEqual(expect.stringContaining('Dear'))
    expect(ticket).toEqual(expect.stringContaining('$5OFF'))
    const [file] = await Promise.all([
      owner.waitForEvent('download'),
      owner.getByRole('button', { name: 'Download PDF' }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`invoice-${number}.pdf`)
    const bytes = await readFile(await file.path())
    expect((await readPdf(bytes)).pages[0]).toMatch(new RegExp(`INVOICE.*${number}.*\\$34\\.50`))

    // 6. The customer scans the QR code of the testimony ticket.
    await ann.goto((await scanPage(bytes, 3))!.text)
    await ann.getByLabel('Email').fill('ann@example.com')
    await ann.getByText("You're All set!").waitFor()
    expect([...ann.errors, ...owner.errors]).toEqual([])
  },
)
