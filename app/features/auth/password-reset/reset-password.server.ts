import { closeSessions, deleteSessions } from '#app/features/auth/sessions.server.ts'
import { lockUser, setPassword, findUserByEmail } from '#app/platform/users.server.ts'
import { recordOwnAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Tx } from '#db/schema.ts'
import { faultOfPassword } from '#app/platform/password-policy.server.ts'
import { lifetimes, RESETS_AN_HOUR, proofTexts, type ResetState } from '#app/features/auth/email-verification/email-verification.ts'
import {
  findProof,
  issueProof,
  postNotice,
  takeProof,
  type Proof,
} from '#app/features/auth/email-verification/verification-tokens.server.ts'
import { rememberDevice, type Asker } from '#app/features/auth/auth-client.server.ts'
import { textOf, isFitEmail } from '#app/platform/form.server.ts'
import { outageTexts, RETRY_AFTER } from '#app/platform/outage.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'

async function postReset(shop: Shop, email: string): Promise<void> {
  // The made-up addresses of guests lead nowhere, and nobody is to find out one.
  if (email.endsWith('.invalid')) return
  const isPosted = await transact(shop.db, async (tx) => {
    const found = await findUserByEmail(tx, email)
    // Held, so that many wishes at once are counted one after the other.
    const user = found && (await lockUser(tx, found.id))
    if (!user) return false
    const { sent } = await tx
      .selectFrom('addressProofs')
      .select((is) => is.fn.countAll<number>().as('sent'))
      .where('userId', '=', user.id)
      .where('kind', '=', 'reset')
      .where('createdAt', '>', shop.now() - lifetimes.reset)
      .executeTakeFirstOrThrow()
    if (Number(sent) >= RESETS_AN_HOUR) return false
    await issueProof(tx, shop, { kind: 'reset', userId: user.id, email, newEmail: null })
    return true
  })
  if (isPosted) shop.mail.wake()
}

/** LOGIN-22, LOGIN-37, LOGIN-53, S-229. Nobody is signed in by it: a second factor still counts. An unfit password leaves the code as it is. */
export async function resetPassword(shop: Shop, code: string, wanted: string) {
  const proof = await findProof(shop, ['reset'], code)
  if (!proof) return { ok: false, email: '', fault: null } as const
  const { email } = proof
  const fault = faultOfPassword(wanted, email)
  if (fault !== null) return { ok: false, email, fault } as const
  const password = await (await shop.auth.$context).password.hash(wanted)
  const ended = await transact(shop.db, (tx) => replacePassword(tx, shop, proof, password))
  if (!ended) return { ok: false, email: '', fault: null } as const
  closeSessions(shop, ended)
  shop.live.changed(`user:${proof.userId}`)
  shop.mail.wake()
  return { ok: true, email } as const
}

/** The sessions that it has ended; null: the code was used meanwhile, or the account has another address. */
async function replacePassword(tx: Tx, shop: Shop, { id, userId, email }: Proof, password: string): Promise<string[] | null> {
  if (!(await takeProof(tx, id))) return null
  const at = shop.now()
  const user = await tx
    .updateTable('user')
    .set({ emailVerified: true, updatedAt: new Date(at) })
    .where('id', '=', userId)
    .where('email', '=', email)
    .executeTakeFirst()
  if (user.numUpdatedRows === 0n) return null
  await setPassword(tx, userId, password, at)
  const sessions = await deleteSessions(tx, userId, null)
  // Other codes may have been asked for by whoever is locked out now.
  await tx.deleteFrom('addressProofs').where('userId', '=', userId).execute()
  await postNotice(tx, shop, 'password', email)
  await recordOwnAct(tx, userId, { at, act: 'reset-own-password', name: email })
  return sessions
}

type Answered = { state: ResetState; status: number }
type Choose = Partial<Extract<ResetState, { step: 'choose' }>>

const choose = (some: Choose): ResetState => ({ step: 'choose', sentTo: '', email: '', code: '', error: '', fault: null, ...some })
/** More than any code has, and not worth sending back. */
const kept = (typed: string) => typed.slice(0, 200)

/** `code` null: the first step; empty: it is to be typed. A look uses nothing up. */
export async function showReset(shop: Shop, code: string | null, user: User | null): Promise<ResetState> {
  // A guest's address is made up.
  if (code === null) return { step: 'ask', email: user && user.role !== 'guest' ? user.email : '', error: '' }
  if (code === '') return choose({})
  const found = await findProof(shop, ['reset'], code)
  return found ? choose({ email: found.email, code: kept(code) }) : choose({ code: kept(code), error: proofTexts.badCode })
}

export const receiveReset = (asker: Asker, form: FormData): Promise<Answered> =>
  textOf(form, 'intent') === 'choose' ? receiveChoice(asker, form) : receiveAsk(asker, textOf(form, 'email').trim())

/** LOGIN-21, S-013, S-228: counted by who asks; letters to one address are counted where nobody sees it. */
async function receiveAsk({ shop, page }: Asker, email: string): Promise<Answered> {
  const again = (error: string, status: number): Answered => ({ state: { step: 'ask', email: email.slice(0, 254), error }, status })
  if (!isFitEmail(email)) return again(proofTexts.badEmail, 422)
  const seconds = await shop.limits.secondsToWait('reset', { address: page.clientAddress })
  if (seconds > 0) return again(tooMany(page, seconds).error, 429)
  // Nothing is looked up before the answer, so that neither its words nor its time tell who has an account here: the work goes on behind it.
  if (!shop.behind.begin('a letter for a new password could not be written', () => postReset(shop, email.toLowerCase()))) {
    page.retryAfter = RETRY_AFTER
    return again(outageTexts.write, 503)
  }
  return { state: choose({ sentTo: email }), status: 200 }
}

/** LOGIN-22, LOGIN-53. S-238: whoever guesses elsewhere does not keep out the device on which the new password was chosen. */
async function receiveChoice(asker: Asker, form: FormData): Promise<Answered> {
  const { shop, page } = asker
  const code = textOf(form, 'code')
  const again = (some: Choose, status: number): Answered => ({ state: choose({ code: kept(code), ...some }), status })
  const seconds = await shop.limits.secondsToWait('code', { address: page.clientAddress })
  if (seconds > 0) return again({ error: tooMany(page, seconds).error }, 429)
  const done = await resetPassword(shop, code, textOf(form, 'password'))
  if (done.ok) {
    await rememberDevice(asker, done.email)
    return { state: { step: 'done' }, status: 200 }
  }
  return again({ email: done.email, error: proofTexts.badCode, fault: done.fault }, 422)
}
