/** The owner hears of every change to how she gets in: a line in the history, and a letter, since it may not have been her (037). */
import { ADMIN_ID } from '#app/features/accounts/admin.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Tx } from '#db/tables.ts'
import type { Act } from '#app/platform/acts.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'

type Told = Extract<
  Act,
  'turn-second-factor-on' | 'turn-second-factor-off' | 'make-recovery-codes' | 'use-recovery-code' | 'reset-owner-password'
>

const news: Record<Told, { subject: string; text: string }> = {
  'turn-second-factor-on': { subject: 'Two-step login was turned on', text: 'From now on logging in asks for a code of your app as well.' },
  'turn-second-factor-off': { subject: 'Two-step login was turned off', text: 'From now on the password alone is enough to log in.' },
  'make-recovery-codes': { subject: 'New recovery codes were made', text: 'The codes on your older list count no more.' },
  'use-recovery-code': { subject: 'Somebody logged in with a recovery code', text: 'That code counts no more; the others do.' },
  'reset-owner-password': {
    subject: 'Your password was reset on the machine of the shop',
    text: 'The old password opens nothing any more, and every device was logged out.',
  },
}

/** S-236: to the address with which she signs in. The outbox sends it; the act does not wait for it. */
export async function tellOwnerIn(
  tx: Tx,
  { mail, now }: Pick<Shop, 'mail' | 'now'>,
  act: Told,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const [at, { name, ownerName }] = [now(), await readSettings(tx)]
  const { email } = await tx.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  const seq = await recordAct(tx, { at, actor: ADMIN_ID, act, subject: ADMIN_ID, name: email, detail })
  const { subject, text } = news[act]
  const letter = {
    id: `${act}-${seq}-${newSecretId()}`,
    kind: 'account',
    to: email,
    subject: `${subject} (${name})`,
    text: `Hello ${ownerName},\n\n${subject}. ${text}\n\nIf this was not you, change your password at once, and ask whoever looks after the shop’s machine for help.\n`,
  }
  await mail.post(tx, letter, at)
}

export async function tellOwner(
  shop: Pick<Shop, 'db' | 'mail' | 'now' | 'live'>,
  act: Told,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await transact(shop.db, (tx) => tellOwnerIn(tx, shop, act, detail))
  shop.live.changed('mail')
}

/** How many recovery codes are left is told, too: nobody should run out of them unaware. */
export async function tellRecoveryCodeUsed(
  shop: Pick<Shop, 'db' | 'mail' | 'now' | 'live' | 'auth'>,
  user: Pick<User, 'id'>,
): Promise<void> {
  await tellOwner(shop, 'use-recovery-code', { left: await countRecoveryCodes(shop, user.id) })
}

export async function countRecoveryCodes({ auth }: Pick<Shop, 'auth'>, userId: string): Promise<number> {
  return (await auth.api.viewBackupCodes({ body: { userId } })).backupCodes.length
}
