/** A forgotten password: asking for the letter, and choosing a new one with its code. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { closeSessions, deleteSessions } from '#app/features/devices/devices.server.ts'
import { lockUser } from '#app/features/profile/own-row.server.ts'
import { setPassword } from '#app/features/profile/set-password.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { faultOfPassword } from '#app/platform/fit-password.server.ts'
import { lifetimes, RESETS_AN_HOUR } from './proof.ts'
import { findProof, issueProof, postNotice, takeProof, type Proof } from './proofs.server.ts'

/**
 * LOGIN-21, S-013: nothing is looked up before the answer, so that neither its words nor its time tell who has an account here. The work
 * goes on behind it. false: not just now, whoever it is for.
 */
export function askForReset(shop: Shop, email: string): boolean {
  return shop.behind.begin('a letter for a new password could not be written', () => postReset(shop, email.toLowerCase()))
}

async function postReset(shop: Shop, email: string): Promise<void> {
  // The made-up addresses of guests lead nowhere, and nobody is to find out one.
  if (email.endsWith('.invalid')) return
  const isPosted = await transact(shop.db, async (tx) => {
    const found = await tx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()
    // Held, so that many wishes at once are counted one after the other.
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

/** For the page of a code: whose password it is about. Whoever has the code reads her letters. */
export async function findReset(shop: Shop, code: string): Promise<{ email: string } | null> {
  const proof = await findProof(shop, ['reset'], code)
  return proof && { email: proof.email }
}

/** `email`: whose password it was. */
export type Reset = { ok: true; email: string } | { ok: false; refusal: 'code' } | { ok: false; refusal: 'password'; help: string }

/**
 * LOGIN-22, LOGIN-37, LOGIN-53, S-229: the code once, the new password, and the end of every session, in one transaction. The address is
 * proven by it; nobody is signed in by it, so that a second factor still counts. A password that will not do leaves the code as it is.
 */
export async function resetPassword(shop: Shop, code: string, wanted: string): Promise<Reset> {
  const proof = await findProof(shop, ['reset'], code)
  if (!proof) return { ok: false, refusal: 'code' }
  const help = faultOfPassword(wanted, proof.email)
  if (help !== null) return { ok: false, refusal: 'password', help }
  const password = await (await shop.auth.$context).password.hash(wanted)
  const ended = await transact(shop.db, (tx) => replacePassword(tx, shop, proof, password))
  if (!ended) return { ok: false, refusal: 'code' }
  closeSessions(shop, ended)
  shop.live.changed(`user:${proof.userId}`)
  shop.mail.wake()
  return { ok: true, email: proof.email }
}

/** The sessions that it has ended; null: the code was used meanwhile, or the account has another address. */
async function replacePassword(tx: Tx, shop: Shop, { id, userId, email }: Proof, password: string): Promise<string[] | null> {
  if (!(await takeProof(tx, id))) return null
  const at = shop.now()
  const user = await tx
    .updateTable('user')
    .set({ emailVerified: true, updatedAt: new Date(at) })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst()
  if (user.numUpdatedRows === 0n) return null
  await setPassword(tx, userId, password, at)
  const sessions = await deleteSessions(tx, userId, null)
  // Other codes may have been asked for by whoever is locked out now.
  await tx.deleteFrom('addressProofs').where('userId', '=', userId).execute()
  await postNotice(tx, shop, 'password', email)
  if (userId === ADMIN_ID) await recordAct(tx, { at, actor: ADMIN_ID, act: 'reset-own-password', subject: ADMIN_ID, name: email })
  return sessions
}
