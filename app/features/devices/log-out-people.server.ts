/** For whoever may use the machine: the end of somebody's sessions, or of everybody's, as when a device or a copy of the database was stolen. */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'

/**
 * How many sessions have ended; null: nobody has this address. Guests stay: they have nothing to log in with again. A shop that is open sees it
 * at the next request, and its live channel at the next heartbeat.
 */
export async function logOutPeople({ db, now }: Pick<Shop, 'db' | 'now'>, whom: { email: string } | 'everybody'): Promise<number | null> {
  return transact(db, async (tx) => {
    let people = tx
      .selectFrom('user')
      .select('id')
      .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    if (whom !== 'everybody') people = people.where('email', '=', whom.email.toLowerCase())
    if (!(await people.executeTakeFirst())) return null
    const gone = await tx.deleteFrom('session').where('userId', 'in', people).returning('id').execute()
    // The history outlives accounts, so it names nobody.
    const name = whom === 'everybody' ? 'everybody' : 'one account'
    await recordAct(tx, { at: now(), actor: ADMIN_ID, act: 'log-out-people', subject: ADMIN_ID, name, detail: { count: gone.length } })
    return gone.length
  })
}
