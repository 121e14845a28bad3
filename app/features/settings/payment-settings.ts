export type { PaymentSettings } from './setting-declarations.server.ts'

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

/** Accepts '@name', 'paypal.me/name' or a URL. Returns null if it is invalid. */
export function parsePaymentName(app: PaymentApp, typed: string) {
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

/** Removes spaces. Returns null if the format or the checksum is wrong. [AGREE-41] */
export function parseIban(typed: string) {
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

/** Accepts nine digits. Returns null if the format or the checksum is wrong. [AGREE-41] */
export function parseRoutingNumber(typed: string) {
  const digits = typed.replaceAll(/[\s-]/g, '')
  if (digits === '') return ''
  if (!/^\d{9}$/.test(digits) || Number(digits) === 0) return null
  const sum = [...digits].reduce(
    (sum, digit, index) => sum + Number(digit) * [3, 7, 1][index % 3]!,
    0,
  )
  return sum % 10 === 0 ? digits : null
}

export function parseDepositPercent(typed: string) {
  const text = typed.trim().replace(/%$/, '').trimEnd()
  if (text === '' || /^0+$/.test(text)) return ''
  return /^\d{1,3}$/.test(text) && Number(text) <= 100 ? String(Number(text)) : null
}
