import { describe, expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { shared } from '#test/fixtures/shared.ts'
import { openTestShop, NOON, type TestShop } from '#test/fixtures/test-shop.ts'
import { aboutPageTexts, slideNumbers } from './about.server.ts'

const messages = slideNumbers.map((number) => aboutPageTexts.defaults[`slideText${number}`])
const readMain = async (shop: TestShop) =>
  within(pageOf(await shop.visitor().page('/about/')).getByRole('main'))

describe('the About page', () => {
  const main = shared(async (onCleanup) => readMain(await openTestShop({ onCleanup })))

  test('the About page shows five slides, each with a picture and a message [NAV-12, ROLES-04, ABOUT-01, ABOUT-03, S-028]', () => {
    // The HTML from the server hides no slide, so that visitors without JavaScript see all slides.
    const slides = main().getAllByRole('group')
    expect(slides.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5].map((number) => `slide-${number}`))
    for (const [index, slide] of slides.entries()) {
      expect(within(slide).getByRole('img')).toBeTruthy()
      expect(within(slide).getByText(messages[index]!)).toBeTruthy()
      expect(slide.closest('[inert]')).toBeNull()
      expect(slide.querySelector('[inert], [hidden]')).toBeNull()
    }
    expect(new Set(messages).size).toBe(5)
  })

  test('the About page has a link to each slide [ABOUT-05]', () => {
    const links = main().getAllByRole('link', { name: /^Slide / })
    expect(
      links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
    ).toEqual([1, 2, 3, 4, 5].map((number) => [`Slide ${number}`, `#slide-${number}`]))
    expect(main().getByRole('link', { current: true })).toBe(links[0])
  })
})

test('the About page shows the stored image of a slide [ABOUT-02]', async () => {
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
  await shop.db.insertInto('images').values(stored).execute()

  const images = (await readMain(shop)).getAllByRole('img')

  expect(images[1]!.getAttribute('src')).toBe('/pictures/scenes/slide-2.480.webp')
  expect(images[0]!.hasAttribute('src')).toBe(false)
})

test('the About page, the Testimonials page and the page of a testimony ticket end with the footer [S-026]', async () => {
  const shop = await openTestShop()
  for (const path of ['/about/', '/testimonials/', '/writetestimonials/none']) {
    const footer = pageOf(await shop.visitor().page(path)).getByRole('contentinfo')
    expect(footer.textContent).toContain('Terms and Conditions')
  }
})
