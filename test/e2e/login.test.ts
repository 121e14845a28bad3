import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { offlineTexts } from '#ui/texts.ts'
import {
  CLARA,
  newCustomer,
  OWNER,
  PHONE,
  sendLogin,
  shopAndBrowser,
  signIn,
} from '#test/fixtures/browser.ts'
import { focused, hasFocus, hold, pathOf, soon, waitForOrderRequestForm } from '#test/pages/shop.ts'

const here = shopAndBrowser({ isShared: true })

const logIn = (page: Page) => page.getByRole('button', { name: 'Log In', exact: true })

test('the login page asks for the email, then for the password, and a button shows the typed password [LOGIN-03, LOGIN-04, S-202]', async () => {
  const page = await here.open('/login/')
  await logIn(page).click()
  await expect.poll(() => focused(page)).toBe('email')
  await page.getByLabel('Email').fill(CLARA.email)
  await logIn(page).click()
  await expect.poll(() => focused(page)).toBe('password')

  const eye = page.getByRole('button', { name: 'Show password' })
  const password = page.locator('#password')
  await password.fill('not-hers-at-all')
  await eye.click()
  await page.locator('#password[type=text]').waitFor()
  expect(await eye.getAttribute('aria-pressed')).toBe('true')
  expect(await focused(page)).toBe('password')
  expect(await password.inputValue()).toBe('not-hers-at-all')
  await logIn(page).click()
  await expect.poll(() => password.getAttribute('type')).toBe('password')
})

test('the login button is disabled during a login, and works again after a failure; after the login, Back skips the login page [LOGIN-28, LOGIN-30, S-010, S-205]', async () => {
  const page = await here.open('/about/')
  await page.getByRole('link', { name: 'Login | Register' }).click()
  await page.waitForURL('**/login/')
  const letGo = await hold(page, '**/login*', 'POST')
  await sendLogin(page, { ...CLARA, password: 'not-hers' })
  await page.locator('form[aria-busy="true"]').waitFor()
  await expect.poll(() => logIn(page).isDisabled()).toBe(true)
  letGo()
  await page.locator('#password[aria-invalid="true"]').waitFor()
  await expect.poll(() => logIn(page).isDisabled()).toBe(false)
  expect(await page.locator('form[aria-busy="true"]').count()).toBe(0)
  expect(await page.getByLabel('Email').inputValue()).toBe(CLARA.email)
  await expect.poll(() => focused(page)).toBe('password')

  await page.locator('#password').fill(CLARA.password)
  await page.locator('#password').press('Enter')
  await page.waitForURL(`${here.shop.url}/`)
  await page.getByRole('button', { name: 'Your account' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: /about/i }).waitFor()
  expect(page.url()).toBe(`${here.shop.url}/about/`)
})

test(
  'an error message on the login page stays until the next attempt, even when the page’s data is loaded again [S-242, LOGIN-29]',
  { tags: ['core'] },
  async () => {
    const owner = await here.open('/manage/settings/', { as: OWNER })
    const page = await here.open('/login/')
    const rename = async (name: string) => {
      await owner.getByLabel('Shop name').fill(name)
      await owner.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByRole('banner').getByText(name).waitFor()
    }
    await sendLogin(page, { email: 'unknown@mail.test', password: 'a-good-password' })
    const refused = page.getByRole('alert').getByText('User not Found')
    await refused.waitFor()
    await rename('Knots & Lace')
    expect(await refused.isVisible()).toBe(true)

    await page.route(/\/login.*\.data/, (route) => route.fulfill({ status: 502 }))
    await logIn(page).click()
    await page.getByText(offlineTexts.notSent).waitFor()
    // The message is hidden while the form is being sent, and then returns.
    await refused.waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('a-good-password')
  },
)

test(
  'a guest must confirm the logout, and stays on the same page [TOAST-05, NAV-42, S-004, S-017]',
  { tags: ['core'] },
  async () => {
    const page = await here.open('/login/')
    await page.getByRole('button', { name: 'Log In Anonymously' }).click()
    await page.waitForURL(`${here.shop.url}/`)
    await page.goto('/about/')
    const login = page.getByRole('link', { name: 'Login | Register' })
    const answer = async (choice: string) => {
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('button', { name: 'Logout' }).click()
      await page
        .getByRole('dialog', { name: /To keep it, choose “No”/ })
        .getByRole('button', { name: choice })
        .click()
    }
    await answer('No')
    expect(await login.count()).toBe(0)
    await page.keyboard.press('Escape')
    await answer('Yes')
    await login.waitFor()
    expect(pathOf(page)).toBe('/about/')
  },
)

