/** Parses what the owner types about the ways to be paid. */

/** The type ShopSettings does not contain these settings, because visitors' pages load ShopSettings. Only accepted offers and the owner's pages show these settings. [AGREE-40] */
export type PaymentSettings = {
  /** the name in 'paypal.me/name', or '' */
  payPal: string
  /** the name in 'venmo.com/u/name', or '' */
  venmo: string
  /** the name in 'cash.app/$name', or '' */
  cashApp: string
  accountHolder: string
  /** the IBAN without spaces, or '' */
  iban: string
  bic: string
  routingNumber: string
  accountNumber: string
  cashAtHandover: '' | 'yes'
  otherWay: string
  /** a whole number from 1 to 100 as text, or '' for no deposit */
  depositPercent: string
}

const apps = {
  payPal: {
    hosts: ['paypal.me', 'paypal.com'],
    path: /^(?:\/paypalme)?\/([a-z0-9]{1,20})(?:\/|$)/i,
    name: /^@?([a-z0-9]{1,20})$/i,
  },
  venmo: {
    hosts: ['venmo.com'],
    path: /^(?:\/u)?\/@?([\w-]{1,30})(?:\/|$)/,
    name: /^@?([\w-]{1,30})$/,
  },
  cashApp: {
    hosts: ['cash.app', 'cash.me'],
    path: /^\/(?:\$|%24)([a-z0-9]{1,20})(?:\/|$)/i,
    name: /^[$@]?([a-z0-9]{1,20})$/i,
  },
}
export type PaymentApp = keyof typeof apps

/** Returns the user name in a payment app. The owner may type '@name', 'paypal.me/name' or a URL. Returns '' for an empty text, and null for an invalid text. */
export function parsePaymentName(app: PaymentApp, typed: string): string | null {
  const text = typed.trim()
  if (text === '') return ''
  const { hosts, path, name } = apps[app]
  const plain = name.exec(text)?.[1]
  if (plain) return plain
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`)
  const isKnown =
    url && hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
  return (isKnown && path.exec(url.pathname)?.[1]) || null
}

/** Returns the IBAN without spaces, or null if its format or checksum is wrong. [AGREE-41] */
export function parseIban(typed: string): string | null {
  const iban = typed.replaceAll(/[\s.-]/g, '').toUpperCase()
  if (iban === '') return ''
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return null
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 ? iban : null
}

/** Returns the US routing number of nine digits, or null if its format or checksum is wrong. [AGREE-41] */
export function parseRoutingNumber(typed: string): string | null {
  const digits = typed.replaceAll(/[\s-]/g, '')
  if (digits === '') return ''
  if (!/^\d{9}$/.test(digits) || Number(digits) === 0) return null
  const sum = [...digits].reduce((sum, digit, at) => sum + Number(digit) * [3, 7, 1][at % 3]!, 0)
  return sum % 10 === 0 ? digits : null
}

/** Returns the percentage as text, '' for no deposit, or null for an invalid text. */
export function parseDepositPercent(typed: string): string | null {
  const text = typed.trim().replace(/\s*%$/, '')
  if (text === '' || /^0+$/.test(text)) return ''
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? String(Number(text)) : null
}
