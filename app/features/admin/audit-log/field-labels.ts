/** The History page uses the labels that the owner reads beside the fields of the forms. */
import { slideNumbers, type AboutTexts } from '#app/features/about/about-texts.ts'
import { editAboutTexts as about } from '#app/features/about/owner-texts.ts'
import type { HomeTexts } from '#app/features/home/home-texts.ts'
import { editHomeTexts as home } from '#app/features/home/owner-texts.ts'
import { settingsTexts } from '#app/features/settings/texts.ts'

const inSection = (section: string, label: string) => `${section}: ${label}`

const homeLabels: Record<keyof HomeTexts, string> = {
  homeHeadline: home.headline,
  homeWords: home.words,
  homeLead: home.lead,
  homeTitle1: inSection(home.sections.first, home.sectionTitle),
  homeText1: inSection(home.sections.first, home.sectionText),
  homeLink1: inSection(home.sections.first, home.link),
  homeTo1: inSection(home.sections.first, home.to),
  homeTitle2: inSection(home.sections.second, home.sectionTitle),
  homeText2: inSection(home.sections.second, home.sectionText),
  homeLink2: inSection(home.sections.second, home.link),
  homeTo2: inSection(home.sections.second, home.to),
  promoText: home.promoText,
  promoTo: home.promoTo,
  isPromoShown: home.isPromoShown,
}

const slideLabels = slideNumbers.map((number) => ({
  [`slideTitle${number}`]: inSection(about.slide(number), about.slideTitle),
  [`slideText${number}`]: inSection(about.slide(number), about.slideText),
  [`slideAlt${number}`]: inSection(about.slide(number), about.alt),
}))
const aboutLabels: Partial<Record<keyof AboutTexts, string>> = Object.assign(
  { aboutIntro: about.introText },
  ...slideLabels,
)

/** Puts the label of the field before each error, for example "Slide 1: Title: Please fill in this field". */
export const labelErrors = (errors: Readonly<Record<string, string>>): string[] =>
  Object.entries(errors).map(([field, error]) => `${fieldLabels[field]}: ${error}`)

/** Contains the label of each setting and of each text on Home and About, by its key in the audit log. [OWN-134] */
export const fieldLabels: Readonly<Record<string, string>> = {
  ...settingsTexts.fields,
  ...homeLabels,
  ...aboutLabels,
  logo: settingsTexts.logo,
}
