import { expect, test } from 'vitest'
import { openTestShop, NOON } from '#test/fixtures/test-shop.ts'
import { slideNumbers } from './about-texts.ts'
import { defaultAboutTexts } from './owner-texts.ts'

const messages = slideNumbers.map((number) => defaultAboutTexts[`slideText${number}`])
const slidesOf = (html: string) => html.split(/(?=<div[^>]*aria-roledescription="slide")/).slice(1)

test('the About page shows five slides, each with a picture and a message, and has a link to each slide [NAV-12, ROLES-04, ABOUT-01, ABOUT-03, ABOUT-05, S-028]', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/about/')
  const slides = slidesOf(html)

  expect(slides).toHaveLength(5)
  for (const [index, slide] of slides.entries()) {
    expect(slide).toContain(`id="slide-${index + 1}"`)
    expect(slide).toContain('role="img"')
    expect(slide).toContain(messages[index])
    // The HTML from the server hides no slide, so that visitors without JavaScript see all slides.
    expect(slide).not.toMatch(/inert|hidden=""|role="group"[^>]*aria-hidden/)
  }
  expect(new Set(messages).size).toBe(5)
  const dots = [
    ...html.matchAll(
      /<a [^>]*href="#(slide-\d)"[^>]*aria-label="(Slide \d)"( aria-current="true")?/g,
    ),
  ]
  expect(dots.map(([, to, name, current]) => [to, name, current !== undefined])).toEqual(
    [1, 2, 3, 4, 5].map((number) => [`slide-${number}`, `Slide ${number}`, number === 1]),
  )
})

test('shows the stored image of a slide on the About page [ABOUT-02]', async () => {
  const shop = await openTestShop()
  const stored = {
    id: 'p',
    path: 'scenes/slide-2.avif',
    width: 1200,
    height: 900,
    widths: '[480,960]',
    placeholder: '',
    createdAt: NOON,
  }
  await shop.db.insertInto('pictures').values(stored).execute()

  const slides = slidesOf(await shop.visitor().page('/about/'))

  expect(slides[1]).toMatch(/<img[^>]*\/pictures\/scenes\/slide-2\.480\.webp/)
  expect(slides[0]).not.toContain('<img')
})

test('the About page, the Testimonials page and the page of a testimony ticket end with the footer [S-026]', async () => {
  const shop = await openTestShop()
  for (const path of ['/about/', '/testimonials/', '/writetestimonials/none'])
    expect(await shop.visitor().page(path)).toMatch(/<footer[\s\S]*Terms and Conditions/)
})
