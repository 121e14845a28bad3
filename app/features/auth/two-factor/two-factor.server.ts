/** The owner’s second factor: set up, changed, asked for at login, and turned off on the machine (037). */
import type { Tx } from '#db/schema.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Acts } from '#app/platform/audit-detail.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import { askAuth, enter, type Asker } from '#app/features/auth/auth-client.server.ts'
import { closeSessions, deleteSessions, endHalfLogins } from '#app/features/auth/sessions.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { textOf } from '#app/platform/form.server.ts'
import { drawQr } from '#app/platform/qr.server.ts'
import { tooMany } from '#app/platform/rate-limits.server.ts'
import type { QrDrawing } from '#app/ui/qr-code.tsx'
import { appAddress, CHANGED_ELSEWHERE, CODE_IS_INVALID, isKey, keyIn, readCode, CODE_TOO_LATE, CODE_USED } from './two-factor.ts'
import { setPassword } from '#app/platform/users.server.ts'

/** Longer than the app's code is taken for, with clocks that differ. */
const KEPT = 5 * 60_000

/** False when this very code has been used before, also by somebody at the same moment: the key of the table decides. */
async function claimCode({ db, now }: Pick<Shop, 'db' | 'now'>, code: string): Promise<boolean> {
  await db
    .deleteFrom('usedCodes')
    .where('usedAt', '<', now() - KEPT)
    .execute()
  const used = await db
    .insertInto('usedCodes')
    .values({ userId: ADMIN_ID, code, usedAt: now() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return used.numInsertedOrUpdatedRows === 1n
}

const news = {
  'turn-second-factor-on': { subject: 'Two-step login was turned on', text: 'From now on logging in asks for a code of your app as well.' },
  'turn-second-factor-off': { subject: 'Two-step login was turned off', text: 'From now on the password alone is enough to log in.' },
  'make-recovery-codes': { subject: 'New recovery codes were made', text: 'The codes on your older list count no more.' },
  'use-recovery-code': { subject: 'Somebody logged in with a recovery code', text: 'That code counts no more; the others do.' },
  'reset-owner-password': {
    subject: 'Your password was reset on the machine of the shop',
    text: 'The old password opens nothing any more, and every device was logged out.',
  },
} satisfies Partial<Record<keyof Acts, { subject: string; text: string }>>
type Told = keyof typeof news

/** S-236: to the address with which she signs in. The outbox sends it; the act does not wait for it. */
async function tellOwnerIn(
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

async function tellOwner(shop: Pick<Shop, 'db' | 'mail' | 'now' | 'live'>, act: Told, detail: Record<string, unknown> = {}): Promise<void> {
  await transact(shop.db, (tx) => tellOwnerIn(tx, shop, act, detail))
  shop.live.changed('mail')
}

const readRecoveryCodes = async ({ auth }: Pick<Shop, 'auth'>): Promise<string[]> =>
  (await auth.api.viewBackupCodes({ body: { userId: ADMIN_ID } })).backupCodes

export type SecondFactor = { isOn: boolean; codesLeft: number }
export type SetUp = { key: string; qr: QrDrawing }
type Owner = Pick<User, 'id' | 'email' | 'sessionId'>

export async function readSecondFactor(shop: Pick<Shop, 'db' | 'auth'>): Promise<SecondFactor> {
  const { twoFactorEnabled } = await shop.db
    .selectFrom('user')
    .select('twoFactorEnabled')
    .where('id', '=', ADMIN_ID)
    .executeTakeFirstOrThrow()
  const isOn = Boolean(twoFactorEnabled)
  return { isOn, codesLeft: isOn ? (await readRecoveryCodes(shop)).length : 0 }
}

/** What a form of the page is answered; `intent` says which form an error belongs to. */
export type SecondFactorAnswer = { intent?: string; error?: string; setUp?: SetUp | null; codes?: string[] }
type Answered = SecondFactorAnswer & { status?: number }

const elsewhere: Answered = { status: 409, error: CHANGED_ELSEWHERE }
const invalid = (status: number): Answered => ({ status, error: CODE_IS_INVALID })

async function waits({ shop, page }: Asker, { id }: Owner): Promise<Answered | null> {
  const seconds = await shop.limits.secondsToWait('second-factor', { address: page.clientAddress, account: id })
  return seconds > 0 ? tooMany(page, seconds) : null
}

async function drawSetUp(shop: Shop, { email }: Owner, key: string): Promise<SetUp> {
  const { name: shopName } = await readSettings(shop.db)
  return { key, qr: drawQr(appAddress({ shopName, email, key })) }
}

/** History and letter, with the end of every other session of hers, also of the one that the library has made in the place of this one. */
async function tellAndEndOthers({ shop }: Asker, { sessionId }: Owner, act: 'turn-second-factor-on' | 'turn-second-factor-off') {
  const ended = await transact(shop.db, async (tx) => {
    await tellOwnerIn(tx, shop, act)
    return deleteSessions(tx, ADMIN_ID, sessionId)
  })
  closeSessions(shop, ended)
  shop.live.changed('mail')
}

const pathOf = { app: '/two-factor/verify-totp', recovery: '/two-factor/verify-backup-code' }

/** Both factors once more, before one of them is touched; null: proven. Password first: it is asked of everybody, and wrong codes cost tries. */
async function refuseUnproven(asker: Asker, owner: Owner, form: FormData): Promise<Answered | null> {
  const { shop } = asker
  if (!(await readSecondFactor(shop)).isOn) return elsewhere
  const wait = await waits(asker, owner)
  if (wait) return wait
  const typed = readCode(textOf(form, 'code'))
  if (!typed) return invalid(422)
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const { status } = await askAuth(asker, pathOf[typed.kind], { code: typed.code })
  const isGood = status === 200 && (typed.kind === 'recovery' || (await claimCode(shop, typed.code)))
  if (!isGood) return invalid(403)
  await shop.limits.giveBack('second-factor', { address: asker.page.clientAddress, account: owner.id })
  return null
}

type Act = (asker: Asker, owner: Owner, form: FormData) => Promise<Answered>

const acts: Record<string, Act> = {
  /** What the app needs; nothing counts before a code of it has come back. Each beginning makes a new key, and the one before is worth nothing. */
  async begin(asker, owner, form) {
    const proof = await proveItsYou(asker, owner, form)
    if (!proof.ok) return proof
    const { answer } = await askAuth(asker, '/two-factor/enable', { password: textOf(form, 'password') })
    return answer.totpURI ? { setUp: await drawSetUp(asker.shop, owner, keyIn(answer.totpURI)) } : elsewhere
  },

  /** The first code of the app turns it on: sessions that were made with the password alone end, and the recovery codes are shown, once. */
  async confirm(asker, owner, form) {
    const { shop } = asker
    const key = textOf(form, 'key')
    const again = async (refused: Answered) => ({ ...refused, setUp: isKey(key) ? await drawSetUp(shop, owner, key) : null })
    if ((await readSecondFactor(shop)).isOn) return elsewhere
    const wait = await waits(asker, owner)
    if (wait) return again(wait)
    const typed = readCode(textOf(form, 'code'))
    if (typed?.kind !== 'app') return again(invalid(422))
    const asked = await askAuth(asker, pathOf.app, { code: typed.code })
    if (asked.code === 'TOTP_NOT_ENABLED') return elsewhere
    if (asked.status !== 200) return again(invalid(422))
    await claimCode(shop, typed.code)
    await tellAndEndOthers(asker, owner, 'turn-second-factor-on')
    return { codes: await readRecoveryCodes(shop) }
  },

  async codes(asker, owner, form) {
    const refused = await refuseUnproven(asker, owner, form)
    if (refused) return refused
    const { answer } = await askAuth(asker, '/two-factor/generate-backup-codes', { password: textOf(form, 'password') })
    if (!answer.backupCodes) return elsewhere
    await tellOwner(asker.shop, 'make-recovery-codes')
    return { codes: answer.backupCodes }
  },

  async off(asker, owner, form) {
    const refused = await refuseUnproven(asker, owner, form)
    if (refused) return refused
    const { status } = await askAuth(asker, '/two-factor/disable', { password: textOf(form, 'password') })
    if (status !== 200) return elsewhere
    await tellAndEndOthers(asker, owner, 'turn-second-factor-off')
    return {}
  },
}

export async function receiveSecondFactor(asker: Asker, owner: Owner, form: FormData): Promise<Answered> {
  const intent = textOf(form, 'intent')
  if (!Object.hasOwn(acts, intent)) return { intent, error: '', status: 400 }
  return { intent, ...(await acts[intent]!(asker, owner, form)) }
}

type CodeEntered = { ok: true; user: User } | { ok: false; error: string; status: number; isOver?: true }

const challengeOf = (request: Request): string | undefined =>
  (request.headers.get('cookie') ?? '').split(/;\s*/).find((cookie) => /^[\w.-]*two_factor=./.test(cookie))

export const isAskedForCode = (request: Request): boolean => challengeOf(request) !== undefined

/**
 * S-233: one code, once. Tries are limited by address, by login (five) and, since each needs the password, by account (ten in a row).
 * A code of the app that has been used already opens nothing: the session that the library has just made for it ends before anybody has it.
 */
export async function enterCode(asker: Asker, typed: string): Promise<CodeEntered> {
  const { shop, page, request } = asker
  const challenge = challengeOf(request)
  if (!challenge) return { ok: false, status: 401, error: CODE_TOO_LATE, isOver: true }
  const seconds = await shop.limits.secondsToWait('second-factor', { address: page.clientAddress })
  if (seconds > 0) return tooMany(page, seconds)
  const code = readCode(typed)
  if (!code) return { ok: false, status: 422, error: CODE_IS_INVALID }
  // Only the challenge: the cookie of an ended session would be cleared in the same answer as the new one is set.
  const alone = {
    ...asker,
    request: new Request(request.url, { headers: { cookie: challenge, 'user-agent': request.headers.get('user-agent') ?? '' } }),
  }
  const asked = await askAuth(alone, pathOf[code.kind], { code: code.code })
  if (asked.status === 429) return tooMany(page, LOCKED)
  if (['INVALID_TWO_FACTOR_COOKIE', 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE'].includes(asked.code))
    return { ok: false, status: 401, error: CODE_TOO_LATE, isOver: true }
  if (asked.status !== 200) return { ok: false, status: 401, error: CODE_IS_INVALID }
  if (code.kind === 'app' && !(await claimCode(shop, code.code))) {
    await askAuth({ ...alone, request: withCookies(request.url, asked.cookies) }, '/sign-out', {})
    return { ok: false, status: 401, error: CODE_USED, isOver: true }
  }
  const user = await enter(asker, asked.cookies)
  await shop.limits.giveBack('second-factor', { address: page.clientAddress })
  // How many are left is told, too: nobody should run out of them unaware.
  if (code.kind === 'recovery') await tellOwner(shop, 'use-recovery-code', { left: (await readRecoveryCodes(shop)).length })
  return { ok: true, user }
}

/** Seconds for which the library takes no code of an account after ten wrong ones. */
const LOCKED = 15 * 60

const withCookies = (url: string, lines: string[]) =>
  new Request(url, { headers: { cookie: lines.map((line) => line.split(';')[0]).join('; ') } })

type Rescue = Pick<Shop, 'db' | 'mail' | 'now'>

/** S-236: all in one transaction; a running shop sees it at the next request. */
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
