/** The way back in for an owner who has lost her password or her phone, for whoever may use the shop's machine (037). */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/tables.ts'
import { tellOwnerIn } from './tell-owner.server.ts'

type Rescue = Pick<Shop, 'db' | 'mail' | 'now'>

/**
 * S-236: the new password and the end of everything that the old one had opened, in one transaction: sessions, logins that have yet to
 * give their code, and codes of letters. A running shop sees it at the next request.
 */
export async function resetOwnersPassword(shop: Rescue, hash: string): Promise<void> {
  await transact(shop.db, async (tx) => {
    const changed = await tx
      .updateTable('account')
      .set({ password: hash, updatedAt: new Date(shop.now()) })
      .where('userId', '=', ADMIN_ID)
      .where('providerId', '=', 'credential')
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) throw new Error('the owner has no password to reset; start the shop once')
    await tx.deleteFrom('session').where('userId', '=', ADMIN_ID).execute()
    await endHalfLogins(tx)
    await tx.deleteFrom('addressProofs').where('userId', '=', ADMIN_ID).execute()
    await tellOwnerIn(tx, shop, 'reset-owner-password')
  })
}

/** False: it was off already, and nothing was changed. */
export async function removeSecondFactor(shop: Rescue): Promise<boolean> {
  return transact(shop.db, async (tx) => {
    const { twoFactorEnabled } = await tx.selectFrom('user').select('twoFactorEnabled').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
    await tx.deleteFrom('twoFactor').where('userId', '=', ADMIN_ID).execute()
    if (!twoFactorEnabled) return false
    await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', ADMIN_ID).execute()
    await endHalfLogins(tx)
    await tellOwnerIn(tx, shop, 'turn-second-factor-off', { by: 'command' })
    return true
  })
}

/** The library keeps them under this name, for ten minutes. */
const endHalfLogins = (tx: Tx) => tx.deleteFrom('verification').where('value', '=', ADMIN_ID).where('identifier', 'like', '2fa-%').execute()
