import { itemPageBefore } from '../redirects.ts'
import { providerHelpTexts } from './texts.ts'

/** 'link' makes a guest a customer, 'prove' re-authenticates a customer without a password. */
const purposes = ['login', 'link', 'prove'] as const
export type Purpose = (typeof purposes)[number]

/**
 * `popup` names the channel to the opener, `search` is the query of the login page's URL. Both may
 * be ''.
 */
export type OAuthAttempt = { purpose: Purpose; popup: string; search: string; userId: string }

export type FailureReason = keyof typeof providerHelpTexts
export const isFailureReason = (text: string): text is FailureReason =>
  Object.hasOwn(providerHelpTexts, text)

export type OAuthFailure = { provider: string; reason: FailureReason }

export type PopupMessage =
  | { ok: true; to: string }
  | { ok: false; reason: FailureReason; to: string }
export const channelName = (popup: string) => `sign-in-${popup}`

function parseSearch(search: string) {
  const typed = new URLSearchParams(search)
  const parsed = new URLSearchParams()
  const from = itemPageBefore(search)
  if (from) parsed.set('from', from)
  for (const name of ['messages', 'ordering']) {
    if (typed.has(name)) parsed.set(name, typed.get(name)!)
  }
  return parsed.size > 0 ? `?${parsed}` : ''
}

export function parseAttempt(fields: FormData | URLSearchParams) {
  const textOf = (name: string) => String(fields.get(name) ?? '')
  const typedPurpose = textOf('purpose')
  const popup = textOf('popup')
  return {
    purpose: purposes.find((purpose) => purpose === typedPurpose) ?? 'login',
    popup: /^[\w-]{1,40}$/.test(popup) ? popup : '',
    search: parseSearch(textOf('search')),
  }
}
