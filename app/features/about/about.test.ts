import { expect, test } from 'vitest'
import { openTestShop, NOON } from '#test/open-test-shop.ts'
import { slideTexts } from './slides.server.ts'

const slidesOf = (html: string) => html.split(/(?=<div[^>]*aria-roledescription="slide")/).slice(1)

test('NAV-12 ROLES-04 ABOUT-01 ABOUT-02 ABOUT-03 five slides, each with a picture and a message, stand without any stored picture', async () => {
  const shop = await openTestShop()
  const slides = slidesOf(await shop.visitor().page('/about/'))

  expect(slides).toHaveLength(5)
  for (const [index, slide] of slides.entries()) {
    expect(slide).toContain('role="img"')
    expect(slide).toContain(slideTexts[index]!.message)
    // Without script all of them are there to be read.
    expect(slide).not.toMatch(/inert|hidden=""|role="group"[^>]*aria-hidden/)
  }
  expect(new Set(slideTexts.map(({ message }) => message)).size).toBe(5)
})

test('ABOUT-02 the stored picture of a slide is shown', async () => {
  const shop = await openTestShop()
  const stored = { id: 'p', path: 'scenes/slide-2.avif', width: 1200, height: 900, widths: '[480,960]', placeholder: '', createdAt: NOON }
  await shop.db.insertInto('pictures').values(stored).execute()

  const slides = slidesOf(await shop.visitor().page('/about/'))

  expect(slides[1]).toMatch(/<img[^>]*\/pictures\/scenes\/slide-2\.480\.webp/)
  expect(slides[0]).not.toContain('<img')
})

test('ABOUT-05 S-028 a dot for each slide leads to it, also without script', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/about/')

  const dots = [...html.matchAll(/<a [^>]*href="#(slide-\d)"[^>]*aria-label="(Slide \d)"( aria-current="true")?/g)]
  expect(dots.map(([, to, name, current]) => [to, name, current !== undefined])).toEqual(
    [1, 2, 3, 4, 5].map((number) => [`slide-${number}`, `Slide ${number}`, number === 1]),
  )
  for (const [index, slide] of slidesOf(html).entries()) expect(slide).toContain(`id="slide-${index + 1}"`)
})

test('S-026 About, Testimonials and the page of a ticket end with the footer', async () => {
  const shop = await openTestShop()
  for (const path of ['/about/', '/testimonials/', '/writetestimonials/none'])
    expect(await shop.visitor().page(path)).toMatch(/<footer[\s\S]*Terms and Conditions/)
})
