import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { newCustomer, OWNER, PHONE, sendLogin, shopAndBrowser } from '#test/fixtures/browser.ts'
import { bubble, log, openAsOwner } from '#test/pages/chat.ts'
import { hasFocus, overflow, soon, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const card = (page: Page) => page.getByRole('group', { name: 'Offer' }).last()
const READY = 'Your order is ready. The balance to pay is $52.50.'
const messageBox = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test(
  'on two phones, a request becomes an offer, an agreement, a payment and a parcel that arrives [AGREE-15, AGREE-31, AGREE-134, OWN-31, S-171, S-276, S-402]',
  { tags: ['core'] },
  async () => {
    const owner = await here.open('/manage/', { as: OWNER, viewport: PHONE })
    const ann = await here.open('/item/two-sisters-dream-catcher/', { viewport: PHONE })

    // 1. A new customer requests a piece.
    await ann.getByRole('link', { name: 'Please Login to Order' }).click()
    await sendLogin(ann, { email: 'ann@example.com', password: 'ann-likes-knots' }, 'Register')
    await waitForOrderRequestForm(ann)
    await ann
      .getByRole('textbox', { name: 'Message' })
      .fill('With blue feathers, please, and our name on it.')
    await button(ann, 'Submit').click()
    await ann.getByRole('link', { name: 'See the conversation' }).click()

    // 2. The owner sends an offer with the piece and a typed line.
    await owner.goto('/manage/messages/')
    await owner.getByRole('link', { name: /With blue feathers/ }).click()
    await owner.getByRole('link', { name: 'Order', exact: true }).click()
    await owner.getByRole('link', { name: 'Make an offer' }).click()
    await owner.getByLabel('Size or notes').fill('blue feathers')
    await button(owner, 'Add a line').click()
    await soon(() => hasFocus(owner.getByLabel('What it is'))).toBe(true)
    await owner.getByLabel('What it is').fill('Name tag')
    await owner.getByLabel('Price each').last().fill('6')
    await owner.getByLabel('Shipping').fill('5')
    await owner.getByLabel('Ask for an address when the offer is accepted').check()
    expect(await overflow(owner)).toBe(0)
    await button(owner, 'Send offer').click()
    await card(owner)
      .getByText(/^(Sent|Seen)$/)
      .waitFor()

    // 3. The customer sees the offer without a reload and accepts it; both see the agreement.
    await card(ann).getByText('$75.00').waitFor()
    await card(ann).getByText('Request a change').click()
    await card(ann).getByLabel('What should be different?').fill('Green feathers?')
    await ann.reload()
    await card(ann).getByLabel('What should be different?').waitFor()
    await soon(() => card(ann).getByLabel('What should be different?').inputValue()).toBe(
      'Green feathers?',
    )
    await button(ann, 'Send request').click()
    await soon(() => hasFocus(card(ann).getByText('Request a change'))).toBe(true)
    await card(ann).getByText('Request a change').click()
    await card(ann).getByLabel('What should be different?').fill('Blue feathers?')
    await button(ann, 'Accept offer').click()
    await card(ann).getByText('Accepted').waitFor()
    const heading = ann.getByRole('heading', { name: 'Messages', exact: true })
    await soon(() => hasFocus(heading)).toBe(true)
    await soon(() =>
      ann.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':offer '))),
    ).toEqual([])
    await card(owner).getByText('Accepted').waitFor()

    // 4. She gives her address, and the owner marks the deposit as paid.
    await card(ann).getByLabel('Name on the package').fill('Ann Knotwell')
    await card(ann).getByLabel('Address').fill('5 Elm Road\nAsheville, NC')
    await ann.getByRole('link', { name: 'Close messages' }).click()
    await ann.getByRole('link', { name: 'No unread messages' }).click()
    expect(await card(ann).getByLabel('Name on the package').inputValue()).toBe('Ann Knotwell')
    expect(await card(ann).getByLabel('Address').inputValue()).toBe('5 Elm Road\nAsheville, NC')
    await button(ann, 'Save address').click()
    await card(owner).getByText('5 Elm Road').waitFor()
    await soon(() =>
      ann.evaluate(() =>
        Object.keys(localStorage).filter((key) => /:(recipient|address) /.test(key)),
      ),
    ).toEqual([])
    await card(ann).getByText('Deposit to pay').waitFor()
    await ann.getByRole('link', { name: 'Pay the deposit $22.50' }).click()
    await soon(() => hasFocus(card(ann).getByRole('region', { name: 'Payment' }))).toBe(true)
    await ann.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await button(ann, 'Copy: Reference').click()
    await ann.getByText('Reference copied').waitFor()
    expect(await ann.evaluate(() => navigator.clipboard.readText())).toMatch(/^KL-/)
    await card(owner).getByText('Mark as paid').click()
    await card(owner).getByLabel('Paid on').fill('2099-01-01')
    await card(owner)
      .getByRole('button', { name: /^Deposit paid: \$22\.50/ })
      .click()
    await card(owner).getByText('This day is in the future.').waitFor()
    expect(await hasFocus(card(owner).getByLabel('Paid on'))).toBe(true)
    await card(owner).getByLabel('Paid on').fill('')
    await card(owner)
      .getByRole('button', { name: /^Deposit paid: \$22\.50/ })
      .click()
    await card(ann)
      .getByText(/Deposit paid on/)
      .waitFor()

    // 5. The owner makes the pieces; the customer sees each step, and then the open amount.
    await messageBox(owner).fill('Dear Ann,')
    await owner.goto('/manage/queue/')
    const start = owner.getByRole('button', { name: 'Start making: Two Sisters Dream Catcher' })
    await start.click()
    await card(ann).getByText('Being made').waitFor()
    await owner.getByRole('button', { name: 'Mark ready: Two Sisters Dream Catcher' }).click()
    await card(ann).getByText('Ready', { exact: true }).waitFor()
    await owner.getByRole('button', { name: 'Start making: Name tag' }).click()
    await owner.getByRole('button', { name: 'Mark ready: Name tag' }).click()
    await owner.getByRole('link', { name: 'Tell ann: ready, $52.50 to pay' }).first().waitFor()
    expect(await overflow(owner)).toBe(0)
    await owner.getByRole('link', { name: 'Tell ann: ready, $52.50 to pay' }).first().click()
    await soon(() => messageBox(owner).inputValue()).toBe(`Dear Ann,\n${READY}`)
    await soon(() => new URL(owner.url()).search).toBe('')
    await owner.reload()
    await soon(() => messageBox(owner).inputValue()).toBe(`Dear Ann,\n${READY}`)
    await button(owner, 'Send').click()
    await ann.getByRole('log').getByText(READY).waitFor()
    expect(await messageBox(owner).inputValue()).toBe('')

    // 6. The owner completes the sale at the agreed price and ships the unpaid parcel.
    await owner.getByRole('link', { name: 'Order', exact: true }).click()
    expect(await owner.getByLabel('Sale price').first().inputValue()).toBe('64.00')
    expect(await button(owner, 'Remove').count()).toBe(0)
    await button(owner, 'Sale Complete').first().click()
    await button(owner, 'Sale Completed').waitFor()
    await owner.getByRole('link', { name: 'Messages', exact: true }).last().click()
    const slip = await card(owner).getByRole('link', { name: 'A6' }).getAttribute('href')
    expect((await owner.request.get(slip!)).status()).toBe(200)
    await card(owner).getByText('Ship it').click()
    await card(owner).getByLabel('Carrier').selectOption('USPS')
    await card(owner).getByLabel('Tracking number').fill('9400100000000000000001')
    await card(owner).getByLabel('Tracking number').press('Enter')
    await owner.getByText('$52.50 are not paid yet. Ship anyway?').waitFor()
    await button(owner, 'No').click()
    await button(owner, 'Mark as shipped').click()
    await button(owner, 'Yes').click()

    // 7. The customer follows the parcel and confirms that it arrived.
    await card(ann)
      .getByRole('link', { name: /Track with/ })
      .waitFor()
    expect(await overflow(ann)).toBe(0)
    await button(ann, 'Mark as received').click()
    await card(owner)
      .getByText(/Arrived on/)
      .waitFor()
    await soon(() => ann.getByRole('log').getByText('My package has arrived.').count()).toBe(1)
    await soon(() => hasFocus(heading)).toBe(true)
    await ann.keyboard.press('Escape')
    await heading.waitFor({ state: 'detached' })
  },
)

