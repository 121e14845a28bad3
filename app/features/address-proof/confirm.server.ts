/** The page behind the links: it shows what a code stands for, and does it when the button is pressed. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { dropChanges, isTaken } from './change-email.server.ts'
import { confirmKinds, type Confirmation } from './proof.ts'
import { findProof, issueProof, postNotice, takeProof, type Proof } from './proofs.server.ts'

/** Programs that open every link of a letter look at this page, too: looking changes nothing. */
export async function findConfirmation(shop: Shop, code: string): Promise<Confirmation | null> {
  const proof = await findProof(shop, confirmKinds, code)
  return proof && { kind: proof.kind, email: proof.email, newEmail: proof.newEmail ?? '' }
}

export type Confirmed = { ok: true; done: Confirmation } | { ok: false; refusal: 'code' | 'taken' }

/** LOGIN-18, LOGIN-20, LOGIN-35, LOGIN-50: with or without a session, in whichever browser the letter was opened. */
export async function confirm(shop: Shop, code: string): Promise<Confirmed> {
  const proof = await findProof(shop, confirmKinds, code)
  if (!proof) return { ok: false, refusal: 'code' }
  const newEmail = proof.newEmail ?? ''
  if (newEmail && (await isTaken(shop.db, newEmail))) return { ok: false, refusal: 'taken' }
  const isDone = await transact(shop.db, async (tx) => (await takeProof(tx, proof.id)) && acts[proof.kind](tx, shop, proof)).catch(
    async (error: unknown) => {
      // Somebody took the address between the question and the write; the code is as it was.
      if (newEmail && (await isTaken(shop.db, newEmail))) return 'taken' as const
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
    if (userId === ADMIN_ID)
      await recordAct(tx, { at: shop.now(), actor: ADMIN_ID, act: 'change-own-email', subject: ADMIN_ID, name: newEmail!, also: email })
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
