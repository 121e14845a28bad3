/** A guest's things move into the lasting account that she has proven to be hers: all of them or none, once (S-002, 033). */
import type { Tx } from '#db/tables.ts'
import type { Asker } from '#app/features/accounts/ask-auth.server.ts'
import { enterAs } from '#app/features/accounts/enter-as.server.ts'
import { closeSessions, deleteSessions } from '#app/features/devices/devices.server.ts'
import { lockUser } from '#app/features/profile/own-row.server.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { MoveRefusal } from './guest-texts.ts'
import { moveConversation } from './move-conversation.server.ts'
import { provenAccount } from './proven-account.server.ts'
import { readWhatMoves } from './what-moves.server.ts'

export type Moved = { ok: true } | { ok: false; refusal: MoveRefusal }

/** Ends the transaction, so that nothing of it is kept. */
class Refused extends Error {
  readonly refusal: MoveRefusal
  constructor(refusal: MoveRefusal) {
    super(refusal)
    this.refusal = refusal
  }
}

/** `seen`: the version of what she was shown and said Yes to. */
export async function moveGuest(asker: Asker, guest: User, seen: string): Promise<Moved> {
  const { shop } = asker
  if (guest.role !== 'guest') return { ok: false, refusal: 'not-a-guest' }
  const now = shop.now()
  const moved = await attempt(shop.log, 'a guest could not be moved into her account', () =>
    transact(shop.db, (tx) => moveAll(tx, guest.id, seen, now)).catch((error: unknown): Moved => {
      if (error instanceof Refused) return { ok: false, refusal: error.refusal }
      throw error
    }),
  )
  if (!moved.ok || !('accountId' in moved)) return moved
  // Everything is in its place. Should she not get her session now, her password lets her in.
  await enterAs(asker, moved.accountId)
  closeSessions(shop, moved.sessions)
  shop.authSync.accountGone(guest.id)
  shop.live.changed('orders', 'sales', `order:${guest.id}`, `order:${moved.accountId}`, `user:${moved.accountId}`)
  return { ok: true }
}

async function moveAll(tx: Tx, guestId: string, seen: string, now: number) {
  // A change of what is unique holds off, on PostgreSQL, whatever would refer to the row: a favourite or conversation of this very moment is
  // either here already or finds no guest any more.
  const held = await tx
    .updateTable('user')
    .set({ email: `moving-${newSecretId()}@guest.invalid` })
    .where('id', '=', guestId)
    .where('isAnonymous', '=', true)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) throw new Refused('not-a-guest')
  const account = await provenAccount(tx, guestId, now)
  const there = await readWhatMoves(tx, guestId, now)
  // The account is held as well: one that is deleted at this moment takes nothing over.
  if (!account || !there || !(await lockUser(tx, account.id))) throw new Refused('unproven')
  if (there.version !== seen) throw new Refused('changed')
  await tx
    .insertInto('favourites')
    .columns(['userId', 'itemId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('favourites as f')
        .select([eb.val(account.id).as('userId'), 'f.itemId', 'f.createdAt'])
        .where('f.userId', '=', guestId),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
    .execute()
  await moveConversation(tx, guestId, { ...account, sessionId: '' }, now)
  await tx.updateTable('chatUploads').set({ sender: account.id }).where('sender', '=', guestId).execute()
  // The names on receipts and testimonies stay as they were written.
  await tx.updateTable('sales').set({ buyerId: account.id }).where('buyerId', '=', guestId).execute()
  await tx.updateTable('testimonies').set({ writerId: account.id }).where('writerId', '=', guestId).execute()
  const sessions = await deleteSessions(tx, guestId, null)
  await tx.deleteFrom('user').where('id', '=', guestId).where('isAnonymous', '=', true).execute()
  return { ok: true as const, accountId: account.id, sessions }
}
