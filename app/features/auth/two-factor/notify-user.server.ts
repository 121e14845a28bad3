import type { Tx } from '#db/schema.ts'
import { mayNotify } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { signatureOf } from '#app/features/settings/texts.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { userEmailBody, userEmailTexts } from './texts.ts'

type NotifiedAction = keyof typeof userEmailTexts

/**
 * Writes an email about two-step login to the address with which the user logs in, and records the owner's event in the audit log.
 * Two notifications with the same `id` count as one. [S-236]
 */
export async function notifyUserIn(
  tx: Tx,
  { outbox, now }: Pick<AppServices, 'outbox' | 'now'>,
  userId: string,
  act: NotifiedAction,
  detail: Record<string, unknown> = {},
  id = `${act}-${newSecretId()}`,
): Promise<void> {
  const [at, settings] = [now(), await readSettings(tx)]
  const { email } = await tx
    .selectFrom('user')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const [{ subject, text }, isOwner] = [userEmailTexts[act], isAdminId(userId)]
  const body = {
    name: isOwner ? settings.ownerName : '',
    subject,
    text,
    signature: isOwner ? null : signatureOf(settings),
  }
  const isNew = await outbox.post(
    tx,
    {
      id,
      kind: 'account',
      to: email,
      subject: `${subject} (${settings.name})`,
      text: userEmailBody(body),
    },
    at,
  )
  if (isNew) await recordAccountEvent(tx, userId, { at, act, name: email, detail })
}

export async function notifyUser(
  app: Pick<AppServices, 'db' | 'outbox' | 'now' | 'live' | 'rateLimits'>,
  ...notification: Parameters<typeof notifyUserIn> extends [Tx, unknown, ...infer Rest]
    ? Rest
    : never
): Promise<void> {
  if (!(await mayNotify(app, notification[0], notification[1]))) return
  await inTransaction(app.db, (tx) => notifyUserIn(tx, app, ...notification))
  app.live.changed('mail')
  app.outbox.wake()
}
