import { expect, test } from 'vitest'
import { PHONE, shopAndBrowser } from '#test/fixtures/browser.ts'
import { hasFocus, openStopped, overflow } from '#test/pages/shop.ts'
import { addTestimonies } from '#test/pages/testimonials.ts'

const here = shopAndBrowser()

/**
 * Adds an unused testimony ticket for the buyer `<id>@Mail.test`. Returns the path of the page on
 * which the buyer uses the testimony ticket.
 */
function openTicketOf(id: string): string {
  addTestimonies(here.shop, { id, name: 'Wanda', text: '', isOpen: true })
  return `/writetestimonials/${id}`
}

test('the testimony form disables the email field when it contains the buyer’s address, and opens the next steps 1 s apart [TESTI-16, TESTI-17, TESTI-18, TESTI-19, TESTI-21, TESTI-22]', async () => {
  const page = await openStopped(here, openTicketOf('steps'), { viewport: PHONE })
  const email = page.getByLabel('Email')
  const items = page.getByText('Your items')
  const text = page.getByLabel('Your testimony')
  const submit = page.getByRole('button', { name: 'Submit' })
  await email.fill('STEPS@Mail.test')
  await page.clock.runFor(500)
  await page.getByRole('alert').waitFor()
  expect(await email.isEditable()).toBe(true)

  await email.fill('steps@Mail.test')
  await page.clock.runFor(500)
  await page.getByText("You're All set!").waitFor()
  expect(await email.isEditable()).toBe(false)
  for (const step of [items, text, submit]) {
    await page.clock.runFor(900)
    expect(await step.count()).toBe(0)
    await page.clock.runFor(150)
    await step.waitFor()
  }
  expect(await overflow(page)).toBe(0)
  expect(await hasFocus(text)).toBe(true)
})

test(
  'with reduced motion, the steps of the testimony form open without animation [TESTI-18]',
  { tags: ['core'] },
  async () => {
    const page = await openStopped(here, openTicketOf('calm'), { reducedMotion: 'reduce' })
    await page.getByLabel('Email').fill('calm@Mail.test')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Submit' }).waitFor()
    expect(await page.getByLabel('Your testimony').isVisible()).toBe(true)
  },
)

test('a testimony that cannot be sent stays in its field and can be sent later [S-046, TESTI-24]', async () => {
  const page = await here.open(openTicketOf('lost'), { reducedMotion: 'reduce' })
  const text = page.getByLabel('Your testimony')
  const submit = page.getByRole('button', { name: 'Submit' })
  const isSettled = () =>
    expect.poll(() => page.locator('main button[aria-disabled=true]').count()).toBe(0)
  await page.getByLabel('Email').fill('lost@Mail.test')
  await text.fill('The fern is happy.')

  await page.context().setOffline(true)
  await submit.click()
  await isSettled()
  expect(await text.inputValue()).toBe('The fern is happy.')
  const isReached = page.waitForResponse((response) => response.url().endsWith('/health'))
  await page.context().setOffline(false)
  await isReached

  await submit.click()
  await page.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()
})

test('a typed testimony is there again after a reload, until it is sent [S-171]', async () => {
  const page = await here.open(openTicketOf('draft'), { reducedMotion: 'reduce' })
  const text = page.getByLabel('Your testimony')
  const open = () => page.getByLabel('Email').fill('draft@Mail.test')
  await open()
  await text.fill('The fern is happy.')
  await page.reload()
  await open()
  await expect.poll(() => text.inputValue()).toBe('The fern is happy.')

  await page.getByRole('button', { name: 'Submit' }).click()
  await page.getByRole('heading', { name: 'you qualify for $5 OFF' }).waitFor()
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft'))),
  ).toEqual([])
})
