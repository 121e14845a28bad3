import { redirect } from 'react-router'
import { endSessions, listSessions } from '#app/features/account/sessions.server.ts'
import { callAuthApi, type AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { readUserDataSummary } from '#app/features/auth/user-data-summary.server.ts'
import { readEmailAddress } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import {
  listLinkedProviders,
  reauthenticate,
  readReauthMethod,
} from '#app/features/auth/reauthenticate.server.ts'
import { readTwoFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { shortFileErrorTexts } from '#app/features/images/texts.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import { tryWrite } from '#app/lib/db/try-write.server.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { tooManyRequests } from '#app/services/rate-limits.server.ts'
import {
  done,
  refused,
  refusedWith,
  type ActionOutcome,
  type ActionResult,
} from '#app/ui/action-result.ts'
import { failedResults, type AccountForm } from './account.ts'
import {
  handleEmailChange,
  handleVerificationRequest,
} from '#app/features/auth/email-verification/verification.server.ts'
import { changePassword, unlinkProvider } from './sessions.server.ts'
import { providerTexts } from '#app/features/auth/oauth/texts.ts'
import { downloadArchive } from './data-export/data-export.server.tsx'
import { deleteAccount } from './delete-account/delete-account.server.ts'
import { changePhoto, removePhoto } from '#app/features/auth/profile-photo.server.ts'
import { changeName } from './profile.server.ts'
import { deleteAccountTexts, devicesTexts, passwordTexts, profileTexts } from './texts.ts'

export type Account = Awaited<ReturnType<typeof readAccount>>

export async function readAccount(app: AppServices, { sessionId, ...user }: User) {
  const reauthMethod = await readReauthMethod(app, { id: user.id, sessionId })
  return {
    user,
    devices: await listSessions(app, { id: user.id, sessionId }),
    timeZone: app.timeZone,
    address: await readEmailAddress(app, user),
    reauthMethod,
    /** The login providers, such as Google, with which the user can log in. */
    providers: await listLinkedProviders(app, user.id),
    /** null if the account has no password, because its provider then protects the login */
    secondFactor: reauthMethod === 'password' ? await readTwoFactor(app, user.id) : null,
    dataSummary: await readUserDataSummary(app.db, user.id),
  }
}

/** If JavaScript is off, the HTTP response redirects to `to`. Without `to`, the response redirects to the page with the form. */
type Handler = (
  auth: AuthRequest,
  user: User,
  form: FormData,
) => Promise<(ActionOutcome & { to?: string }) | Response>

const failedResult = (form: AccountForm, status = 500, more: Partial<ActionResult> = {}) =>
  refused(status, { ...failedResults[form], ...more })

export const accountHandlers: Record<AccountForm, Handler> = {
  async name({ app, info }, user, form) {
    const seconds = await app.rateLimits.secondsToWait('profile', {
      address: info.clientAddress,
      account: user.id,
    })
    if (seconds > 0)
      return failedResult('name', 429, {
        field: 'name',
        error: tooManyRequests(info, seconds).error,
      })
    const changed = await changeName(app, user, formText(form, 'name'))
    if (changed.ok) return done(profileTexts.nameSaved)
    return changed.refusal === 'unfit'
      ? failedResult('name', 422, { field: 'name', error: profileTexts.invalidName })
      : failedResult('name')
  },

  async photo({ app, info }, user, form) {
    const seconds =
      user.role === 'admin'
        ? 0
        : await app.rateLimits.secondsToWait('photo', {
            address: info.clientAddress,
            account: user.id,
          })
    if (seconds > 0)
      return failedResult('photo', 429, { error: tooManyRequests(info, seconds).error })
    const isRemoval = formText(form, 'intent') === 'remove'
    const change = () =>
      isRemoval ? removePhoto(app, user) : changePhoto(app, user, form.get('file'))
    const changed = await tryWrite(app.log, 'a photo could not be changed', change)
    if (changed.ok) return done(isRemoval ? profileTexts.photoRemoved : profileTexts.photoSaved)
    if (changed.refusal === 'failed' || changed.refusal === 'gone') return failedResult('photo')
    const error =
      changed.refusal === 'no-space' ? profileTexts.noSpace : shortFileErrorTexts[changed.refusal]
    return failedResult('photo', 422, { error })
  },

  async password(auth, user, form) {
    const changed = await tryWrite(auth.app.log, 'a password could not be changed', () =>
      changePassword(auth, user, form),
    )
    if (changed.ok) return done(passwordTexts.changed)
    return 'refusal' in changed ? failedResult('password') : refusedWith(changed)
  },

  /** Ends one other login session of the user. Ends all her other login sessions if she confirms the question of "Log Out All Other Devices". [S-219] */
  async devices({ app }, user, form) {
    const isAll = formText(form, 'intent') === 'others'
    if (isAll && formText(form, 'confirm') !== 'Yes') return refused(400)
    const count = await tryWrite(app.log, 'sessions could not be ended', () =>
      endSessions(app, user, isAll ? 'others' : { id: formText(form, 'id') }),
    )
    if (typeof count !== 'number') return failedResult('devices')
    return done(
      isAll
        ? devicesTexts.othersEnded(count)
        : count > 0
          ? devicesTexts.ended
          : devicesTexts.alreadyEnded,
    )
  },

  async data({ app, info }, { id }) {
    const seconds = await app.rateLimits.secondsToWait('export', {
      account: id,
      address: info.clientAddress,
    })
    if (seconds > 0) return refusedWith(tooManyRequests(info, seconds))
    return (await downloadArchive(app, { id, isForOwner: false })) ?? redirect('/login')
  },

  async delete(auth, user, form) {
    if (isAdminId(user.id)) return refused(403, { error: deleteAccountTexts.owner })
    const reauthentication = await reauthenticate(auth, user, form)
    if (!reauthentication.ok) return refusedWith(reauthentication)
    const deleted = await deleteAccount(auth.app, user.id, 'herself')
    // If another browser tab has already deleted the account, the deletion counts as successful.
    if (!deleted.ok && deleted.refusal !== 'not-found') return failedResult('delete')
    auth.info.responseCookies.push(...(await callAuthApi(auth, '/sign-out', {})).cookies)
    return { ...done(deleteAccountTexts.deleted), to: '/' }
  },

  async unlink(auth, user, form) {
    const unlinked = await tryWrite(auth.app.log, 'a login provider could not be removed', () =>
      unlinkProvider(auth, user, form),
    )
    if (unlinked.ok) return done(providerTexts.unlinked)
    return 'refusal' in unlinked ? failedResult('unlink') : refusedWith(unlinked)
  },

  email: handleEmailChange,
  verification: ({ app, info }, user) => handleVerificationRequest(app, info, user),
}
