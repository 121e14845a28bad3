import { z } from 'zod'
import { declarePageTexts, requiredLink, shopLink, shopText } from '#settings/page-texts.server.ts'
import { homeErrorTexts as errors } from './owner-texts.ts'

/** The headline of a new shop has this many words. [HOME-07] */
const MAX_WORDS = 16
const MAX_WORD_LENGTH = 16

const words = z.string().transform((typed, context) => {
  const list = typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
  const longWord = list.find((word) => word.length > MAX_WORD_LENGTH)
  const addIssue = (message: string) => context.addIssue({ code: 'custom', message })
  if (list.length === 0 || list.length > MAX_WORDS) {
    addIssue(errors.wordCount(MAX_WORDS, list.length))
  } else if (longWord) addIssue(errors.longWord(longWord, MAX_WORD_LENGTH))
  return list
})

const linkHint = 'A page of the shop, such as /gallery/, or an address that begins with https://'
const sectionTitle = { label: 'Title', schema: shopText(80) }
const sectionText = { label: 'Text', rows: 4, schema: shopText(1000) }
const sectionLink = { label: 'Text of the link', schema: shopText(40) }
const sectionTarget = { label: 'The link leads to', hint: linkHint, schema: requiredLink }

export const homePageTexts = declarePageTexts(
  {
    headline: 'Headline',
    first: 'First section',
    second: 'Second section',
    banner: 'Banner',
  },
  {
    homeHeadline: {
      section: 'headline',
      label: 'Beginning of the headline',
      default: 'Knotted by hand',
      schema: shopText(60),
    },
    homeWords: {
      section: 'headline',
      label: 'Words that take turns after it',
      hint: `1 to ${MAX_WORDS}, one on each line of at most ${MAX_WORD_LENGTH} characters. A single word stays.`,
      rows: MAX_WORDS,
      default: [
        'for you',
        'for a friend',
        'for your home',
        'for a birthday',
        'for a new home',
        'for a wedding',
        'for a baby',
        'for a neighbor',
        'for every day',
        'for quiet days',
        'for a thank-you',
        'for holidays',
        'for two',
        'for no reason',
        'for far away',
        'for keeps',
      ],
      schema: words,
    },
    homeLead: {
      section: 'headline',
      label: 'Text below the button',
      rows: 2,
      default: 'Macrame, tied by hand, one piece at a time.',
      schema: shopText(300),
    },
    homeTitle1: { section: 'first', default: 'Every knot by hand', ...sectionTitle },
    homeText1: {
      section: 'first',
      default:
        'Cord, two hands and time: that is what macrame is made of. Open a piece to see it from close by.',
      ...sectionText,
    },
    homeLink1: { section: 'first', default: 'See the pieces', ...sectionLink },
    homeTo1: { section: 'first', default: '/gallery/', ...sectionTarget },
    homeTitle2: { section: 'second', default: 'Every order is a conversation', ...sectionTitle },
    homeText2: {
      section: 'second',
      default:
        'Send a request from a piece that you like. We then write to each other about color, size and price.',
      ...sectionText,
    },
    homeLink2: { section: 'second', default: 'Look around', ...sectionLink },
    homeTo2: { section: 'second', default: '/gallery/', ...sectionTarget },
    isPromoShown: {
      section: 'banner',
      label: 'Show the banner on Home',
      default: false,
      schema: z.boolean(),
    },
    promoText: {
      section: 'banner',
      label: 'Text of the banner',
      default: '50% off everything, while stocks last',
      schema: shopText(150),
    },
    promoTo: {
      section: 'banner',
      label: 'The banner leads to (optional)',
      hint: linkHint,
      default: '',
      schema: shopLink,
    },
  },
)

type HomeTexts = typeof homePageTexts.defaults

export const toHomeView = (texts: HomeTexts) => ({
  headline: texts.homeHeadline,
  words: texts.homeWords,
  lead: texts.homeLead,
  sections: [
    { title: texts.homeTitle1, text: texts.homeText1, link: texts.homeLink1, to: texts.homeTo1 },
    { title: texts.homeTitle2, text: texts.homeText2, link: texts.homeLink2, to: texts.homeTo2 },
  ],
  promo: texts.isPromoShown ? { text: texts.promoText, to: texts.promoTo } : null,
})
