import type { AccentName } from './accents.ts'
import type { Currency } from '#app/lib/text/currency.ts'
import { decodePercent } from '#app/lib/text/decode-percent.ts'

/** A setting that the owner has not filled in is '', and pages do not show this setting. The shop's name is never empty. [OWN-01] */
export type ShopSettings = {
  name: string
  city: string
  /** a line below the shop's name in the footer */
  tagline: string
  ownerName: string
  email: string
  phone: string
  /** 'https://www.facebook.com/name' or '' */
  facebook: string
  /** 'https://www.instagram.com/name' or '' */
  instagram: string
  /** the name of the logo files, or '' if the pages show the default logo, which is a knot */
  logo: string
  accent: AccentName
  /** the theme for visitors who have not chosen a theme */
  defaultTheme: DefaultTheme
  /** the list "Good to mention" on the Contact page, with one hint per line */
  mention: string
  terms: string
  thankYouLetter: string
  /** the address on invoices, which may have several lines */
  address: string
  taxNumber: string
  invoiceFooter: string
  /** the initial shipping fee of a new invoice, exactly as the owner typed this fee */
  defaultShipping: string
  /** the code of the currency in ISO 4217, such as 'EUR' */
  currencyCode: string
  /** the symbol of the currency, or '' for the usual symbol */
  currencySymbol: string
  currencyPosition: Currency['position']
  /** the paper size, or '' for the usual paper size of the time zone */
  paperSize: '' | 'Letter' | 'A4'
  /** the time zone, or '' for SHOP_TIME_ZONE */
  timeZone: string
  /** the lead time, such as 'Made in 2 weeks'. Item pages show this text and the fields `shipsFrom` and `returns`. [OWN-94] */
  leadTime: string
  /** the number of pieces that the owner makes in a week, such as '5' or '0.5'. If it is '', pages do not say when a piece would be ready. [AGREE-35] */
  piecesPerWeek: string
  shipsFrom: string
  returns: string
  /** 'inches' if item pages also show sizes in inches [OWN-95] */
  sizeUnits: '' | 'inches'
  /** the number of days between the handover and the message with the testimony ticket, or '' or '0' for no message [AGREE-60] */
  ticketDays: string
  /** 'shown' if sold one-of-a-kind items stay in the gallery, after all other items [AGREE-27] */
  soldPieces: '' | 'shown'
  /** synonyms for the search. Each line has words with the same meaning, separated by commas. [OWN-91] */
  synonyms: string
}

export const linesOf = (text: string): string[] =>
  [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')

export const DEFAULT_THEMES = ['dark', 'light'] as const
export type DefaultTheme = (typeof DEFAULT_THEMES)[number]

const symbols = new Map<string, string>()

/** Returns the usual symbol of a currency, such as '$', '€' or 'kr'. If the currency has no symbol, returns its code. Caches the symbol, because every request needs it. */
export function usualSymbol(currency: string): string {
  const symbol =
    symbols.get(currency) ??
    new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
      .formatToParts(0)
      .find(({ type }) => type === 'currency')?.value ??
    currency
  symbols.set(currency, symbol)
  return symbol
}

export const currencyOf = (
  settings: Pick<ShopSettings, 'currencyCode' | 'currencySymbol' | 'currencyPosition'>,
): Currency => ({
  code: settings.currencyCode,
  symbol: settings.currencySymbol || usualSymbol(settings.currencyCode),
  position: settings.currencyPosition,
})

const socialHosts = { facebook: 'facebook.com', instagram: 'instagram.com' }
export type SocialPage = keyof typeof socialHosts

/** Returns the URL of the social page that the owner has typed, for example as '@name'. Returns '' for an empty text, and null for an invalid text. [OWN-02] */
export function parseSocialPage(page: SocialPage, typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const host = socialHosts[page]
  const isName = /^@?[\w.]{1,50}$/.test(text) && !text.toLowerCase().endsWith('.com')
  const url = URL.parse(
    isName
      ? `https://${host}/${text.replace('@', '')}`
      : /^https?:\/\//i.test(text)
        ? text
        : `https://${text}`,
  )
  if (
    !url ||
    url.pathname === '/' ||
    decodePercent(url.pathname) === null ||
    !(url.hostname === host || url.hostname.endsWith(`.${host}`))
  )
    return null
  const id = url.searchParams.get('id')
  return `https://www.${host}${url.pathname.replace(/\/$/, '')}${id ? `?id=${encodeURIComponent(id)}` : ''}`
}

/** Returns '@name' for the URL of a social page. If the URL contains no name, returns the host of the URL. */
export function socialHandle(url: string): string {
  const { hostname, pathname } = new URL(url)
  const name = pathname.split('/').at(-1)!
  return name.endsWith('.php') ? hostname.replace('www.', '') : `@${decodeURIComponent(name)}`
}

/** The settings for conversations. ShopSettings does not contain these settings, because visitors' pages do not need them. [S-180, S-184] */
export type MessagingSettings = {
  /** the number of minutes after which an unread chat message causes an email message, or 0 for no email messages */
  reminderMinutes: number
  /** the first day on which the owner is away, as 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: string
  awayUntil: string
  awayText: string
}

export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]
