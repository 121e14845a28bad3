/** What is done with the codes of letters: an address is confirmed, or changed for another one, and a forgotten password replaced (036). */
import { rememberDevice, type Asker } from '#app/features/auth/auth-client.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { isFitEmail, textOf } from '#app/platform/form.server.ts'
import { outageTexts, RETRY_AFTER } from '#app/platform/outage.server.ts'
import { faultOfPassword } from '#app/platform/password-policy.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { findUserByEmail, lockUser, setPassword } from '#app/platform/users.server.ts'
import { done, refused, refusedAs, type ActionResult } from '#app/ui/answer.ts'
import type { Tx } from '#db/schema.ts'
import { changeBegun, confirmKinds, lifetimes, proofTexts, RESETS_AN_HOUR, verificationSent } from './email-verification.ts'
import type { Confirmation, ConfirmState, ResetState } from './email-verification.ts'
import { dropChanges, findProof, issueProof, postNotice, readAddress, takeProof, type Proof } from './verification-tokens.server.ts'

/** LOGIN-20, S-012. null: nothing to confirm. */
async function postVerification(tx: Tx, shop: Shop, userId: string): Promise<string | null> {
  const user = await tx.selectFrom('user').select(['email', 'emailVerified', 'isAnonymous']).where('id', '=', userId).executeTakeFirst()
  if (!user || user.emailVerified || user.isAnonymous || user.email.endsWith('.invalid')) return null
  return issueProof(tx, shop, { kind: 'verify', userId, email: user.email, newEmail: null })
}

/** S-012: a letter that cannot be written must not undo the account. S-237: nobody fills somebody's mailbox by registering again and again. */
export async function greetByLetter(shop: Shop, userId: string): Promise<void> {
  const user = await shop.db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user || !(await shop.limits.allow('letter', { account: user.email }))) return
  const isPosted = await transact(shop.db, (tx) => postVerification(tx, shop, userId)).catch((error: unknown) => {
    shop.log.error('the letter that confirms an address could not be written', error)
    return null
  })
  if (isPosted) shop.mail.wake()
}

/** Each in the transaction that takes the code; false: the account has another address by now. */
const acts: Record<Confirmation['kind'], (tx: Tx, shop: Shop, proof: Proof) => Promise<boolean>> = {
  async verify(tx, shop, { userId, email }) {
    const before = await setAddress(tx, shop, { userId, from: email, to: email })
    // S-230: the address is confirmed from now on. Somebody else may have made the account with it and requested a change of the address.
    if (before && !before.emailVerified) await dropChanges(tx, userId)
    return before !== null
  },

  /** S-230: the old address has said yes, the new one is asked. */
  async 'change-old'(tx, shop, { userId, email, newEmail }) {
    await issueProof(tx, shop, { kind: 'change-new', userId, email, newEmail })
    return true
  },

  async 'change-new'(tx, shop, { userId, email, newEmail }) {
    const before = await setAddress(tx, shop, { userId, from: email, to: newEmail! })
    if (!before) return false
    // The conversation goes on under the new address; what was sold keeps the one it was sold to.
    await tx.updateTable('orders').set({ userEmail: newEmail! }).where('userId', '=', userId).execute()
    // Codes that went to the old address are worth nothing now.
    await tx.deleteFrom('addressProofs').where('userId', '=', userId).execute()
    if (before.emailVerified) await postNotice(tx, shop, 'email', email)
    await recordOwnAct(tx, userId, { at: shop.now(), act: 'change-own-email', name: newEmail!, also: email })
    return true
  },
}

/** The account as it was before. */
async function setAddress(tx: Tx, shop: Shop, { userId, from, to }: { userId: string; from: string; to: string }) {
  const before = await lockUser(tx, userId)
  if (before?.email !== from) return null
  const changed = { email: to, emailVerified: true, updatedAt: new Date(shop.now()) }
  await tx.updateTable('user').set(changed).where('id', '=', userId).execute()
  return before
}

const plain: ConfirmState = { asked: null, done: null, code: '', error: '', isConfirmed: false }

/** Programs that open every link of an email look at this page, too: looking changes nothing. */
export async function showConfirmation(shop: Shop, code: string, user: User | null): Promise<ConfirmState> {
  if (code === '') return plain
  const proof = await findProof(shop, confirmKinds, code)
  if (proof) return { ...plain, asked: { kind: proof.kind, email: proof.email, newEmail: proof.newEmail ?? '' }, code }
  const own = user && user.role !== 'guest' ? await readAddress(shop, user) : null
  return { ...plain, code: code.slice(0, 200), error: proofTexts.badCode, isConfirmed: own !== null && own.isVerified && !own.change }
}

