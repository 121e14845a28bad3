/** What the page of a forgotten password answers to a look and to its two forms. */
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { rememberDevice } from '#app/features/accounts/known-devices.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { outageTexts, RETRY_AFTER } from '#app/platform/outage.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { isFitEmail } from './proof-input.ts'
import { proofTexts, type ResetState } from './proof.ts'
import { askForReset, findReset, resetPassword } from './reset.server.ts'

type Answered = { state: ResetState; status: number }
type Choose = Partial<Extract<ResetState, { step: 'choose' }>>

const choose = (some: Choose): ResetState => ({ step: 'choose', sentTo: '', email: '', code: '', error: '', fault: null, ...some })
/** More than any code has, and not worth sending back. */
const kept = (typed: string) => typed.slice(0, 200)

/** `code` null: the first step; empty: it is to be typed. A look uses nothing up. */
export async function showReset(shop: Shop, code: string | null, user: User | null): Promise<ResetState> {
  // A guest's address is made up.
  if (code === null) return { step: 'ask', email: user && user.role !== 'guest' ? user.email : '', error: '' }
  if (code === '') return choose({})
  const found = await findReset(shop, code)
  return found ? choose({ email: found.email, code: kept(code) }) : choose({ code: kept(code), error: proofTexts.badCode })
}

export const receiveReset = (asker: Asker, form: FormData): Promise<Answered> =>
  textOf(form, 'intent') === 'choose' ? receiveChoice(asker, form) : receiveAsk(asker.shop, asker.page, textOf(form, 'email').trim())

/** LOGIN-21, S-013, S-228: counted by who asks; letters to one address are counted where nobody sees it. */
async function receiveAsk(shop: Shop, page: Page, email: string): Promise<Answered> {
  const again = (error: string, status: number): Answered => ({ state: { step: 'ask', email: email.slice(0, 254), error }, status })
  if (!isFitEmail(email)) return again(proofTexts.badEmail, 422)
  const seconds = await shop.limits.secondsToWait('reset', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  if (!askForReset(shop, email)) {
    page.retryAfter = RETRY_AFTER
    return again(outageTexts.write, 503)
  }
  return { state: choose({ sentTo: email }), status: 200 }
}

/** LOGIN-22, LOGIN-53. S-238: whoever guesses elsewhere does not keep out the device on which the new password was chosen. */
async function receiveChoice(asker: Asker, form: FormData): Promise<Answered> {
  const { shop, page } = asker
  const code = textOf(form, 'code')
  const again = (some: Choose, status: number): Answered => ({ state: choose({ code: kept(code), ...some }), status })
  const seconds = await shop.limits.secondsToWait('code', { address: page.clientAddress })
  if (seconds > 0) return again({ error: tooMany(page, seconds).error }, 429)
  const done = await resetPassword(shop, code, textOf(form, 'password'))
  if (done.ok) {
    await rememberDevice(asker, done.email)
    return { state: { step: 'done' }, status: 200 }
  }
  if (done.refusal === 'code') return again({ error: proofTexts.badCode }, 422)
  const email = (await findReset(shop, code))?.email ?? ''
  return again({ email, error: proofTexts.badCode, fault: done.help }, 422)
}
