/** Another address for an account: asked for by who has just proven who she is, confirmed by the old address and the new one. */
import { lockUser, findUserByEmail } from '#app/platform/users.server.ts'
import type { Shop, User, Page } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { isFitEmail } from '#app/platform/email-address.ts'
import { changeBegun, proofTexts, verificationSent } from '#app/features/auth/email-verification/email-verification.ts'
import { issueProof, dropChanges } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import type { Asker } from '#app/features/auth/auth-client.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { done, refused, refusedAs, type ActionResult } from '#app/ui/answer.ts'
import { postVerification } from '#app/features/auth/email-verification/confirm-email.server.ts'

/**
 * LOGIN-18, LOGIN-50, S-230: an address that was confirmed has to confirm the change, one that never was has no say. A new wish takes the
 * place of the former. null: "Unable to Update Email".
 */
export async function beginEmailChange(shop: Shop, userId: string, typed: string): Promise<'old' | 'new' | null> {
  const newEmail = typed.trim().toLowerCase()
  if (!isFitEmail(newEmail) || newEmail.endsWith('.invalid')) return null
  const waitsFor = await transact(shop.db, async (tx) => {
    // Of two wishes at once the later one takes the place of the other.
    const user = await lockUser(tx, userId)
    if (!user || user.isAnonymous || (await findUserByEmail(tx, newEmail))) return null
    await dropChanges(tx, userId)
    const first = user.emailVerified ? 'old' : 'new'
    await issueProof(tx, shop, { kind: `change-${first}`, userId, email: user.email, newEmail })
    return first
  }).catch((error: unknown) => {
    shop.log.error('the change of an address could not begin', error)
    return null
  })
  if (waitsFor) {
    shop.mail.wake()
    shop.live.changed(`user:${userId}`)
  }
  return waitsFor
}

const refuse = (help: string) => refused(422, { error: proofTexts.notUpdated, help })

/** LOGIN-18, LOGIN-35, LOGIN-50, S-015: an update, and no user in the answer. Taking a change back needs no proof: it changes nothing. */
export async function receiveEmailChange(asker: Asker, user: User, form: FormData): Promise<ActionResult> {
  const { shop, page } = asker
  if (textOf(form, 'intent') === 'cancel') {
    await dropChanges(shop.db, user.id)
    shop.live.changed(`user:${user.id}`)
    return done(proofTexts.cancelled)
  }
  const newEmail = textOf(form, 'email').trim()
  if (!isFitEmail(newEmail)) return refuse(proofTexts.noAddress)
  if (newEmail.toLowerCase() === user.email) return refuse(proofTexts.sameEmail)
  const seconds = await shop.limits.secondsToWait('email-change', { address: page.clientAddress, account: user.id })
  if (seconds > 0) return refusedAs(tooMany(page, seconds))
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return refusedAs(proof)
  const crowded = await shop.limits.secondsToWait('letter', { account: newEmail })
  if (crowded > 0) return refusedAs(tooMany(page, crowded))
  const waitsFor = await beginEmailChange(shop, user.id, newEmail)
  if (!waitsFor) return refuse(proofTexts.otherEmail)
  return done(changeBegun(waitsFor, { email: user.email, newEmail }))
}

/** LOGIN-20, LOGIN-52, S-014: a letter that has not left yet is told as the failure that the texts know, and is tried again. */
export async function receiveVerificationWish(shop: Shop, page: Page, user: User): Promise<ActionResult> {
  const seconds = await shop.limits.secondsToWait('verify', { address: page.clientAddress, account: user.id })
  if (seconds > 0) {
    const { error, status } = tooMany(page, seconds)
    return refused(status, { error, toasts: [error] })
  }
  try {
    const id = await transact(shop.db, (tx) => postVerification(tx, shop, user.id))
    if (id === null) return done(proofTexts.wasVerified)
    if (await shop.mail.deliverSoon(id)) return done(verificationSent(user.email))
    return refused(202, { toasts: [proofTexts.notSent] })
  } catch (error) {
    shop.log.error('the letter that confirms an address could not be written', error)
    return refused(500, { toasts: [proofTexts.notSent] })
  }
}
