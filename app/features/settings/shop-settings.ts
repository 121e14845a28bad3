import type { AccentName } from './accents.ts'
import type { Currency } from '#app/lib/text/currency.ts'

/** A setting that the owner has not filled in is '' and is shown nowhere; only the shop's name and its texts are never empty. [OWN-01] */
export type ShopSettings = {
  name: string
  city: string
  /** below the shop's name in the footer */
  tagline: string
  ownerName: string
  email: string
  phone: string
  /** 'https://www.facebook.com/name' or '' */
  facebook: string
  /** 'https://www.instagram.com/name' or '' */
  instagram: string
  /** names the files of the logo; '': the knot is shown */
  logo: string
  accent: AccentName
  /** for visitors who have not chosen one; device: as their browser prefers */
  defaultTheme: DefaultTheme
  /** Good to mention, on the Contact page: one hint per line */
  mention: string
  terms: string
  thankYouLetter: string
  /** printed on invoices, like the tax number and the footer; may have several lines */
  address: string
  taxNumber: string
  invoiceFooter: string
  /** as typed; prefills the shipping fee of a new invoice */
  defaultShipping: string
  /** ISO 4217 */
  currencyCode: string
  /** '': the usual symbol of the currency */
  currencySymbol: string
  currencyPosition: Currency['position']
  /** '': chosen by the time zone */
  paperSize: '' | 'Letter' | 'A4'
  /** '': SHOP_TIME_ZONE */
  timeZone: string
  /** What each item page says about delivery. [OWN-94] */
  leadTime: string
  shipsFrom: string
  returns: string
  /** 'inches': also in inches [OWN-95] */
  sizeUnits: '' | 'inches'
  /** one group of words with the same meaning per line, separated by commas [OWN-91] */
  synonyms: string
}

export const linesOf = (text: string): string[] => [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')

export const DEFAULT_THEMES = ['dark', 'light'] as const
export type DefaultTheme = (typeof DEFAULT_THEMES)[number]

/** '$', '€' or 'kr'; the code if the currency has no symbol. */
export const usualSymbol = (currency: string): string =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency

export const currencyOf = (settings: Pick<ShopSettings, 'currencyCode' | 'currencySymbol' | 'currencyPosition'>): Currency => ({
  code: settings.currencyCode,
  symbol: settings.currencySymbol || usualSymbol(settings.currencyCode),
  position: settings.currencyPosition,
})

const socialHosts = { facebook: 'facebook.com', instagram: 'instagram.com' }
export type SocialPage = keyof typeof socialHosts

/** Turns '@name', 'instagram.com/name' or a full URL into the page's URL; '' stays ''; null: invalid. [OWN-02] */
export function parseSocialPage(page: SocialPage, typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const host = socialHosts[page]
  const isName = /^@?[\w.]{1,50}$/.test(text) && !text.toLowerCase().endsWith('.com')
  const url = URL.parse(isName ? `https://${host}/${text.replace('@', '')}` : /^https?:\/\//i.test(text) ? text : `https://${text}`)
  if (!url || url.pathname === '/' || !(url.hostname === host || url.hostname.endsWith(`.${host}`))) return null
  const id = url.searchParams.get('id')
  return `https://www.${host}${url.pathname.replace(/\/$/, '')}${id ? `?id=${encodeURIComponent(id)}` : ''}`
}

/** Returns '@name' for a page's URL; the host for a page without a name, such as /profile.php?id=1. */
export function socialHandle(url: string): string {
  const { hostname, pathname } = new URL(url)
  const name = pathname.split('/').at(-1)!
  return name.endsWith('.php') ? hostname.replace('www.', '') : `@${decodeURIComponent(name)}`
}

/** Settings of the conversations, which pages of visitors do not load. [S-180, S-184] */
export type MessagingSettings = {
  /** minutes until an unread message causes an email; 0: never */
  reminderMinutes: number
  /** 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: string
  awayUntil: string
  awayText: string
}

export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]
