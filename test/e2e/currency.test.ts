import { expect, test } from 'vitest'
import { OWNER, shopAndBrowser } from '#test/fixtures/browser.ts'

const here = shopAndBrowser({ demo: true })

test('open pages show a new currency immediately, and the settings form shows the saved values [OWN-35, OWN-39]', async () => {
  const visitor = await here.open('/gallery/')
  const prices = visitor.getByRole('article').first()
  expect(await prices.innerText()).toMatch(/\$\d+\.\d\d/)
  const owner = await here.open('/manage/settings/#region', {
    as: OWNER,
    timezoneId: 'Europe/Berlin',
  })
  await owner.getByLabel('Currency', { exact: true }).selectOption({ label: 'Euro (€)' })
  await owner.getByLabel('Position of the symbol').selectOption({ label: 'After the amount' })
  await owner.getByLabel('Time zone').selectOption('America/Chicago')
  await owner.getByRole('button', { name: 'Use this device’s: Germany: Berlin' }).click()
  await owner.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => owner.getByLabel('Time zone').inputValue()).toBe('Europe/Berlin')
  expect(await owner.getByLabel('Currency', { exact: true }).inputValue()).toBe('EUR')
  await expect.poll(() => prices.innerText()).toMatch(/\d+\.\d\d\u00a0€/)
  expect(visitor.errors).toEqual([])
})
