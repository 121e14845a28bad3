import { expect, test } from 'vitest'
import { collectViolations, linkOn, PATIENCE } from '#test/fixtures/axe.ts'
import { DESK, OWNER, PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { log, openAsOwner } from '#test/pages/chat.ts'
import { hasFocus, soon } from '#test/pages/shop.ts'

const here = shopAndBrowser({ demo: true })
const AMARA = { email: 'amara@example.com', password: 'knots-and-love' }

test('a form in a conversation opens below its summary, and the summary moves up only if the form does not fit [S-166]', async () => {
  const owner = await here.open('/manage/', { as: OWNER, viewport: PHONE })
  await openAsOwner(owner, 'Amara Okafor')
  const summary = owner.getByText('Ship it')
  const places = () =>
    summary.evaluate((element) => {
      const [fold, box] = [
        element.parentElement!.getBoundingClientRect(),
        element.closest('[role=log]')!.getBoundingClientRect(),
      ]
      return { fromTop: Math.round(fold.top - box.top), below: box.bottom - fold.bottom }
    })
  const scrollTo = async (fromTop: number) =>
    log(owner).evaluate((box, by) => box.scrollBy(0, by), (await places()).fromTop - fromTop)
  await scrollTo(10)
  const { fromTop } = await places()
  const shift = async () => Math.abs((await places()).fromTop - fromTop)
  const form = owner.getByRole('button', { name: 'Mark as shipped' })
  await summary.click()
  await form.waitFor()
  await soon(shift).toBeLessThan(2)
  await summary.click()
  await form.waitFor({ state: 'hidden' })
  await soon(shift).toBeLessThan(2)

  await scrollTo(250)
  await summary.click()
  await soon(async () => Math.abs((await places()).below)).toBeLessThan(1)
})

test(
  'a typed address stays after a reload and after shipping; shipping focuses the summary of the tracking form, which shows what another device saves, except in a changed field [AGREE-54, AGREE-56, S-276, S-402, S-470]',
  { timeout: PATIENCE },
  async () => {
    const customer = await here.open('/about/?messages=', {
      as: AMARA,
      viewport: PHONE,
      reducedMotion: 'reduce',
    })
    const owner = await here.open('/manage/', {
      as: OWNER,
      viewport: DESK,
      reducedMotion: 'reduce',
    })
    await owner.goto(
      await linkOn(
        owner,
        '/manage/messages/?q=amara',
        /href="(\/manage\/messages\/[^"?/]+\/?)[?"]/,
      ),
    )
    const violations = { customer: collectViolations(customer), owner: collectViolations(owner) }
    await customer.getByText('Change the address').click()
    await customer.getByLabel('Address', { exact: true }).fill('9 Elm Road')
    await customer.reload()
    await customer.getByRole('button', { name: 'Save new address' }).waitFor()
    expect(await customer.getByLabel('Address', { exact: true }).inputValue()).toBe('9 Elm Road')
    await violations.customer.here('the form of an address')

    await owner.getByText('Ship it').click()
    await violations.owner.here('the form of a shipment')
    await owner.getByLabel('Carrier').selectOption('UPS')
    await owner.getByLabel('Tracking number').fill('1Z 999')
    await owner.getByRole('button', { name: 'Mark as shipped' }).click()
    await owner.getByRole('button', { name: 'Yes', exact: true }).click()
    await soon(() => hasFocus(owner.getByText('Correct the tracking'))).toBe(true)
    await owner.getByRole('button', { name: 'Save tracking' }).waitFor({ state: 'hidden' })

    await customer.getByRole('link', { name: 'Track with UPS 1Z999' }).waitFor()
    await customer.getByRole('button', { name: 'Save new address' }).click()
    await customer.getByText('The package is already on its way.').waitFor()
    expect(await customer.getByLabel('Address', { exact: true }).inputValue()).toBe('9 Elm Road')
    await violations.customer.here('a refused address')

    await owner.getByText('Correct the tracking').click()
    const form = owner
      .getByRole('button', { name: 'Save tracking' })
      .locator('xpath=ancestor::form')
    const values = await form.evaluate(
      (node: HTMLFormElement) => Object.fromEntries(new FormData(node)) as Record<string, string>,
    )
    const url = await form.evaluate((node: HTMLFormElement) => node.action)
    await owner.getByLabel('Carrier').selectOption('FedEx')
    await owner.request.post(url, {
      form: { ...values, carrier: 'dhl', trackingNumber: '1Z 555' },
      headers: { origin: here.shop.url },
    })
    await expect.poll(() => owner.getByLabel('Tracking number').inputValue()).toBe('1Z555')
    expect(await owner.getByLabel('Carrier').inputValue()).toBe('fedex')
    await owner.getByLabel('Tracking number').fill('1Z 777')
    await owner.getByRole('button', { name: 'Save tracking' }).click()
    await expect.poll(() => owner.getByLabel('Tracking number').inputValue()).toBe('1Z777')

    await customer.getByRole('button', { name: 'Mark as received' }).click()
    await owner.getByText(/^Arrived on/).waitFor()
    expect([...violations.customer.found, ...violations.owner.found]).toEqual([])
  },
)
