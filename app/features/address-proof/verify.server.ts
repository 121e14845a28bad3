/** Confirming an address for the first time: the letter at registration, and the same again on request. */
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { issueProof } from './proofs.server.ts'

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

/** LOGIN-20, LOGIN-52, S-014: on request of who is signed in. 'later': written, but it has not left yet. */
export async function sendVerification(shop: Shop, userId: string): Promise<'sent' | 'later' | 'failed' | 'verified'> {
  try {
    const id = await transact(shop.db, (tx) => postVerification(tx, shop, userId))
    if (id === null) return 'verified'
    return (await shop.mail.deliverSoon(id)) ? 'sent' : 'later'
  } catch (error) {
    shop.log.error('the letter that confirms an address could not be written', error)
    return 'failed'
  }
}
