/** The way back in for an owner who has lost her password or her phone, for whoever may use the shop's machine (037). */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { deleteSessions, endHalfLogins } from '#app/features/devices/devices.server.ts'
import { setPassword } from '#app/features/profile/set-password.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import { tellOwnerIn } from './tell-owner.server.ts'

type Rescue = Pick<Shop, 'db' | 'mail' | 'now'>

/**
 * S-236: the new password and the end of everything that the old one had opened, in one transaction: sessions, logins that have yet to
 * give their code, and codes of letters. A running shop sees it at the next request.
 */
export async function resetOwnersPassword(shop: Rescue, hash: string): Promise<void> {
  await transact(shop.db, async (tx) => {
    await setPassword(tx, ADMIN_ID, hash, shop.now())
    await deleteSessions(tx, ADMIN_ID, null)
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
    await endHalfLogins(tx, ADMIN_ID)
    await tellOwnerIn(tx, shop, 'turn-second-factor-off', { by: 'command' })
    return true
  })
}
