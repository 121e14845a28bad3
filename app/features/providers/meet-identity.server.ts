/** Whose account an identity opens, asked before the library looks at any; it asks once more by its own rules. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { Identity } from '#app/platform/identity.server.ts'
import type { Db } from '#db/tables.ts'
import type { Reason } from './provider-try.ts'

/** The uid that has this identity; null: nobody. By the provider's own name for the person: addresses change hands. */
export async function ownerOfIdentity(db: Db, { provider, subject }: Pick<Identity, 'provider' | 'subject'>): Promise<string | null> {
  const found = await db
    .selectFrom('account')
    .select('userId')
    .where('providerId', '=', provider)
    .where('accountId', '=', subject)
    .executeTakeFirst()
  return found?.userId ?? null
}

/** Whether it would join an account that opens otherwise so far. */
export async function joinsAccount(db: Db, identity: Identity): Promise<boolean> {
  if ((await ownerOfIdentity(db, identity)) !== null) return false
  return (await db.selectFrom('user').select('id').where('email', '=', identity.email).executeTakeFirst()) !== undefined
}

/**
 * S-208: null: it may go in. An identity that is new here joins the account of its address only where both sides have proven the address;
 * otherwise whoever registered a stranger's address first, here or there, would open the stranger's account. The owner's account is never joined.
 */
export async function refuseIdentity(db: Db, identity: Identity): Promise<Reason | null> {
  const known = await ownerOfIdentity(db, identity)
  if (known !== null) return known === ADMIN_ID ? 'owner' : null
  if (!identity.emailVerified) return 'unverified'
  const holder = await db.selectFrom('user').select(['id', 'emailVerified']).where('email', '=', identity.email).executeTakeFirst()
  if (!holder) return null
  if (holder.id === ADMIN_ID) return 'owner'
  return holder.emailVerified ? null : 'taken'
}