test('when an owner who has scrolled up cancels an agreement on a phone, the message about the cancellation is visible [S-405]', async () => {
  const owner = await here.open('/manage/', { as: OWNER, viewport: PHONE })
  await openAsOwner(owner, 'Amara Okafor')
  await log(owner).evaluate((box) => box.scrollTo({ top: -200 }))
  await button(owner, 'Cancel agreement').click()
  await button(owner, 'Yes').click()
  const message = bubble(owner, 'I cancel this agreement.')
  await message.waitFor()
  const isWhole = async () => {
    const [inner, outer] = [(await message.boundingBox())!, (await log(owner).boundingBox())!]
    return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
  }
  await soon(isWhole).toBe(true)
})

test('the open offer form keeps what the owner typed, its id and its sum while the customer requests another piece [S-450]', async () => {
  const wilma = await here.open('/about', { as: newCustomer('wilma@mail.test') })
  const request = (itemId: string) =>
    wilma.request.post('/order-request', {
      form: { itemId, message: 'This one?' },
      headers: { origin: here.shop.url },
      maxRedirects: 0,
    })
  await request('two-sisters-dream-catcher')
  const owner = await here.open('/manage/', { as: OWNER })
  await openAsOwner(owner, 'wilma')
  await owner.goto(owner.url().replace('messages', 'offer'))
  await owner.getByLabel('Price each').fill('50')
  await owner.getByLabel('Size or notes').fill('blue feathers')
  const fields = () =>
    owner
      .locator('form', { hasText: 'Send offer' })
      .evaluate((form: HTMLFormElement) => [...new FormData(form)])
  const typed = await fields()
  const unread = () =>
    owner.getByRole('link', { name: /unread message/ }).getAttribute('aria-label')
  const before = await unread()
  await request('daisy-dream-catcher')
  await soon(unread).not.toBe(before)
  expect(await fields()).toEqual(typed)
  await owner.getByText('Total $50.00').waitFor()
  await button(owner, 'Send offer').click()
  await card(owner).getByText('$50.00').first().waitFor()
})
