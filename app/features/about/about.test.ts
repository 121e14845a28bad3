import { expect, test } from 'vitest'
import { openTestShop, NOON } from '#test/open-test-shop.ts'
import { slideTexts } from './slides.ts'

const slidesOf = (html: string) =>
  [...html.matchAll(/<article [^>]*aria-roledescription="slide"[^>]*>[\s\S]*?<\/article>/g)].map(([slide]) => slide)

test('NAV-12 ROLES-04 ABOUT-01 ABOUT-02 ABOUT-03 five slides, each with a picture and a message, stand without any stored picture', async () => {
  const shop = await openTestShop()
  const slides = slidesOf(await shop.visitor().page('/about/'))

  expect(slides).toHaveLength(5)
  for (const [index, slide] of slides.entries()) {
    expect(slide).toContain('role="img"')
    expect(slide).toContain(slideTexts[index]!.message)
    expect(slide.includes('hidden=""')).toBe(index > 0)
  }
  expect(new Set(slideTexts.map(({ message }) => message)).size).toBe(5)
})

test('ABOUT-02 the stored picture of a slide is shown', async () => {
  const shop = await openTestShop()
  const stored = { id: 'p', path: 'scenes/slide-2.webp', width: 1200, height: 900, widths: '[480,960]', placeholder: '', createdAt: NOON }
  await shop.db.insertInto('pictures').values(stored).execute()

  const slides = slidesOf(await shop.visitor().page('/about/'))

  expect(slides[1]).toMatch(/<img[^>]*\/pictures\/scenes\/slide-2\.480\.webp/)
  expect(slides[0]).not.toContain('<img')
})

test('ABOUT-05 S-028 a dot for each slide jumps to it, also without script', async () => {
  const shop = await openTestShop()
  const html = await shop.visitor().page('/about/?slide=4')

  expect([...html.matchAll(/<a href="\?slide=(\d)"/g)].map(([, number]) => number)).toEqual(['1', '2', '3', '4', '5'])
  expect(slidesOf(html).map((slide) => slide.includes('hidden=""'))).toEqual([true, true, true, false, true])
  expect(html).toMatch(/aria-label="Slide 4" aria-current="true"/)
})
