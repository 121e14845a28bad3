/** A new session for somebody who has proven otherwise who she is: a guest who has just become a customer, or moved into her account. */
import type { User } from '#app/platform/context.ts'
import { isAdminId } from './admin.ts'
import { enter, type Asker } from './ask-auth.server.ts'

/** Never the owner, who always comes in by the login page. Outside of transactions. */
export async function enterAs(asker: Asker, userId: string): Promise<User> {
  if (isAdminId(userId)) throw new Error('the owner signs in at the login page')
  const headers = new Headers({
    'user-agent': asker.request.headers.get('user-agent') ?? '',
    'x-client-address': asker.page.clientAddress,
  })
  const { headers: given } = await asker.shop.auth.api.enterAs({ body: { userId }, headers, returnHeaders: true })
  return enter(asker, given.getSetCookie())
}
