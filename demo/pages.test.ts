import { expect, test } from 'vitest'
import { aboutPageTexts } from '#about/about.server.ts'
import { homePageTexts } from '#home/home-declarations.server.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { fillDemoShop } from './fill.server.ts'
import pages from './pages.json' with { type: 'json' }

test('Home and About of a new shop contain no sentence of the demo shop’s invented story [OWN-10]', async () => {
  const shop = await openTestShop()
  const html = wordsOf((await shop.visitor().page('/')) + (await shop.visitor().page('/about/')))
  const { promoText, ...home } = pages.home
  const sentences = Object.values({ ...home, ...pages.about }).filter(
    (text) => typeof text === 'string' && text.includes(' '),
  )
  expect(sentences.filter((text) => html.includes(text as string))).toEqual([])
  const defaults = Object.values({ ...homePageTexts.defaults, ...aboutPageTexts.defaults })
    .flat()
    .join(' ')
  expect(defaults).not.toMatch(/\b(I|my|me|grandmother|cotton|years|factory|always|every color)\b/)
  expect(defaults).toContain(promoText)
})

test('the demo shop shows a 50% banner, and has a letter and terms of its own [OWN-04, OWN-23]', async () => {
  const shop = await openTestShop()
  await fillDemoShop(shop.shop, () => {})
  const home = wordsOf(await shop.visitor().page('/'))
  expect(home).toContain('50% off everything, while stocks last')
  const { terms, thankYouLetter } = await readSettings(shop.db)
  expect(terms).toContain('returned within 14 days')
  expect(thankYouLetter).not.toBe(defaultSettings.thankYouLetter)
})

test('the texts of the demo shop and of a new shop are valid in the forms in which the owner edits these texts [OWN-10]', () => {
  for (const home of [pages.home, homePageTexts.defaults]) {
    expect(
      homePageTexts.schema.safeParse({ ...home, homeWords: home.homeWords.join('\n') }).data,
    ).toEqual(home)
  }
  for (const about of [pages.about, aboutPageTexts.defaults]) {
    expect(aboutPageTexts.schema.safeParse(about).data).toEqual(about)
  }
})
