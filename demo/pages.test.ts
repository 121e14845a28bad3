import { expect, test } from 'vitest'
import { defaultAboutTexts } from '#app/features/about/owner-texts.ts'
import { defaultHomeTexts } from '#app/features/home/owner-texts.ts'
import { AboutTextsSchema } from '#app/features/about/about.server.ts'
import { HomeTextsSchema } from '#app/features/home/home-texts.server.ts'
import { wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import pages from './pages.json' with { type: 'json' }

test('Home and About of a new shop contain no sentence of the demo shop’s invented story [OWN-10]', async () => {
  const shop = await openTestShop()
  const html = wordsOf((await shop.visitor().page('/')) + (await shop.visitor().page('/about/')))
  const { promoText, ...home } = pages.home
  const sentences = Object.values({ ...home, ...pages.about }).filter(
    (text) => typeof text === 'string' && text.includes(' '),
  )
  expect(sentences.filter((text) => html.includes(text as string))).toEqual([])
  const defaults = Object.values({ ...defaultHomeTexts, ...defaultAboutTexts })
    .flat()
    .join(' ')
  expect(defaults).not.toMatch(/\b(I|my|me|grandmother|cotton|years|factory|always|every color)\b/)
  expect(defaults).toContain(promoText)
})

test('the texts of the demo shop and of a new shop are valid in the forms in which the owner edits these texts [OWN-10]', () => {
  for (const home of [pages.home, defaultHomeTexts])
    expect(
      HomeTextsSchema.safeParse({ ...home, homeWords: home.homeWords.join('\n') }).data,
    ).toEqual(home)
  for (const about of [pages.about, defaultAboutTexts])
    expect(AboutTextsSchema.safeParse(about).data).toEqual(about)
})
