/** Another password for who is signed in; whoever else is in, is out. */
import { rememberDevice, sessionCookie, type Asker } from '#app/features/auth/auth-client.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import type { Tx } from '#db/schema.ts'
import { postNotice } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { lockUser, setPassword } from '#app/platform/users.server.ts'
import { PASSWORD_NOT_UPDATED } from './account.ts'
import { faultOfPassword } from '#app/platform/password-policy.server.ts'
import { proveItsYou, readPasswordHash, type Proof } from '#app/features/auth/reauthenticate.server.ts'

/** The new token; null when the session has ended meanwhile. The caller sends the cookie after the commit. */
async function renewSession(tx: Tx, sessionId: string, at: number): Promise<string | null> {
  const token = newSecretId() + newSecretId()
  const renewed = await tx
    .updateTable('session')
    .set({ token, updatedAt: new Date(at) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 0n ? null : token
}

type Asking = Pick<User, 'id' | 'sessionId' | 'email'>
type Changed = Proof | { ok: false; error: string; help: string; status: number }

/**
 * LOGIN-19, LOGIN-36, LOGIN-51, S-220: after the proof the new password counts, all other sessions end with their live connections, and this
 * one goes on under a new token. Letters that whoever knew the old one may have asked for are void (S-230). All or nothing; of two at once,
 * both proven by the old password, one wins. A confirmed address hears of it: at one that is not, somebody else may read.
 */
export async function changePassword(asker: Asker, user: Asking, form: FormData): Promise<Changed> {
  const { shop } = asker
  const wanted = textOf(form, 'newPassword')
  const help = faultOfPassword(wanted, user.email)
  if (help !== null) return { ok: false, error: PASSWORD_NOT_UPDATED, help, status: 422 }
  const before = await readPasswordHash(shop.db, user.id)
  const proof = await proveItsYou(asker, user, form)
  if (!proof.ok) return proof
  const hash = await (await shop.auth.$context).password.hash(wanted)
  const at = shop.now()
  const done = await transact(shop.db, async (tx) => {
    const self = await lockUser(tx, user.id)
    if (!self || (await readPasswordHash(tx, user.id)) !== before) return null
    const token = await renewSession(tx, user.sessionId, at)
    if (token === null) return null
    await setPassword(tx, user.id, hash, at)
    await tx.deleteFrom('addressProofs').where('userId', '=', user.id).where('kind', '<>', 'verify').execute()
    await recordOwnAct(tx, user.id, { at, act: 'change-own-password', name: self.name || self.email })
    if (self.emailVerified) await postNotice(tx, shop, 'password', self.email)
    return { token, ended: await deleteSessions(tx, user.id, user.sessionId) }
  })
  if (!done) return { ok: false, error: PASSWORD_NOT_UPDATED, status: 409 }
  closeSessions(shop, done.ended)
  shop.mail.wake()
  asker.page.cookies.push(await sessionCookie(shop, done.token))
  await rememberDevice(asker, user.email)
  return { ok: true }
}
