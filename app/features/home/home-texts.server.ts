import { z } from 'zod'
import { requiredLink, shopLink, shopText } from '#app/features/settings/page-texts.server.ts'
import { readSettingGroup } from '#app/features/settings/settings.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { type HomeTexts, MAX_WORD_LENGTH, MAX_WORDS, parseWords } from './home-texts.ts'
import { defaultHomeTexts, homeErrorTexts as errors } from './owner-texts.ts'

export const readHomeTexts = (db: Db | Tx): Promise<HomeTexts> =>
  readSettingGroup(db, defaultHomeTexts)

const words = z.string().transform((typed, context) => {
  const list = parseWords(typed)
  const long = list.find((word) => word.length > MAX_WORD_LENGTH)
  const isCounted = list.length > 0 && list.length <= MAX_WORDS
  const message = isCounted
    ? long && errors.longWord(long, MAX_WORD_LENGTH)
    : errors.wordCount(MAX_WORDS, list.length)
  if (message) context.addIssue({ code: 'custom', message })
  return list
})

export const HomeTextsSchema = z.object({
  homeHeadline: shopText(60),
  homeWords: words,
  homeLead: shopText(300),
  homeTitle1: shopText(80),
  homeText1: shopText(1000),
  homeLink1: shopText(40),
  homeTo1: requiredLink,
  homeTitle2: shopText(80),
  homeText2: shopText(1000),
  homeLink2: shopText(40),
  homeTo2: requiredLink,
  promoText: shopText(150),
  promoTo: shopLink,
  isPromoShown: z.boolean(),
}) satisfies z.ZodType<HomeTexts>
