// Letters that prove an address, in real browsers and with a real mail server: confirming, forgetting, and the tab that stays open meanwhile.
import { expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../chromium.ts'
import { openSmtp, readLetter } from '../open-smtp.ts'
import { openServedShop } from './open-served-shop.ts'
import { openBrowser, PHONE, signIn, signInOnScreen } from './people.ts'

test('LOGIN-20 LOGIN-21 LOGIN-22 S-229 she confirms by the letter’s link, forgets her password, chooses a new one on a phone without script, and the old tab is out', async () => {
  const smtp = await openSmtp()
  const shop = await openServedShop({ env: { SMTP_URL: smtp.url } })
  onTestFinished(() => shop.stop())
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const linkIn = async (subject: string) => {
    const find = () =>
      smtp.received
        .map(({ raw }) => readLetter(raw))
        .find(({ headers }) => headers.some(([name, value]) => name === 'subject' && value === subject))
    await expect.poll(find, { timeout: 20_000 }).toBeDefined()
    return /http:\S+\?code=[A-Z0-9-]+/.exec(find()!.body.replace(/=\r\n/g, '').replaceAll('=3D', '='))![0]
  }
  const desk = await openBrowser(browser, shop.url)
  await signInOnScreen(desk, { email: 'ann@mail.test', password: 'a-good-password' }, 'Register')
  await desk.goto('/account/', { waitUntil: 'networkidle' })
  await desk.getByText('Not confirmed yet').waitFor()

  // Programs on the way open each link first.
  const confirm = await linkIn('Please confirm your e-mail for Knots & Love')
  for (const method of ['HEAD', 'GET', 'GET']) await fetch(confirm, { method })
  const phone = await openBrowser(browser, shop.url, { viewport: PHONE, javaScriptEnabled: false })
  await phone.goto(confirm)
  await phone.getByRole('button', { name: 'Confirm', exact: true }).click()
  await phone.getByText('Your e-mail is confirmed. Thank you!').waitFor()
  await desk.getByText('Confirmed', { exact: true }).waitFor()

  await phone.goto('/login/')
  await phone.getByRole('link', { name: 'Forgot your password?' }).click()
  await phone.getByLabel('Email').fill('ann@mail.test')
  await phone.getByRole('button', { name: 'Send Code' }).click()
  await phone.getByText('has an account here, a letter with a code is on its way').waitFor()
  const reset = await linkIn('A new password for Knots & Love')
  for (const method of ['HEAD', 'GET', 'GET']) await fetch(reset, { method })
  await phone.goto(reset)
  await phone.getByLabel('New password').fill('another-good-password')
  await phone.getByRole('button', { name: 'Change Password' }).click()
  await phone.getByText('Your password is changed, and every device is logged out.').waitFor()

  // The tab that was signed in finds out by itself.
  await desk.getByRole('link', { name: 'Login | Register' }).waitFor()
  await signIn(phone, { email: 'ann@mail.test', password: 'another-good-password' })

  // With script: the same link once more, and a code typed wrongly keeps what was typed.
  await desk.goto(reset, { waitUntil: 'networkidle' })
  await desk.getByRole('alert').getByText('Code is Invalid').waitFor()
  await desk.getByLabel('New password').fill('a-third-password')
  await desk.getByRole('button', { name: 'Change Password' }).click()
  await desk.getByRole('alert').getByText('Code is Invalid').waitFor()
  await expect.poll(() => desk.getByLabel('New password').inputValue()).toBe('a-third-password')
  expect(phone.errors).toEqual([])
})
