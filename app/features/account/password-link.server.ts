import { sendSecurityNotification, storeToken } from '#auth/email-verification/tokens.server.ts'
import type { AuthRequest } from '#auth/auth-client.server.ts'
import { reauthenticate } from '#auth/reauthenticate.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import type { User } from '#services/context.ts'
import { isOwnerId, OWNER_ID } from '#services/owner-id.ts'
import { lockUser } from '#services/users.server.ts'
import { done, refused, refusedWith, type ActionResult } from '#ui/action-result.ts'
import { customerDataTexts } from './texts.ts'

export type PasswordLinkResult = ActionResult & { link?: string }

/** Only the owner sees the link, and only once. A newer link replaces it. [S-489] */
export async function createPasswordLink(auth: AuthRequest, owner: User, form: FormData) {
  const refusal = await reauthenticate(auth, owner, form)
  if (refusal) return refusedWith(refusal)
  const { app, info } = auth
  const userId = formText(form, 'id')
  const id = await inTransaction(app.db, async (tx) => {
    const user = isOwnerId(userId) ? undefined : await lockUser(tx, userId)
    if (!user || user.isAnonymous) return null
    const { email } = user
    await tx
      .deleteFrom('verificationTokens')
      .where('userId', '=', userId)
      .where('kind', '=', 'owner-reset')
      .execute()
    await sendSecurityNotification(tx, app, 'link', email)
    await recordAuditEvent(tx, {
      at: app.now(),
      actor: OWNER_ID,
      act: 'create-password-link',
      subject: '',
      name: 'a customer',
    })
    return storeToken(tx, app, { kind: 'owner-reset', userId, email })
  })
  if (id === null) return refused<PasswordLinkResult>(404, { error: customerDataTexts.noAccount })
  app.outbox.wake()
  const code = app.verificationCodes.codeOf(id)
  const link = `${app.emailLinkOrigin ?? info.origin}/reset-password/?code=${code}`
  // Without JavaScript, the next page shows the link as a toast.
  const { answer, status } = done(...(form.has('back') ? [link] : []))
  return { answer: { ...answer, link } as PasswordLinkResult, status }
}
