/** A guest becomes a lasting account in place: the uid stays, and with it favourites, conversation and order requests (S-002). */
import type { Tx } from '#db/tables.ts'
import { signUpError } from '#app/features/accounts/account-texts.ts'
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { enterAs } from '#app/features/accounts/enter-as.server.ts'
import { greetByLetter } from '#app/features/address-proof/verify.server.ts'
import { checkRegistration } from '#app/features/accounts/sign-in-input.ts'
import { closeSessions, deleteSessions } from '#app/features/devices/devices.server.ts'
import type { User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { transact } from '#app/platform/transact.server.ts'

export type Kept = { ok: true } | { ok: false; error: string; help?: string; status: number }

const refuse = (code: string): Kept => ({ ok: false, error: signUpError(code), status: 422 })

/** NAV-41, S-002: to a new e-mail account; an address that has one already is refused, nothing is merged. */
export async function keepGuest(asker: Asker, guest: User, credentials: { email: string; password: string }): Promise<Kept> {
  const { shop } = asker
  if (guest.role !== 'guest') return refuse('NOT_A_GUEST')
  const refusal = checkRegistration(credentials)
  if (refusal) return { ...refuse(refusal.code), ...(refusal.help && { help: refusal.help }) }
  const seconds = await shop.limits.secondsToWait('link', { address: asker.page.clientAddress, account: guest.id })
  if (seconds > 0) return tooMany(asker.page, seconds)
  const email = credentials.email.toLowerCase()
  if (await isTaken(asker, email)) return refuse('USER_ALREADY_EXISTS')
  const password = await (await shop.auth.$context).password.hash(credentials.password)
  const person = { email, emailVerified: false, name: '', image: null }
  return (await makeLasting(asker, guest, person, { providerId: 'credential', accountId: guest.id, password }))
    ? { ok: true }
    : refuse('USER_ALREADY_EXISTS')
}

export type Person = { email: string; emailVerified: boolean; name: string; image: string | null }
type WayIn = { providerId: string; accountId: string; password: string | null }

const isTaken = ({ shop }: Asker, email: string) => shop.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()

/**
 * S-002, S-215: in one transaction that only touches a row that is still a guest's. The guest's sessions end with it, and a new one is made: a
 * cookie of before is worth nothing. False: the address was taken meanwhile, or the guest is none any more.
 */
export async function makeLasting(asker: Asker, guest: User, person: Person, wayIn: WayIn): Promise<boolean> {
  const { shop } = asker
  const at = new Date(shop.now())
  const write = async (tx: Tx) => {
    // Of two forms at once one wins.
    const changed = await tx
      .updateTable('user')
      .set({ ...person, isAnonymous: false, updatedAt: at })
      .where('id', '=', guest.id)
      .where('isAnonymous', '=', true)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) return null
    await tx
      .insertInto('account')
      .values({ id: newSecretId(), userId: guest.id, ...wayIn, createdAt: at, updatedAt: at })
      .execute()
    const { name: userName, email: userEmail, image } = person
    await tx
      .updateTable('orders')
      .set({ userName, userEmail, userPhotoURL: image ?? '' })
      .where('id', '=', guest.id)
      .execute()
    await tx.deleteFrom('guestLinks').where('guestId', '=', guest.id).execute()
    return deleteSessions(tx, guest.id, null)
  }
  const ended = await transact(shop.db, write).catch(async (error: unknown) => {
    // The address was taken between the question and the write.
    if (await isTaken(asker, person.email)) return null
    throw error
  })
  if (!ended) return false
  await enterAs(asker, guest.id)
  await greetByLetter(shop, guest.id)
  closeSessions(shop, ended)
  shop.live.changed('orders', `order:${guest.id}`, `user:${guest.id}`)
  return true
}
