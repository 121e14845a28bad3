/** Confirming an address: the email at registration or on request, and the page behind the links. */
import type { Shop, Page, User } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/schema.ts'
import { issueProof, findProof, postNotice, takeProof, dropChanges, readAddress, type Proof } from './verification-tokens.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import { confirmKinds, proofTexts, type Confirmation, type ConfirmState } from './email-verification.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { findUserByEmail } from '#app/platform/users.server.ts'

/**
 * LOGIN-20, S-012: for whoever makes a lasting account, in the same transaction where there is one; `shop.mail.wake()` after the commit
 * sends it at once. null: nothing to confirm.
 */
export async function postVerification(tx: Tx, shop: Shop, userId: string): Promise<string | null> {
  const user = await tx.selectFrom('user').select(['email', 'emailVerified', 'isAnonymous']).where('id', '=', userId).executeTakeFirst()
  if (!user || user.emailVerified || user.isAnonymous || user.email.endsWith('.invalid')) return null
  return issueProof(tx, shop, { kind: 'verify', userId, email: user.email, newEmail: null })
}

/**
 * S-012: after registering. A letter that cannot be written must not undo the account: it can be asked for again. S-237: who makes and deletes
 * accounts with somebody's address fills nobody's mailbox.
 */
export async function greetByLetter(shop: Shop, userId: string): Promise<void> {
  const user = await shop.db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  if (!user || !(await shop.limits.allow('letter', { account: user.email }))) return
  const isPosted = await transact(shop.db, (tx) => postVerification(tx, shop, userId)).catch((error: unknown) => {
    shop.log.error('the letter that confirms an address could not be written', error)
    return null
  })
  if (isPosted) shop.mail.wake()
}

export type Confirmed = { ok: true; done: Confirmation } | { ok: false; refusal: 'code' | 'taken' }

/** LOGIN-18, LOGIN-20, LOGIN-35, LOGIN-50: with or without a session, in whichever browser the letter was opened. */
export async function confirm(shop: Shop, code: string): Promise<Confirmed> {
  const proof = await findProof(shop, confirmKinds, code)
  if (!proof) return { ok: false, refusal: 'code' }
  const newEmail = proof.newEmail ?? ''
  if (newEmail && (await findUserByEmail(shop.db, newEmail))) return { ok: false, refusal: 'taken' }
  const isDone = await transact(shop.db, async (tx) => (await takeProof(tx, proof.id)) && acts[proof.kind](tx, shop, proof)).catch(
    async (error: unknown) => {
      // Somebody took the address between the question and the write; the code is as it was.
      if (newEmail && (await findUserByEmail(shop.db, newEmail))) return 'taken' as const
      throw error
    },
  )
  if (isDone !== true) return { ok: false, refusal: isDone || 'code' }
  shop.mail.wake()
  shop.live.changed('orders', `order:${proof.userId}`, `user:${proof.userId}`)
  return { ok: true, done: { kind: proof.kind, email: proof.email, newEmail } }
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

/** S-230: an address that somebody else has by now is not told apart from any other failure of a change (LOGIN-50). */
export async function receiveConfirmation(shop: Shop, page: Page, typed: string): Promise<{ state: ConfirmState; status: number }> {
  const again = (error: string, status: number) => ({ state: { ...plain, code: typed.slice(0, 200), error }, status })
  const seconds = await shop.limits.secondsToWait('code', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  const done = await confirm(shop, typed)
  if (done.ok) return { state: { ...plain, done: done.done }, status: 200 }
  return done.refusal === 'code' ? again(proofTexts.badCode, 422) : again(proofTexts.notUpdated, 409)
}
