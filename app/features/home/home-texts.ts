/** The texts of Home that the owner edits. Each text is stored as a separate setting. [OWN-09] */
export type HomeTexts = {
  homeHeadline: string
  /** The headline ends with one of these words. Every few seconds, the next word appears. [HOME-07] */
  homeWords: string[]
  homeLead: string
  homeTitle1: string
  homeText1: string
  homeLink1: string
  homeTo1: string
  homeTitle2: string
  homeText2: string
  homeLink2: string
  homeTo2: string
  promoText: string
  /** The target of the banner's link: a path in this shop, an https address, or ''. */
  promoTo: string
  isPromoShown: boolean
}

/** The headline of the home page has at most this number of changing words. The headline of a new shop has exactly this number of words. [HOME-07] */
export const MAX_WORDS = 16
/** The maximum length of a changing word in the headline. A longer word would not fit on a phone. */
export const MAX_WORD_LENGTH = 16

/** Reads the words that the owner typed, with one word on each line. Skips empty lines. */
export const parseWords = (typed: string): string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export type HomeView = {
  headline: string
  words: string[]
  lead: string
  sections: { title: string; text: string; link: string; to: string }[]
  /** The banner with the promotion; null if the owner has switched the banner off. */
  promo: { text: string; to: string } | null
}

export const toHomeView = (texts: HomeTexts): HomeView => ({
  headline: texts.homeHeadline,
  words: texts.homeWords,
  lead: texts.homeLead,
  sections: [
    { title: texts.homeTitle1, text: texts.homeText1, link: texts.homeLink1, to: texts.homeTo1 },
    { title: texts.homeTitle2, text: texts.homeText2, link: texts.homeLink2, to: texts.homeTo2 },
  ],
  promo: texts.isPromoShown ? { text: texts.promoText, to: texts.promoTo } : null,
})
