/** A session goes on under a new token: a copy of the old cookie is worth nothing any more. */
import { makeSignature } from 'better-auth/crypto'
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import type { Tx } from '#db/tables.ts'

/** The new token; null when the session has ended meanwhile. The cookie goes out by `sendToken`, after the commit. */
export async function renewSession(tx: Tx, sessionId: string, at: number): Promise<string | null> {
  const token = newSecretId() + newSecretId()
  const renewed = await tx
    .updateTable('session')
    .set({ token, updatedAt: new Date(at) })
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 0n ? null : token
}

/** The library's cookie, as it would write it itself: the token with its signature. */
export async function sendToken({ shop, page }: Asker, token: string): Promise<void> {
  const { authCookies, secret, sessionConfig } = await shop.auth.$context
  const { name, attributes } = authCookies.sessionToken
  const value = encodeURIComponent(`${token}.${await makeSignature(token, secret)}`)
  const secure = attributes.secure ? '; Secure' : ''
  page.cookies.push(`${name}=${value}; Max-Age=${sessionConfig.expiresIn}; Path=/; HttpOnly; SameSite=Lax${secure}`)
}
