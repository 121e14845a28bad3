import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  CLARA,
  type Login,
  newCustomer,
  OWNER,
  PHONE,
  shopAndBrowser,
  signIn,
} from '#test/fixtures/browser.ts'
import { openAsOwner } from '#test/pages/chat.ts'
import { focused, hold, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })

const NORA = newCustomer('nora@mail.test')
const ITEM = '/item/parade-tassel-garland'
/** Matches the URLs of the forms that the router and the chat send. */
const FORMS = /\.data|\/messages/
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true })
const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })

type Case = {
  what: string
  as?: Login
  path: string
  /** prepares the form, and returns the element on which the test presses Enter */
  begin: (page: Page) => Promise<Locator>
  /**
   * matches the name of the focused element after the HTTP response, and also before the HTTP
   * response if `pending` is absent
   */
  then: RegExp
  pending?: RegExp
  /**
   * if true, the test presses Enter only once, because a second press would send a different value
   */
  isToggle?: boolean
}
const cases: Case[] = [
  {
    what: 'the contact form',
    path: '/contact/?tab=mail',
    async begin(page) {
      const texts = {
        Name: 'Dora',
        'Email Address': 'dora@mail.test',
        Phone: '1234567890',
        Message: 'Hello',
      }
      for (const [label, text] of Object.entries(texts)) await field(page, label).fill(text)
      return button(page, 'Submit')
    },
    then: /^Submit$/,
  },
  {
    what: 'a heart of the gallery',
    as: CLARA,
    path: '/gallery/coasters',
    begin: async (page) => button(page, /^Favorite/).first(),
    then: /^Favorite/,
    isToggle: true,
  },
  {
    what: '"Duplicate"',
    as: OWNER,
    path: '/manage/item/sunflower-coaster',
    begin: async (page) => button(page, 'Duplicate'),
    then: /Sunflower Coaster/,
    pending: /^Duplicate$/,
  },
  {
    what: 'an order request',
    as: CLARA,
    path: ITEM,
    async begin(page) {
      await waitForOrderRequestForm(page)
      await field(page, 'Message').fill('For a window of two metres?')
      return button(page, 'Submit')
    },
    then: /^Your request was sent/,
    pending: /^Sending/,
  },
  {
    what: 'the logout of the only other device',
    as: NORA,
    path: '/account/',
    async begin(page) {
      await page.context().clearCookies()
      await signIn(page, { ...NORA, intent: 'login' })
      await page.goto('/account/')
      return button(page, /^Log out /)
    },
    then: /^Devices$/,
    pending: /^Log out /,
  },
  {
    what: 'an item',
    as: OWNER,
    path: '/manage/item/parade-tassel-garland',
    async begin(page) {
      await page.getByLabel('Name *').fill('Parade Tassel Garland II')
      return page.getByLabel('Name *')
    },
    then: /^Update Item$/,
    pending: /^Saving/,
  },
  {
    what: 'a testimonial',
    as: OWNER,
    path: '/manage/testimonials/',
    begin: async (page) => button(page, /^Validate/).first(),
    then: /^(Testimonials|Reviewed)$/,
    pending: /^Validate/,
  },
  {
    what: 'a sale',
    as: OWNER,
    path: '/manage/messages/',
    async begin(page) {
      await page
        .getByRole('navigation', { name: 'Conversations' })
        .getByRole('link', { name: 'Clara' })
        .first()
        .click()
      await page.getByRole('link', { name: 'Order', exact: true }).click()
      await page.getByLabel('Sale price').first().fill('12')
      return button(page, 'Sale Complete').first()
    },
    then: /^(See the receipt|Order)/,
    pending: /^Sale Complete$/,
  },
]

/** Waits until no page is loading and no button is pending. */
const isIdle = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('[data-navigation]')?.getAttribute('data-navigation') === 'idle' &&
      document.querySelector('main [aria-busy=true]') === null,
  )
const focusedField = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement
    return at.tagName === 'BODY'
      ? 'nowhere'
      : at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent
  })

