import { parseName } from '#app/lib/auth/person-name.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import { recordAccountEvent } from '#app/services/audit-log.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { readSettings, saveSettings } from '#app/features/settings/settings.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { lockUser } from '#app/services/users.server.ts'

/** Changes the user's name in her account and her conversation. Sales, invoices and testimonies keep the old name. [LOGIN-16, LOGIN-34, S-217] */
export async function changeName(app: AppServices, user: Pick<User, 'id'>, typed: string) {
  const name = parseName(typed)
  if (name === null) return { ok: false, refusal: 'unfit' } as const
  const done = await tryWrite(app.log, 'a name could not be changed', () =>
    inTransaction(app.db, async (tx) => {
      const before = await lockUser(tx, user.id)
      if (!before) return { ok: false, refusal: 'gone' } as const
      if (before.name === name) return { ok: true } as const
      const at = app.now()
      await tx
        .updateTable('user')
        .set({ name, updatedAt: new Date(at) })
        .where('id', '=', user.id)
        .execute()
      if (user.id === ADMIN_ID && (await readSettings(tx)).ownerName !== name)
        await saveSettings(tx, { ownerName: name }, at)
      await tx.updateTable('orders').set({ userName: name }).where('userId', '=', user.id).execute()
      const detail = { before: { name: before.name }, after: { name } }
      await recordAccountEvent(tx, user.id, {
        at,
        act: 'change-own-profile',
        name: name || before.email,
        detail,
      })
      return { ok: true } as const
    }),
  )
  if (done.ok)
    app.live.changed(
      'orders',
      `order:${user.id}`,
      `user:${user.id}`,
      ...(user.id === ADMIN_ID ? (['settings'] as const) : []),
    )
  return done
}
