/** An account's address: confirmed at registration or on request, and changed for another one, which both addresses confirm (S-230). */
import type { Asker } from '#app/features/auth/auth-client.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { textOf, isFitEmail } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { findUserByEmail, lockUser } from '#app/platform/users.server.ts'
import { done, refused, refusedAs, type ActionResult } from '#app/ui/answer.ts'
import type { Tx } from '#db/schema.ts'
import { changeBegun, confirmKinds, proofTexts, verificationSent, type Confirmation, type ConfirmState } from './email-verification.ts'
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
    const was = await tx.selectFrom('user').select('emailVerified').where('id', '=', userId).executeTakeFirst()
    // S-230: from now on this address has a say. Whoever made the account with it may be somebody else, who wished for a change unasked.
    if (!was?.emailVerified) await dropChanges(tx, userId)
    return setAddress(tx, shop, { userId, from: email, to: email })
  },

  /** S-230: the old address has said yes, the new one is asked. */
  async 'change-old'(tx, shop, { userId, email, newEmail }) {
    await issueProof(tx, shop, { kind: 'change-new', userId, email, newEmail })
    return true
  },

  async 'change-new'(tx, shop, { userId, email, newEmail }) {
    const was = await tx.selectFrom('user').select('emailVerified').where('id', '=', userId).executeTakeFirst()
    if (!(await setAddress(tx, shop, { userId, from: email, to: newEmail! }))) return false
    // The conversation goes on under the new address; what was sold keeps the one it was sold to.
    await tx.updateTable('orders').set({ userEmail: newEmail! }).where('userId', '=', userId).execute()
    // Codes that went to the old address are worth nothing now.
    await tx.deleteFrom('addressProofs').where('userId', '=', userId).execute()
    if (was?.emailVerified) await postNotice(tx, shop, 'email', email)
    await recordOwnAct(tx, userId, { at: shop.now(), act: 'change-own-email', name: newEmail!, also: email })
    return true
  },
}

async function setAddress(tx: Tx, shop: Shop, { userId, from, to }: { userId: string; from: string; to: string }): Promise<boolean> {
  const set = await tx
    .updateTable('user')
    .set({ email: to, emailVerified: true, updatedAt: new Date(shop.now()) })
    .where('id', '=', userId)
    .where('email', '=', from)
    .executeTakeFirst()
  return set.numUpdatedRows === 1n
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

/** LOGIN-18, LOGIN-50, S-230: only a confirmed address has to confirm the change; a new wish replaces the former. null: LOGIN-50's text. */
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