test.each(cases)(
  'pressing Enter twice sends $what once and keeps the focus [S-275, S-276]',
  async ({ as, path, begin, pending, then, isToggle }) => {
    const page = await here.open(path, { as })
    const pressed = await begin(page)
    const letGo = await hold(page, FORMS, 'POST')
    let sent = 0
    page.on(
      'request',
      (request) => void (request.method() === 'POST' && FORMS.test(request.url()) && sent++),
    )
    await pressed.focus()
    await page.keyboard.press('Enter')
    if (!isToggle) await page.keyboard.press('Enter')
    await expect.poll(() => sent).toBe(1)
    await expect.poll(() => focusedField(page)).toMatch(pending ?? then)
    if (!isToggle) await page.keyboard.press('Enter')
    const answered = page.waitForResponse((response) => response.request().method() === 'POST')
    letGo()
    await answered
    await isIdle(page)
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    )
    await expect.poll(() => focusedField(page)).toMatch(then)
    expect(sent).toBe(1)
  },
)

test('a customer can send a form while a different form is pending, and "Write another request" focuses the message field [S-275, S-276]', async () => {
  const page = await here.open(ITEM, { as: CLARA })
  await waitForOrderRequestForm(page)
  const ask = async (text: string) => {
    await field(page, 'Message').fill(text)
    const answered = page.waitForResponse(/order-request/)
    await button(page, 'Submit').click()
    await answered
    await expect.poll(() => page.getByText('Your request was sent.').count()).toBe(1)
  }
  await ask('In sage?')
  await button(page, 'Write another request').click()
  expect(await focusedField(page)).toBe('Message')
  const letGo = await hold(page, /favourite/)
  await button(page, /^Favorite/)
    .first()
    .click()
  await ask('And one for a friend?')
  letGo()
})

const refusedForms = [
  {
    what: 'a request for a change',
    as: { ...CLARA, email: 'rosa@example.com' },
    path: '/?messages=',
    fold: 'Request a change',
    send: 'Send request',
    invalid: 'What should be different?',
  },
  {
    what: 'an address',
    as: { ...CLARA, email: 'amara@example.com' },
    path: '/?messages=',
    fold: 'Change the address',
    send: 'Save new address',
    invalid: 'Address',
  },
  {
    what: 'a saved reply',
    as: OWNER,
    path: '/manage/replies/',
    fold: '',
    send: 'Add',
    invalid: 'Name',
  },
  {
    what: 'a sale of the market stall',
    as: OWNER,
    path: '/manage/market/',
    fold: 'Other amount',
    send: 'Sold',
    invalid: 'Price',
  },
  {
    what: 'a sale below the accepted price',
    as: OWNER,
    path: '/manage/messages/',
    conversation: 'Amara Okafor',
    fold: 'Order',
    send: 'Sale Complete',
    invalid: 'Sale price',
    typed: '1',
  },
]
test.each(refusedForms)(
  'after $what was refused on a phone, its first invalid field has the focus, and the error is directly below it [S-401]',
  async ({ as, path, fold, send, invalid, conversation, typed = '' }) => {
    const page = await here.open(path, { as, viewport: PHONE })
    if (conversation) await openAsOwner(page, conversation)
    if (fold) await page.getByText(fold, { exact: true }).click()
    const text = page.getByLabel(invalid, { exact: true }).and(page.locator(':visible')).first()
    await text.fill(typed)
    await button(page, send).first().click()
    await expect
      .poll(() =>
        text.evaluate(
          (element) =>
            element.getAttribute('aria-invalid') === 'true' && element === document.activeElement,
        ),
      )
      .toBe(true)
    const errorId = (await text.getAttribute('aria-describedby'))!.split(' ').at(-1)
    const [error, box] = [page.locator(`[id="${errorId}"]`), (await text.boundingBox())!]
    expect((await error.boundingBox())!.y - box.y - box.height).toBeLessThan(20)
  },
)

test('if a page was loaded with the open message panel, the bell gets the focus when the panel closes [NAV-48, S-400]', async () => {
  const page = await here.open('/about?messages=', {
    as: newCustomer('ivy@mail.test'),
    viewport: PHONE,
  })
  await field(page, 'Message').press('Escape')
  await expect.poll(() => focused(page)).toBe('No unread messages')
})
