/** What the account page shows, and what its forms do: one handler for each address below /account/. */
import { redirect } from 'react-router'
import { endDevices, listDevices } from '#app/features/account/access.server.ts'
import { askAuth, type Asker } from '#app/features/auth/auth-client.server.ts'
import { readBelongings } from '#app/features/auth/belongings.server.ts'
import { readAddress } from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { listOwnProviders, proveItsYou, readProofWay } from '#app/features/auth/reauthenticate.server.ts'
import { readSecondFactor } from '#app/features/auth/two-factor/two-factor.server.ts'
import { shortPickTexts } from '#app/features/images/picture-upload.ts'
import { isAdminId } from '#app/platform/admin-id.ts'
import { attempt } from '#app/platform/attempt.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import { done, refused, refusedAs, type ActionResult, type Answer } from '#app/ui/answer.ts'
import { DEVICE_ENDED, failedAnswers, NAME_UNFIT, NO_SUCH_DEVICE, othersEnded, type AccountForm } from './account.ts'
import { receiveEmailChange, receiveVerificationWish } from '#app/features/auth/email-verification/verification.server.ts'
import { changePassword } from './access.server.ts'
import { downloadArchive } from './data-export/archive.server.tsx'
import { DELETED, OWNER_STAYS } from './delete-account/delete-account.ts'
import { deleteAccount } from './delete-account/delete-account.server.ts'
import { changeName, changePhoto, removePhoto } from './profile.server.ts'

export type Account = Awaited<ReturnType<typeof readAccount>>

/** What the page shows; the gate lets only lasting accounts in. */
export async function readAccount(shop: Shop, { sessionId, ...user }: User) {
  return {
    user,
    devices: await listDevices(shop, { id: user.id, sessionId }),
    timeZone: shop.timeZone,
    address: await readAddress(shop, user),
    proof: await readProofWay(shop, { id: user.id, sessionId }),
    /** by which it logs in, besides the password or in its place */
    providers: await listOwnProviders(shop, user.id),
    /** the owner's; null for everybody else (037) */
    secondFactor: user.role === 'admin' ? await readSecondFactor(shop) : null,
    belongings: await readBelongings(shop.db, user.id),
  }
}

/** `to`: where it goes on without script, in place of the page that the form stood on. */
type Handler = (asker: Asker, user: User, form: FormData) => Promise<(ActionResult & { to?: string }) | Response>

const failed = (form: AccountForm, status = 500, more: Partial<Answer> = {}) => refused(status, { ...failedAnswers[form], ...more })

export const accountHandlers: Record<AccountForm, Handler> = {
  /** LOGIN-16, LOGIN-34, LOGIN-49 */
  async name({ shop, page }, user, form) {
    const seconds = await shop.limits.secondsToWait('profile', { address: page.clientAddress, account: user.id })
    if (seconds > 0) return failed('name', 429, { field: 'name', error: tooMany(page, seconds).error })
    const changed = await changeName(shop, user, textOf(form, 'name'))
    if (changed.ok) return done('Name saved')
    return changed.refusal === 'unfit' ? failed('name', 422, { field: 'name', error: NAME_UNFIT }) : failed('name')
  },

  /** LOGIN-17, LOGIN-34, LOGIN-49 */
  async photo({ shop, page }, user, form) {
    const seconds = user.role === 'admin' ? 0 : await shop.limits.secondsToWait('photo', { address: page.clientAddress, account: user.id })
    if (seconds > 0) return failed('photo', 429, { error: tooMany(page, seconds).error })
    const isRemoval = textOf(form, 'intent') === 'remove'
    const change = () => (isRemoval ? removePhoto(shop, user) : changePhoto(shop, user, form.get('file')))
    const changed = await attempt(shop.log, 'a photo could not be changed', change)
    if (changed.ok) return done(isRemoval ? 'Photo removed' : 'Photo saved')
    if (changed.refusal === 'failed' || changed.refusal === 'gone') return failed('photo')
    return failed('photo', 422, { error: shortPickTexts[changed.refusal] })
  },

  /** LOGIN-19, LOGIN-36, LOGIN-51, LOGIN-55 */
  async password(asker, user, form) {
    const changed = await attempt(asker.shop.log, 'a password could not be changed', () => changePassword(asker, user, form))
    if (changed.ok) return done('Password changed')
    return 'refusal' in changed ? failed('password') : refusedAs(changed)
  },

  /** S-219: one other session, or all others after a Yes. */
  async devices({ shop }, user, form) {
    const isAll = textOf(form, 'intent') === 'others'
    if (isAll && textOf(form, 'confirm') !== 'Yes') return refused(400)
    const count = await attempt(shop.log, 'sessions could not be ended', () =>
      endDevices(shop, user, isAll ? 'others' : { id: textOf(form, 'id') }),
    )
    if (typeof count !== 'number') return failed('devices')
    return done(isAll ? othersEnded(count) : count > 0 ? DEVICE_ENDED : NO_SUCH_DEVICE)
  },

  /** S-224: all data of whoever asks, as one file. */
  async data({ shop, page }, { id }) {
    const seconds = await shop.limits.secondsToWait('export', { account: id, address: page.clientAddress })
    if (seconds > 0) return refusedAs(tooMany(page, seconds))
    return (await downloadArchive(shop, { id, isForOwner: false })) ?? redirect('/login')
  },

  /** LOGIN-24, LOGIN-38, LOGIN-54, S-222 */
  async delete(asker, user, form) {
    if (isAdminId(user.id)) return refused(403, { error: OWNER_STAYS })
    const proof = await proveItsYou(asker, user, form)
    if (!proof.ok) return refusedAs(proof)
    const deleted = await deleteAccount(asker.shop, user.id, 'herself')
    // Deleted already, in another tab: so it is done.
    if (!deleted.ok && deleted.refusal !== 'not-found') return failed('delete')
    asker.page.cookies.push(...(await askAuth(asker, '/sign-out', {})).cookies)
    return { ...done(DELETED), to: '/' }
  },

  email: receiveEmailChange,
  verification: ({ shop, page }, user) => receiveVerificationWish(shop, page, user),
}
