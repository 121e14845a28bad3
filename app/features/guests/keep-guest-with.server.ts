/** "Link Guest Account" with a provider such as Google: into a new account in place, or, asked first, into the one that she has (S-002). */
import { isAdminId } from '#app/features/accounts/admin.ts'
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import type { User } from '#app/platform/context.ts'
import { makeLasting } from './keep-guest.server.ts'
import { rememberProof } from './proven-account.server.ts'

/** Who the provider says she is, proven by its signature. */
export type ProviderIdentity = {
  provider: string
  subject: string
  email: string
  emailVerified: boolean
  name: string
  image: string | null
}

/**
 * `kept`: the guest is a lasting account now, under the same uid and with a new session. `ask`: nothing has moved; /link-guest/ shows what would,
 * and asks. `refused`: the address belongs to an account that this identity may not enter (unverified on either side, or the owner's).
 */
export type KeptWith = 'kept' | 'ask' | 'refused'

/** S-002, S-212 */
export async function keepGuestWith(asker: Asker, guest: User, identity: ProviderIdentity): Promise<KeptWith> {
  const { db } = asker.shop
  if (guest.role !== 'guest') return 'refused'
  const email = identity.email.toLowerCase()
  const linked = await db
    .selectFrom('account')
    .select('userId')
    .where('providerId', '=', identity.provider)
    .where('accountId', '=', identity.subject)
    .executeTakeFirst()
  const named = await db.selectFrom('user').select(['id', 'emailVerified']).where('email', '=', email).executeTakeFirst()
  const accountId = linked?.userId ?? named?.id
  if (accountId === undefined) {
    const person = { email, emailVerified: identity.emailVerified, name: identity.name.slice(0, 80), image: identity.image }
    const wayIn = { providerId: identity.provider, accountId: identity.subject, password: null }
    return (await makeLasting(asker, guest, person, wayIn)) ? 'kept' : 'refused'
  }
  // An address alone proves an account only where both sides have seen that it is hers.
  if (isAdminId(accountId) || (!linked && !(identity.emailVerified && named?.emailVerified))) return 'refused'
  return (await rememberProof(asker, guest, accountId)).ok ? 'ask' : 'refused'
}
