/** Who asks: the user of a request's session. */
import type { Shop, User } from '#app/platform/context.ts'
import { ADMIN_ID } from './admin.ts'

/** null when nobody is signed in; renewed cookies are pushed to `cookies`. Must not be called inside a transaction. */
export async function findUserOf(shop: Pick<Shop, 'auth'>, headers: Headers, cookies: string[]): Promise<User | null> {
  if (!headers.get('cookie')?.includes('session_token')) return null
  const { response, headers: renewed } = await shop.auth.api.getSession({ headers, returnHeaders: true })
  cookies.push(...(renewed?.getSetCookie() ?? []))
  if (!response) return null
  const { user, session } = response
  const role = user.id === ADMIN_ID ? 'admin' : user.isAnonymous ? 'guest' : 'customer'
  return { id: user.id, name: user.name, email: role === 'guest' ? '' : user.email, image: user.image ?? null, role, sessionId: session.id }
}
