import type { ShopSettings } from './setting-declarations.server.ts'
import { decodePercent } from '#lib/text/decode-percent.ts'

export type { ShopSettings } from './setting-declarations.server.ts'

export const linesOf = (text: string) =>
  [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '')

export const DEFAULT_THEMES = ['dark', 'light'] as const
export type DefaultTheme = (typeof DEFAULT_THEMES)[number]

const symbols = new Map<string, string>()

/** Returns '$', '€', 'kr' or the code. It is cached because every request needs it. */
export function usualSymbol(currency: string) {
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
) => ({
  code: settings.currencyCode,
  symbol: settings.currencySymbol || usualSymbol(settings.currencyCode),
  position: settings.currencyPosition,
})

const socialHosts = { facebook: 'facebook.com', instagram: 'instagram.com' }
export type SocialPage = keyof typeof socialHosts

export function parseSocialPage(page: SocialPage, typed: string) {
  const text = typed.trim()
  if (text === '') return ''
  const host = socialHosts[page]
  const isName = /^@?[\w.]{1,50}$/.test(text) && !text.toLowerCase().endsWith('.com')
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.parse(isName ? `https://${host}/${text.replace('@', '')}` : address)
  if (
    !url ||
    url.pathname === '/' ||
    decodePercent(url.pathname) === null ||
    !(url.hostname === host || url.hostname.endsWith(`.${host}`))
  ) {
    return null
  }
  const id = url.searchParams.get('id')
  return `https://www.${host}${url.pathname.replace(/\/$/, '')}${id ? `?id=${encodeURIComponent(id)}` : ''}`
}

export function socialHandle(url: string) {
  const { hostname, pathname } = new URL(url)
  const name = pathname.split('/').at(-1)!
  return name.endsWith('.php') ? hostname.replace('www.', '') : `@${decodeURIComponent(name)}`
}

export const defaultMessagingSettings = {
  /** Minutes until an email reports an unread message; 0 means never. */
  reminderMinutes: 15,
  /** 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: '',
  awayUntil: '',
  awayText: '',
}
export type MessagingSettings = typeof defaultMessagingSettings

export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]
