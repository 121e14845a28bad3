import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import type { Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, collectViolations } from '#test/fixtures/axe.ts'
import { unzipped } from '#test/fixtures/backups.ts'
import {
  newCustomer,
  OWNER,
  PHONE,
  sendLogin,
  shopAndBrowser,
  signIn,
} from '#test/fixtures/browser.ts'
import { focused, hasFocus, pathOf, soon, toast } from '#test/pages/shop.ts'

const here = shopAndBrowser()

test('the password dialog focuses a refused password and is empty when it opens again, and a password change logs out the customer’s other device [LOGIN-19, LOGIN-30, LOGIN-55, S-219, S-220, S-430]', async () => {
  const ann = newCustomer('ann@mail.test')
  const desk = await here.open('/account/', { as: ann })
  const phone = await here.open('/account/', { as: { ...ann, intent: 'login' }, viewport: PHONE })
  const prompt = desk.getByRole('dialog', { name: 'Change Password' })
  const open = () => desk.getByRole('button', { name: 'Change Password' }).click()
  const fill = async (current: string, password = 'an-even-better-one') => {
    await prompt.getByLabel('Current Password').fill(current)
    await prompt.getByLabel('New Password').fill(password)
    await prompt.getByRole('button', { name: 'Submit' }).click()
  }
  await open()
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await soon(() => prompt.locator(':invalid').count()).toBe(3)
  await fill('not-her-password')
  await prompt.getByRole('alert').getByText('Invalid Credentials').waitFor()
  await soon(() => hasFocus(prompt.getByLabel('Current Password'))).toBe(true)
  await fill(ann.password, 'password1')
  await prompt.getByRole('alert').getByText('Unable to Update Password').waitFor()
  await soon(() => hasFocus(prompt.getByLabel('New Password'))).toBe(true)
  await desk.keyboard.press('Escape')
  await open()
  await soon(() => prompt.getByLabel('New Password').inputValue()).toBe('')
  await soon(() => prompt.getByRole('alert').textContent()).toBe('')
  await fill(ann.password)
  await desk.getByText('Password changed').waitFor()
  await prompt.waitFor({ state: 'hidden' })

  await phone.waitForURL('**/login')
  await signIn(phone, { email: ann.email, password: 'an-even-better-one' })
  await desk.reload()
  await desk.getByText('This device').waitFor()
  await soon(() => desk.getByRole('button', { name: /^Log out Chrome/ }).count()).toBe(1)
  expect([...desk.errors, ...phone.errors].filter((error) => !/40[13]|422/.test(error))).toEqual([])
})

test('a customer downloads her data and deletes her account; the deletion logs her out in every tab and on every device [LOGIN-24, S-222, S-224]', async () => {
  const dora = newCustomer('dora@mail.test')
  const page = await here.open('/account/', { as: dora })
  const tab = await page.context().newPage()
  await tab.goto('/about/')
  const phone = await here.open('/about/', { as: { ...dora, intent: 'login' }, viewport: PHONE })
  const bells = [tab, phone].map((one) => one.getByRole('link', { name: /unread message/ }))
  for (const bell of bells) await bell.waitFor()

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download my data' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.zip$/)
  const files = await unzipped(new Response(new Uint8Array(await readFile(await download.path()))))
  expect(files.get('your-data.html')!.toString()).toContain(dora.email)

  await page.getByRole('button', { name: 'Delete my account' }).click()
  const password = page
    .getByRole('dialog', { name: 'Delete your account for good?' })
    .getByLabel('Password')
  await password.fill(dora.password)
  await password.press('Enter')
  await page.getByText('Your account and everything in it are deleted. Take care!').waitFor()
  expect(pathOf(page)).toBe('/')
  for (const one of [page, tab]) await one.getByRole('link', { name: 'Login' }).first().waitFor()
  for (const bell of bells) await bell.waitFor({ state: 'hidden' })
  await page.goBack()
  await page.waitForURL(/\/login\b/)
})

test('the owner enters her password to download a customer’s data, and again to delete the customer’s account [S-225]', async () => {
  await here.open('/', { as: newCustomer('olga@mail.test') })
  const page = await here.open('/manage/customer-data/?email=olga@mail.test', { as: OWNER })
  await page.getByRole('button', { name: 'Download their data' }).click()
  const password = page.getByRole('dialog').getByLabel('password')
  await password.fill(OWNER.password)
  const [download] = await Promise.all([page.waitForEvent('download'), password.press('Enter')])
  expect(download.suggestedFilename()).toMatch(/^customer-data-/)
  await password.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Delete this account' }).click()
  await password.waitFor()
  expect(await findViolations(page, 'the question before an account is deleted')).toEqual([])
  await password.fill(OWNER.password)
  await password.press('Enter')
  await page.getByText('The account is deleted.').waitFor()
  await page.getByText('No account has this email address.').waitFor()
})

test('the owner can cancel and repeat the set-up of two-step login; the set-up stays after a failed request, and the recovery codes stay when the page’s data is loaded again [S-232, S-233, S-242]', async () => {
  const page = await here.open('/account/second-factor/', { as: OWNER, viewport: PHONE })
  const violations = collectViolations(page)
  const password = page.getByLabel('Password', { exact: true })
  await page.getByRole('button', { name: 'Set Up' }).click()
  await password.fill('not-hers')
  await password.press('Enter')
  await page.getByRole('dialog').getByText('Invalid Credentials').waitFor()
  await expect.poll(() => hasFocus(password)).toBe(true)
  await violations.here('the prompt, refused')
  await password.fill(OWNER.password)
  await password.press('Enter')
  const setUp = page.getByRole('heading', { name: 'Set up your app' })
  await setUp.waitFor()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await setUp.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Set Up' }).click()
  await password.fill(OWNER.password)
  await password.press('Enter')
  await setUp.waitFor()
  const app = new TOTP({
    secret: Secret.fromBase32(await page.locator('input[name=key]').inputValue()),
  })
  // Turning on two-step login adds an email to the outbox. This makes the owner's page load its
  // data again while it shows the recovery codes.
  const reloaded = page.waitForResponse(
    (response) =>
      response.request().method() === 'GET' && response.url().includes('second-factor/_.data'),
  )
  const code = page.getByLabel('Code', { exact: true })
  await code.fill('none')
  await code.press('Enter')
  await page.getByText('Code is Invalid').waitFor()
  await expect.poll(() => focused(page)).toBe('code')
  await violations.here('setting up an app, refused')
  const typed = app.generate()
  await code.fill(typed)
  const turnOn = page.getByRole('button', { name: 'Turn On' })
  const fail = async (route: Route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 500 }) : route.continue()
  await page.route(/second-factor/, fail)
  await Promise.all([toast(page, 'That did not work. Please try again.').waitFor(), turnOn.click()])
  await page.unroute(/second-factor/)
  expect(await code.inputValue()).toBe(typed)
  await turnOn.click()
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
  expect((await reloaded).status()).toBe(200)
  await expect.poll(() => page.locator('li code').count()).toBe(10)
  await violations.here('recovery codes')

  await page.goto('/account/second-factor/')
  await page.getByRole('button', { name: 'Turn Off' }).click()
  await page.getByRole('dialog').waitFor()
  await violations.here('the question before it is turned off')
  await page.context().clearCookies()
  await page.goto('/login/')
  await sendLogin(page, OWNER)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await code.fill('none')
  await code.press('Enter')
  await page.getByText('Code is Invalid').waitFor()
  await violations.here('the second step, refused')
  expect(violations.found).toEqual([])
})
