import { itemPageBefore } from '#app/features/auth/redirects.ts'
import { providerHelpTexts } from './texts.ts'

/** With "login", a visitor logs in to an existing or a new account. With "link", a guest becomes a customer. With "prove", a customer without a password re-authenticates. */
const purposes = ['login', 'link', 'prove'] as const
export type Purpose = (typeof purposes)[number]

/** `popup` is the channel to the page that opened the popup, `search` the query of the login page, which contains the page to open after the login, and `userId` the user who started the attempt. Each may be ''. */
export type OAuthAttempt = { purpose: Purpose; popup: string; search: string; userId: string }

export type FailureReason = keyof typeof providerHelpTexts
export const isFailureReason = (text: string): text is FailureReason =>
  Object.hasOwn(providerHelpTexts, text)

export type OAuthFailure = { provider: string; reason: FailureReason }

export type PopupMessage =
  | { ok: true; to: string }
  | { ok: false; reason: FailureReason; to: string }
export const channelName = (popup: string) => `sign-in-${popup}`

const isPurpose = (text: string): text is Purpose => purposes.some((purpose) => purpose === text)

/** Keeps only the item page, `messages` and `ordering` of the login page's query. [S-017, S-182] */
function parseSearch(search: string): string {
  const [given, kept] = [new URLSearchParams(search), new URLSearchParams()]
  const from = itemPageBefore(search)
  if (from) kept.set('from', from)
  for (const name of ['messages', 'ordering']) if (given.has(name)) kept.set(name, given.get(name)!)
  return kept.size > 0 ? `?${kept}` : ''
}

/** Replaces an invalid purpose with "login", and other invalid fields with ''. */
export function parseAttempt(fields: {
  get: (name: string) => unknown
}): Omit<OAuthAttempt, 'userId'> {
  const [purpose = '', popup = '', typed = ''] = ['purpose', 'popup', 'search'].map((name) =>
    String(fields.get(name) ?? ''),
  )
  const search = parseSearch(typed)
  return {
    purpose: isPurpose(purpose) ? purpose : 'login',
    popup: /^[\w-]{1,40}$/.test(popup) ? popup : '',
    search,
  }
}