test('on a phone, a guest who registers with a used email sees why it was refused [S-202]', async () => {
  const page = await here.open('/login/', { viewport: PHONE })
  await page.getByRole('button', { name: 'Log In Anonymously' }).click()
  await page.waitForURL(`${here.shop.url}/`)
  await page.goto('/link-guest/')
  await page.getByLabel('Email').fill(CLARA.email)
  await page.getByLabel('Password', { exact: true }).fill('a-good-password')
  await page.getByLabel('Password', { exact: true }).evaluate((element) => element.scrollIntoView())
  await page.getByRole('button', { name: 'Register' }).click()
  const refusal = page.locator('#refusal:not(:empty)')
  await refusal.waitFor()
  const isHidden = (element: Element) =>
    element.getBoundingClientRect().top <
    document.querySelector('header')!.getBoundingClientRect().bottom
  await expect.poll(() => refusal.evaluate(isHidden)).toBe(false)
})

test('after a customer has sent an order request and logged out, the form asks her to log in again [S-017]', async () => {
  const page = await here.open('/item/three-diamonds-wall-hanging', { as: CLARA })
  await waitForOrderRequestForm(page)
  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Your request was sent.').waitFor()
  await page.getByRole('button', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Please Login to Order' }).waitFor()
  expect(await page.getByText('Your request was sent.').count()).toBe(0)
})

test('a logout in one browser tab also logs out the other tab, even after the shop has restarted', async () => {
  const first = await here.open('/about/', { as: newCustomer('tabs@mail.test') })
  const second = await first.context().newPage()
  await second.goto('/about/')
  const login = second.getByRole('link', { name: 'Login | Register' })
  expect(await login.count()).toBe(0)

  await here.shop.kill()
  await here.shop.start()
  const logOut = () =>
    fetch('/logout', { method: 'POST', body: new URLSearchParams({ back: '/' }) }).then(
      ({ ok }) => ok,
    )
  expect(await first.evaluate(logOut)).toBe(true)
  await soon(() => login.count()).toBe(1)
})

test(
  'a logout, and a session that ends elsewhere, replace the document, which keeps no data of the owner [LOGIN-59, S-486]',
  { tags: ['core'] },
  async () => {
    const page = await here.open('/manage/messages/', { as: OWNER })
    const html = () => page.content()
    const stored = () => page.evaluate(() => JSON.stringify(localStorage))
    const openAndType = async () => {
      await page.goto('/manage/messages/')
      expect(await html()).toContain(CLARA.email)
      await page.evaluate(() => localStorage.setItem('unsent:draft:owner:a', 'Dear Clara'))
      await page.getByRole('link', { name: 'About' }).first().click()
      await page.waitForURL('**/about/')
    }
    const expectNothingLeft = async () => {
      await page.getByRole('link', { name: 'Login | Register' }).waitFor()
      await soon(html).not.toContain(CLARA.email)
      expect(await stored()).not.toContain('Dear Clara')
    }

    await openAndType()
    await page.getByRole('button', { name: 'Your account' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expectNothingLeft()

    await signIn(page, OWNER)
    await openAndType()
    const elsewhere = await here.open('/account/', { as: OWNER })
    const others = { intent: 'others', confirm: 'Yes' }
    const { origin } = new URL(elsewhere.url())
    await elsewhere.request.post('/account/devices', { form: others, headers: { origin } })
    await expectNothingLeft()
  },
)

test(
  'after a login in one browser tab, the other tab shows it, and keeps what was typed [LOGIN-60]',
  { tags: ['core'] },
  async () => {
    const first = await here.open('/login/')
    const second = await first.context().newPage()
    await second.goto('/contact/')
    const message = second.getByRole('textbox', { name: 'Message' })
    await message.fill('Do you ship to Norway?')
    await sendLogin(first, CLARA)
    await second.getByRole('button', { name: 'Your account' }).waitFor()
    expect(await message.inputValue()).toBe('Do you ship to Norway?')
  },
)

test('after a visitor has logged in to order, her phone shows the order request form, even if the browser must first load the code of the form [OWN-76, S-017]', async () => {
  const page = await here.open('/item/three-diamonds-wall-hanging', { viewport: PHONE })
  await page.getByRole('link', { name: 'Please Login to Order' }).click()
  await page.waitForURL('**/login/?from=*')
  await page.reload()
  await sendLogin(page, CLARA)
  await page.waitForURL('**/item/*#order-request')
  const form = page.locator('#order-request')
  await soon(() => hasFocus(form)).toBe(true)
  expect(await form.evaluate((box) => box.getBoundingClientRect().top)).toBeLessThan(150)
})
