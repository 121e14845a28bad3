/** "Link Guest Account" with a provider such as Google: into a new account in place, or, asked first, into the one that she has (S-002). */
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { ownerOfIdentity, refuseIdentity } from '#app/features/providers/meet-identity.server.ts'
import type { Reason } from '#app/features/providers/provider-try.ts'
import type { User } from '#app/platform/context.ts'
import type { Identity } from '#app/platform/identity.server.ts'
import { makeLasting } from './keep-guest.server.ts'
import { rememberProof } from './proven-account.server.ts'

/**
 * `kept`: the guest is a lasting account now, under the same uid and with a new session. `ask`: nothing has moved; /link-guest/ shows what would,
 * and asks.
 */
export type KeptWith = { done: 'kept' | 'ask' } | { done: 'refused'; reason: Reason }

/** S-002, S-212: whom the login lets in, by the same rules (S-208). */
export async function keepGuestWith(asker: Asker, guest: User | null, identity: Identity): Promise<KeptWith> {
  const { db } = asker.shop
  if (guest?.role !== 'guest') return { done: 'refused', reason: 'other' }
  const reason = await refuseIdentity(db, identity)
  if (reason) return { done: 'refused', reason }
  const accountId = (await ownerOfIdentity(db, identity)) ?? (await holderOf(asker, identity.email))
  if (accountId !== null) {
    const { ok } = await rememberProof(asker, guest, accountId)
    return ok ? { done: 'ask' } : { done: 'refused', reason: 'failed' }
  }
  const person = { email: identity.email, emailVerified: identity.emailVerified, name: identity.name, image: null }
  const wayIn = { providerId: identity.provider, accountId: identity.subject, password: null }
  return (await makeLasting(asker, guest, person, wayIn)) ? { done: 'kept' } : { done: 'refused', reason: 'taken' }
}

const holderOf = async ({ shop }: Asker, email: string): Promise<string | null> =>
  (await shop.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst())?.id ?? null