/** LOGIN-18, LOGIN-20, LOGIN-35, LOGIN-50: in any browser. S-230: an address that is taken by now is told as any other failure (LOGIN-50). */
export async function receiveConfirmation(shop: Shop, page: Page, typed: string): Promise<{ state: ConfirmState; status: number }> {
  const again = (error: string, status: number) => ({ state: { ...plain, code: typed.slice(0, 200), error }, status })
  const seconds = await shop.limits.secondsToWait('code', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  const proof = await findProof(shop, confirmKinds, typed)
  if (!proof) return again(proofTexts.badCode, 422)
  const newEmail = proof.newEmail ?? ''
  const isTaken = async () => newEmail !== '' && (await findUserByEmail(shop.db, newEmail)) !== undefined
  if (await isTaken()) return again(proofTexts.notUpdated, 409)
  const confirmed = await transact(shop.db, async (tx) => (await takeProof(tx, proof.id)) && acts[proof.kind](tx, shop, proof)).catch(
    async (error: unknown) => {
      // Somebody took the address between the question and the write; the code is as it was.
      if (await isTaken()) return 'taken'
      throw error
    },
  )
  if (confirmed === 'taken') return again(proofTexts.notUpdated, 409)
  if (!confirmed) return again(proofTexts.badCode, 422)
  shop.mail.wake()
  shop.live.changed('orders', `order:${proof.userId}`, `user:${proof.userId}`)
  return { state: { ...plain, done: { kind: proof.kind, email: proof.email, newEmail } }, status: 200 }
}

/** LOGIN-18, LOGIN-50, S-230: only a confirmed address has to confirm the change; a new request replaces the former one. null: the page shows LOGIN-50's text. */
export async function beginEmailChange(shop: Shop, userId: string, typed: string): Promise<'old' | 'new' | null> {
  const newEmail = typed.trim().toLowerCase()
  if (!isFitEmail(newEmail) || newEmail.endsWith('.invalid')) return null
  const waitsFor = await transact(shop.db, async (tx) => {
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

async function postReset(shop: Shop, email: string): Promise<void> {
  // The made-up addresses of guests lead nowhere, and nobody is to find out one.
  if (email.endsWith('.invalid')) return
  const isPosted = await transact(shop.db, async (tx) => {
    const found = await findUserByEmail(tx, email)
    // The row is locked, so that concurrent requests are counted one after the other.
    const user = found && (await lockUser(tx, found.id))
    if (!user) return false
    const { sent } = await tx
      .selectFrom('addressProofs')
      .select((is) => is.fn.countAll<number>().as('sent'))
      .where('userId', '=', user.id)
      .where('kind', '=', 'reset')
      .where('createdAt', '>', shop.now() - lifetimes.reset)
      .executeTakeFirstOrThrow()
    if (Number(sent) >= RESETS_AN_HOUR) return false
    await issueProof(tx, shop, { kind: 'reset', userId: user.id, email, newEmail: null })
    return true
  })
  if (isPosted) shop.mail.wake()
}

/** LOGIN-22, LOGIN-37, LOGIN-53, S-229. Nobody is signed in by it: a second factor still counts. An unfit password leaves the code as it is. */
export async function resetPassword(shop: Shop, code: string, wanted: string) {
  const proof = await findProof(shop, ['reset'], code)
  if (!proof) return { ok: false, email: '', fault: null } as const
  const { userId, email } = proof
  const fault = faultOfPassword(wanted, email)
  if (fault !== null) return { ok: false, email, fault } as const
  const password = await (await shop.auth.$context).password.hash(wanted)
  const at = shop.now()
  const ended = await transact(shop.db, async (tx) => {
    if (!(await takeProof(tx, proof.id)) || !(await setAddress(tx, shop, { userId, from: email, to: email }))) return null
    await setPassword(tx, userId, password, at)
    const sessions = await deleteSessions(tx, userId, null)
    // Other codes may have been asked for by whoever is locked out now.
    await tx.deleteFrom('addressProofs').where('userId', '=', userId).execute()
    await postNotice(tx, shop, 'password', email)
    await recordOwnAct(tx, userId, { at, act: 'reset-own-password', name: email })
    return sessions
  })
  if (!ended) return { ok: false, email: '', fault: null } as const
  closeSessions(shop, ended)
  shop.live.changed(`user:${userId}`)
  shop.mail.wake()
  return { ok: true, email } as const
}

type Answered = { state: ResetState; status: number }
type Choose = Partial<Extract<ResetState, { step: 'choose' }>>

const choose = (some: Choose): ResetState => ({ step: 'choose', sentTo: '', email: '', code: '', error: '', fault: null, ...some })
/** Longer than any code; a longer text is not sent back. */
const kept = (typed: string) => typed.slice(0, 200)

/** `code` null: the first step; empty: it is to be typed. A look uses nothing up. */
export async function showReset(shop: Shop, code: string | null, user: User | null): Promise<ResetState> {
  // A guest's address is made up.
  if (code === null) return { step: 'ask', email: user && user.role !== 'guest' ? user.email : '', error: '' }
  if (code === '') return choose({})
  const found = await findProof(shop, ['reset'], code)
  return found ? choose({ email: found.email, code: kept(code) }) : choose({ code: kept(code), error: proofTexts.badCode })
}

export const receiveReset = (asker: Asker, form: FormData): Promise<Answered> =>
  textOf(form, 'intent') === 'choose' ? receiveChoice(asker, form) : receiveAsk(asker, textOf(form, 'email').trim())

/** LOGIN-21, S-013, S-228: counted by who asks; letters to one address are counted where nobody sees it. */
async function receiveAsk({ shop, page }: Asker, email: string): Promise<Answered> {
  const again = (error: string, status: number): Answered => ({ state: { step: 'ask', email: email.slice(0, 254), error }, status })
  if (!isFitEmail(email)) return again(proofTexts.badEmail, 422)
  const seconds = await shop.limits.secondsToWait('reset', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  // Nothing is looked up before the answer, so that neither its words nor its time tell who has an account here: the work goes on behind it.
  if (!shop.behind.begin('a letter for a new password could not be written', () => postReset(shop, email.toLowerCase()))) {
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
  const reset = await resetPassword(shop, code, textOf(form, 'password'))
  if (!reset.ok) return again({ email: reset.email, error: proofTexts.badCode, fault: reset.fault }, 422)
  await rememberDevice(asker, reset.email)
  return { state: { step: 'done' }, status: 200 }
}
