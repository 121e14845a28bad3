// Two-step login in a real browser: what was shown once must stay on the page although the shop loads its data anew meanwhile.
import { Secret, TOTP } from 'otpauth'
import { expect, onTestFinished, test } from 'vitest'
import { barriersHere } from './barriers.ts'
import { OWNER } from './open-served-shop.ts'
import { openBrowser, PHONE, signInOnScreen } from './people.ts'
import { shopAndBrowser } from './shop-and-browser.ts'

const here = shopAndBrowser()

test('S-232 S-233 the owner sets up two-step login with script, and logs in with a recovery code without', async () => {
  const page = await openBrowser(here.browser, here.shop.url, { viewport: PHONE })
  const barriers: string[] = []
  onTestFinished(() => page.context().close())
  await signInOnScreen(page, OWNER)
  await page.goto('/account/second-factor/', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Set Up' }).click()
  const password = page.getByLabel('Password', { exact: true })
  await password.fill('not-hers')
  await password.press('Enter')
  await page.getByRole('dialog').getByText('Invalid Credentials').waitFor()
  await expect.poll(() => password.evaluate((input) => input === document.activeElement)).toBe(true)
  barriers.push(...(await barriersHere(page, 'the prompt, refused')))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => page.getByText('Invalid Credentials').count()).toBe(0)
  await page.getByRole('button', { name: 'Set Up' }).click()
  expect(await password.inputValue()).toBe('')
  await password.fill(OWNER.password)
  await password.press('Enter')
  await page.getByRole('heading', { name: 'Set up your app' }).waitFor()
  const app = new TOTP({ secret: Secret.fromBase32(await page.locator('input[name=key]').inputValue()) })
  // The letter about it changes the outbox: the owner's page loads its data anew while the codes are shown.
  const reloaded = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().includes('second-factor/_.data'),
  )
  const typed = page.getByLabel('Code', { exact: true })
  await typed.fill('none')
  await typed.press('Enter')
  await page.getByText('Code is Invalid').waitFor()
  await expect.poll(() => typed.evaluate((input) => input === document.activeElement)).toBe(true)
  barriers.push(...(await barriersHere(page, 'setting up an app, refused')))
  await typed.fill(app.generate())
  await page.getByRole('button', { name: 'Turn On' }).click()
  await page.getByRole('heading', { name: 'Keep your recovery codes' }).waitFor()
  expect((await reloaded).status()).toBe(200)
  const codes = page.locator('li code')
  await expect.poll(() => codes.count()).toBe(10)
  const [code] = await codes.allTextContents()
  barriers.push(...(await barriersHere(page, 'recovery codes')))
  await page.goto('/account/second-factor/', { waitUntil: 'networkidle' })
  await page.getByRole('button', { name: 'Turn Off' }).click()
  await page.getByRole('dialog').waitFor()
  barriers.push(...(await barriersHere(page, 'the question before it is turned off')))
  await page.context().clearCookies()
  await page.goto('/login/', { waitUntil: 'networkidle' })
  await page.getByLabel('Email').fill(OWNER.email)
  await password.fill(OWNER.password)
  await page.getByRole('button', { name: 'Log In', exact: true }).click()
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await typed.fill('none')
  await typed.press('Enter')
  await page.getByText('Code is Invalid').waitFor()
  barriers.push(...(await barriersHere(page, 'the second step, refused')))
  expect(barriers).toEqual([])

  const plain = await openBrowser(here.browser, here.shop.url, { javaScriptEnabled: false })
  onTestFinished(() => plain.context().close())
  await plain.goto('/login/')
  await plain.getByLabel('Email').fill(OWNER.email)
  await plain.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await plain.getByRole('button', { name: 'Log In', exact: true }).click()
  await plain.getByRole('heading', { name: 'One more step' }).waitFor()
  await plain.getByLabel('Code').fill(code!)
  await plain.getByRole('button', { name: 'Log In', exact: true }).click()
  await plain.waitForURL((address) => address.pathname === '/')
  await plain.goto('/manage/')
  expect(new URL(plain.url()).pathname).toBe('/manage/')
})
