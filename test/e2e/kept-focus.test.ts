// Whoever sends by keyboard keeps her place, and nothing goes out twice: one form after the other, each held while it is under way.
import { onTestFinished, test, expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { OWNER } from './open-served-shop.ts'
import { openBrowser, signIn } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

const around = shopAndBrowser({ demo: true })
const CLARA = { email: 'clara@example.com', password: 'knots-and-love' }
const ITEM = '/item/parade-tassel-garland'
/** What the router and the chat send. */
const FORMS = /\.data|\/messages/

type Case = {
  path: string
  /** what is filled in or opened first; the focus is where Enter will be pressed */
  begin: (page: Page) => Promise<Locator>
  /** what has the focus when the answer is there; unless told otherwise it has it meanwhile too */
  then: RegExp
  meanwhile?: RegExp
  /** a second press asks for something else */
  isToggle?: boolean
}
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

const cases: Record<'visitor' | 'customer' | 'owner', Record<string, Case>> = {
  visitor: {
    'a login that is refused': {
      path: '/login/',
      async begin(page) {
        await page.getByLabel('Email').fill(CLARA.email)
        await page.getByLabel('Password', { exact: true }).fill('not this one')
        return page.getByLabel('Password', { exact: true })
      },
      then: /^Password/,
    },
    'the contact form': {
      path: '/contact/?tab=mail',
      async begin(page) {
        for (const [label, text] of Object.entries({
          Name: 'Dora',
          'Email Address': 'dora@mail.test',
          Phone: '1234567890',
          Message: 'Hello',
        }))
          await page.getByLabel(label, { exact: true }).fill(text)
        return button(page, 'Submit')
      },
      then: /^Submit$/,
    },
  },
  customer: {
    'a heart of the gallery': {
      path: '/gallery/coasters',
      begin: async (page) => button(page, /^Favorite/).first(),
      then: /^Favorite/,
      isToggle: true,
    },
    'an order request': {
      path: ITEM,
      async begin(page) {
        // Its code comes after the page's; until then the form is sent by the browser itself.
        await page.waitForFunction(() => performance.getEntriesByType('resource').some(({ name }) => name.includes('order-request-box')))
        await page.getByRole('textbox', { name: 'Message' }).fill('For a window of two metres?')
        return button(page, 'Submit')
      },
      then: /^Submit$/,
      meanwhile: /^Sending/,
    },
    'a chat message': {
      path: '/?messages=',
      async begin(page) {
        await page.getByRole('textbox', { name: 'Message' }).fill('And one in sage?')
        return page.getByRole('textbox', { name: 'Message' })
      },
      then: /^Message$/,
    },
    'a new name': { path: '/account/', begin: async (page) => page.getByLabel('Name', { exact: true }), then: /^Name$/ },
    'the only other device': {
      path: '/account/',
      begin: async (page) => button(page, /^Log out /),
      then: /^Devices$/,
      meanwhile: /^Log out /,
    },
  },
  owner: {
    'an item': {
      path: '/manage/item/parade-tassel-garland',
      async begin(page) {
        await page.getByLabel(/^Name/).first().fill('Parade Tassel Garland II')
        return page.getByLabel(/^Name/).first()
      },
      then: /^Update Item$/,
      meanwhile: /^Saving/,
    },
    'a testimonial': {
      path: '/manage/testimonials/',
      begin: async (page) => button(page, /^Validate/).first(),
      then: /^(Testimonials|Looked at)$/,
      meanwhile: /^Validate/,
    },
    'a sale': {
      path: '/manage/messages/',
      async begin(page) {
        await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name: 'Clara' }).first().click()
        await page.getByRole('link', { name: 'Order', exact: true }).click()
        await page.getByLabel('Sale price').first().fill('12')
        return button(page, 'Sale Complete').first()
      },
      then: /^(See the receipt|Order)/,
      meanwhile: /^Sale Complete$/,
    },
    'a discount of a color': {
      path: '/manage/discount/?tab=colors',
      begin: async (page) => page.getByRole('region', { name: 'Colors Discount' }).getByRole('button', { name: 'Go' }),
      then: /^Go$/,
    },
  },
}

/** Script has taken over the page. */
const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
/** No page is on its way, and no button waits for an answer. */
const isIdle = () =>
  document.querySelector('[data-going]')?.getAttribute('data-going') === 'idle' && document.querySelector('main [aria-busy=true]') === null
/** By its name, or that of its field; the body has none. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement as HTMLInputElement
    return at.tagName === 'BODY' ? 'nowhere' : at.getAttribute('aria-label') || at.labels?.[0]?.textContent || at.textContent
  })

/** Holds the form back until it is let go, and counts. */
async function holdForms(page: Page) {
  const held = Promise.withResolvers<void>()
  let count = 0
  await page.route(FORMS, async (route) => {
    if (route.request().method() === 'POST') {
      count += 1
      await held.promise
    }
    await route.continue()
  })
  return { count: () => count, letGo: held.resolve }
}

for (const [who, theirs] of Object.entries(cases))
  test(`S-275 S-276 by keyboard the ${who} sends once and keeps her place: ${Object.keys(theirs).join(', ')}`, async () => {
    const { shop, browser } = around
    const page = await openBrowser(browser, shop.url)
    onTestFinished(() => page.context().close())
    // A second time, so that there is another device.
    for (const person of { visitor: [], customer: [CLARA, CLARA], owner: [OWNER] }[who]!) {
      await page.context().clearCookies()
      await signIn(page, person)
    }
    for (const [what, { path, begin, meanwhile, then, isToggle }] of Object.entries(theirs)) {
      await page.goto(path)
      await awake(page)
      const pressed = await begin(page)
      const forms = await holdForms(page)
      await pressed.focus()
      await page.keyboard.press('Enter')
      if (!isToggle) await page.keyboard.press('Enter')
      await expect.poll(forms.count, { message: what }).toBe(1)
      await expect.poll(() => focused(page), { message: what }).toMatch(meanwhile ?? then)
      if (!isToggle) await page.keyboard.press('Enter')
      const answered = page.waitForResponse((response) => response.request().method() === 'POST')
      forms.letGo()
      await answered
      await page.waitForFunction(isIdle)
      // Once what is drawn is up to date.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
      await expect.poll(() => focused(page), { message: what }).toMatch(then)
      expect(forms.count(), what).toBe(1)
      await page.unroute(FORMS)
    }
  })

test('S-275 something else that is under way keeps no form from being sent', async () => {
  const { shop, browser } = around
  const page = await openBrowser(browser, shop.url)
  onTestFinished(() => page.context().close())
  await signIn(page, CLARA)
  await page.goto('/item/parade-tassel-garland')
  await awake(page)
  const ask = async (text: string) => {
    await page.getByRole('textbox', { name: 'Message' }).fill(text)
    const answered = page.waitForResponse(/order-request/)
    await button(page, 'Submit').click()
    await answered
    await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('')
  }
  await ask('In sage?')
  await page.waitForFunction(isIdle)
  const heart = Promise.withResolvers<void>()
  await page.route(/favourite/, async (route) => {
    await heart.promise
    await route.continue()
  })
  await button(page, /^Favorite/)
    .first()
    .click()
  await ask('And one for a friend?')
  heart.resolve()
})
