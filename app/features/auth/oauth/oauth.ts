import { parseItemPage } from '#app/features/auth/redirects.ts'
import { providerHelpTexts } from './texts.ts'

/** With "login", a visitor logs in to an existing or a new account. With "link", a guest becomes a customer. With "prove", a customer without a password re-authenticates. */
const purposes = ['login', 'link', 'prove'] as const
export type Purpose = (typeof purposes)[number]

/** `popup` is the channel to the page that opened the popup, `from` the item page to return to, and `userId` the user who started the attempt. Each may be ''. */
export type OAuthAttempt = { purpose: Purpose; popup: string; from: string; userId: string }

export type FailureReason = keyof typeof providerHelpTexts
export const isFailureReason = (text: string): text is FailureReason => Object.hasOwn(providerHelpTexts, text)

export type OAuthFailure = { provider: string; reason: FailureReason }

export type PopupMessage = { ok: true; to: string } | { ok: false; reason: FailureReason; to: string }
export const channelName = (popup: string) => `sign-in-${popup}`

const isPurpose = (text: string): text is Purpose => purposes.some((purpose) => purpose === text)

/** Replaces an invalid purpose with "login", and other invalid fields with ''. */
export function parseAttempt(fields: { get: (name: string) => unknown }): Omit<OAuthAttempt, 'userId'> {
  const from = parseItemPage(String(fields.get('from') ?? '')) ?? ''
  const [purpose, popup] = [String(fields.get('purpose') ?? ''), String(fields.get('popup') ?? '')]
  return { purpose: isPurpose(purpose) ? purpose : 'login', popup: /^[\w-]{1,40}$/.test(popup) ? popup : '', from }
}
