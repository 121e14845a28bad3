/** What /account/ may ask for about one's address: another one, none after all, and the letter that confirms it once more. */
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { proveItsYou } from '#app/features/profile/prove-its-you.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { beginEmailChange, cancelEmailChange } from './change-email.server.ts'
import { isFitEmail } from './proof-input.ts'
import { changeBegun, proofTexts, verificationSent } from './proof.ts'
import { sendVerification } from './verify.server.ts'

type Told = Answer & { status: number }

const refuse = (error: string, status: number, help: string): Told => ({ ok: false, error, help, status })

/** LOGIN-18, LOGIN-35, LOGIN-50, S-015: an update, and no user in the answer. Taking a change back needs no proof: it changes nothing. */
export async function receiveEmailChange(asker: Asker, user: User, form: FormData): Promise<Told> {
  const { shop, page } = asker
  if (textOf(form, 'intent') === 'cancel') {
    await cancelEmailChange(shop, user.id)
    return { ok: true, toasts: [proofTexts.cancelled], status: 200 }
  }
  const newEmail = textOf(form, 'email').trim()
  if (!isFitEmail(newEmail)) return refuse(proofTexts.notUpdated, 422, proofTexts.noAddress)
  if (newEmail.toLowerCase() === user.email) return refuse(proofTexts.notUpdated, 422, proofTexts.sameEmail)
  const seconds = await shop.limits.secondsToWait('email-change', { address: page.clientAddress, account: user.id })
  if (seconds > 0) return tooMany(page, seconds)
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return proof
  const crowded = await shop.limits.secondsToWait('letter', { account: newEmail })
  if (crowded > 0) return tooMany(page, crowded)
  const waitsFor = await beginEmailChange(shop, user.id, newEmail)
  if (!waitsFor) return refuse(proofTexts.notUpdated, 422, proofTexts.otherEmail)
  return { ok: true, toasts: [changeBegun(waitsFor, { email: user.email, newEmail })], status: 200 }
}

/** LOGIN-20, LOGIN-52, S-014: a letter that has not left yet is told as the failure that the texts know, and is tried again. */
export async function receiveVerificationWish(shop: Shop, page: Page, user: User): Promise<Told> {
  const seconds = await shop.limits.secondsToWait('verify', { address: page.clientAddress, account: user.id })
  if (seconds > 0) {
    const wait = tooMany(page, seconds)
    return { ...wait, toasts: [wait.error] }
  }
  const sent = await sendVerification(shop, user.id)
  if (sent === 'verified') return { ok: true, toasts: [proofTexts.wasVerified], status: 200 }
  if (sent === 'sent') return { ok: true, toasts: [verificationSent(user.email)], status: 200 }
  return { ok: false, toasts: [proofTexts.notSent], status: sent === 'later' ? 202 : 500 }
}
