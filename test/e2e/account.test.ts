// One's own account in a real browser: name, photo, the password prompt, other devices; and all of it without script.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openBrowser, PHONE, signIn, signInOnScreen } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'
import { photo } from './photos.ts'

const here = shopAndBrowser()

const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 30_000 })
/** Script has taken over the page. */
const awake = (page: Page) => page.waitForFunction(() => document.documentElement.dataset.hydrated !== undefined)
const OLD = 'a-good-password'
const NEW = 'an-even-better-one'

test('LOGIN-16 LOGIN-17 LOGIN-19 LOGIN-28 LOGIN-29 LOGIN-30 LOGIN-55 S-015 S-219 S-220 name, photo, the prompt refused and clean again, and the other device goes', async () => {
  const ann = { email: 'ann@mail.test', password: OLD }
  const desk = await openBrowser(here.browser, here.shop.url)
  await signInOnScreen(desk, ann, 'Register')
  const phone = await openBrowser(here.browser, here.shop.url, { viewport: PHONE })
  await signIn(phone, ann)
  await phone.goto('/account/')
  await awake(phone)
  await desk.getByRole('button', { name: 'Your account' }).click()
  await desk.getByRole('link', { name: 'Account', exact: true }).click()
  await desk.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

  await desk.getByLabel('Name').fill('Ann Knott')
  await desk.getByRole('button', { name: 'Save Name' }).click()
  await desk.getByText('Name saved').waitFor()
  await desk.getByLabel('Photo', { exact: true }).setInputFiles({
    name: 'me.jpg',
    mimeType: 'image/jpeg',
    buffer: await photo({ hue: 'honey', width: 1200, height: 900, orientation: 6 }),
  })
  await desk.getByRole('button', { name: 'Save Photo' }).click()
  await desk.getByText('Photo saved').waitFor()
  const shown = desk.getByRole('img', { name: 'Your photo' })
  await shown.waitFor()
  await soon(() => shown.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight])).toEqual([240, 240])
  await desk.getByRole('button', { name: 'Your account' }).click()
  await desk.getByText('Hello, Ann').waitFor()
  await desk.keyboard.press('Escape')

  const prompt = desk.getByRole('dialog', { name: 'Change Password' })
  const ask = () => desk.getByRole('button', { name: 'Change Password' }).click()
  await ask()
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await soon(() => prompt.locator(':invalid').count()).toBe(3)
  await prompt.getByLabel('Current Password').fill('not-her-password')
  await prompt.getByLabel('New Password').fill(NEW)
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await prompt.getByRole('alert').getByText('Invalid Credentials').waitFor()
  await desk.keyboard.press('Escape')
  await ask()
  await soon(() => prompt.getByLabel('New Password').inputValue()).toBe('')
  await soon(() => prompt.getByRole('alert').textContent()).toBe('')
  await prompt.getByLabel('Current Password').fill(OLD)
  await prompt.getByLabel('New Password').fill(NEW)
  await prompt.getByRole('button', { name: 'Submit' }).click()
  await desk.getByText('Password changed').waitFor()
  await prompt.waitFor({ state: 'hidden' })

  // Nobody has touched the phone.
  await phone.waitForURL('**/login')
  await signIn(phone, { ...ann, password: NEW })
  await desk.reload()
  await desk.getByText('This device').waitFor()
  await soon(() => desk.getByRole('button', { name: /^Log out Chrome/ }).count()).toBe(1)
  expect([...desk.errors, ...phone.errors].filter((error) => !/40[13]/.test(error))).toEqual([])
  await Promise.all([desk.context().close(), phone.context().close()])
})

test('009 without script the account changes its name and its password, and is told so', async () => {
  const plain = await openBrowser(here.browser, here.shop.url, { viewport: PHONE, javaScriptEnabled: false })
  const told = (text: string) => plain.locator('noscript p').filter({ hasText: text }).waitFor()
  await signInOnScreen(plain, { email: 'berta@mail.test', password: OLD }, 'Register')
  await plain.goto('/account/')
  await plain.getByLabel('Name').fill('Berta')
  await plain.getByRole('button', { name: 'Save Name' }).click()
  await told('Name saved')
  const change = async (password: string) => {
    await plain.getByRole('button', { name: 'Change Password' }).click()
    await plain.getByLabel('Current Password').fill(password)
    await plain.getByLabel('New Password').fill(NEW)
    await plain.getByRole('button', { name: 'Submit' }).click()
  }
  await change('not-her-password')
  await told('Invalid Credentials')
  await change(OLD)
  await told('Password changed')
  expect(await plain.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
  await plain.context().close()
})
