import { OWNER_ID } from '#services/owner-id.ts'
import { readSettings } from '#settings/settings.server.ts'
import type { AppServices, User } from '#services/context.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { callAuthApi, completeSignIn, type AuthRequest } from '../auth-client.server.ts'
import { deleteTokensOf, mayNotify } from '../email-verification/tokens.server.ts'
import {
  publishSessionEnds,
  deleteSessions,
  deletePendingTwoFactorLogins,
} from '../sessions.server.ts'
import { reauthenticate } from '../reauthenticate.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import { drawQr } from '#ui/qr-code.server.ts'
import type { ActionResult } from '#ui/action-result.ts'
import {
  checkLoginCode,
  limitCodes,
  markCodeUsed,
  notifyUser,
  notifyUserIn,
  parseCode,
  readRecoveryCodes,
  verifyPaths,
  wrongCode,
} from './check-code.server.ts'
import { twoFactorErrorTexts, twoFactorSetUpTexts } from './texts.ts'
import { findUser, setPassword } from '#services/users.server.ts'

export type TwoFactorState = Awaited<ReturnType<typeof readTwoFactor>>

export async function readTwoFactor(app: AppServices, userId: string) {
  const user = await findUser(app.db, userId)
  const isOn = Boolean(user?.twoFactorEnabled)
  return { isOn, codesLeft: isOn ? (await readRecoveryCodes(app, userId)).length : 0 }
}

export type SetUp = Awaited<ReturnType<typeof createSetUp>>

async function createSetUp(app: AppServices, { email }: User, key: string) {
  const { name: shopName } = await readSettings(app.db)
  return { key, qr: drawQr(authenticatorUrl({ shopName, email, key })) }
}

/** The QR code contains the name twice; phones could not scan the code of a longer name. */
const MAX_ISSUER_LENGTH = 24

/** Encodes a space as "%20", because authenticator apps would show a plus sign. */
export function authenticatorUrl(account: Record<'shopName' | 'email' | 'key', string>) {
  const { shopName, email, key } = account
  const name = [...shopName.replaceAll(':', ' ').trim()].slice(0, MAX_ISSUER_LENGTH).join('').trim()
  const issuer = encodeURIComponent(name || twoFactorSetUpTexts.unnamedShop)
  return `otpauth://totp/${issuer}:${encodeURIComponent(email)}?secret=${key}&issuer=${issuer}&algorithm=SHA1&digits=6&period=30`
}

export type TwoFactorResult = ActionResult & {
  intent?: string
  setUp?: SetUp | null
  codes?: string[]
}
type TwoFactorOutcome = Omit<TwoFactorResult, 'ok'> & { status?: number }

const changedElsewhere: TwoFactorOutcome = {
  status: 409,
  error: twoFactorErrorTexts.changedElsewhere,
}

async function notifyAndEndOtherSessions(
  { app }: AuthRequest,
  { id, sessionId }: User,
  act: 'turn-second-factor-on' | 'turn-second-factor-off',
) {
  const isNotified = await mayNotify(app, id, act)
  const ended = await inTransaction(app.db, async (tx) => {
    if (isNotified) await notifyUserIn(tx, app, id, act)
    return deleteSessions(tx, id, sessionId)
  })
  publishSessionEnds(app, ended)
  app.live.changed('mail')
  app.outbox.wake()
}

type TwoFactorAction<Outcome = TwoFactorOutcome> = (
  auth: AuthRequest,
  user: User,
  form: FormData,
) => Promise<Outcome>

const refuseUnlessReauthenticated: TwoFactorAction<TwoFactorOutcome | null> = async (
  auth,
  user,
  form,
) =>
  (await readTwoFactor(auth.app, user.id)).isOn
    ? reauthenticate(auth, user, form)
    : changedElsewhere

const callWithPassword = (auth: AuthRequest, path: string, form: FormData) =>
  callAuthApi(auth, `/two-factor/${path}`, { password: formText(form, 'password') })

const twoFactorActions: Record<string, TwoFactorAction> = {
  async begin(auth, user, form) {
    // A stranger could otherwise register a person's address and lock her out for good.
    const account = await findUser(auth.app.db, user.id)
    if (!account?.emailVerified) {
      return { status: 409, error: twoFactorErrorTexts.emailNotConfirmed }
    }
    const refusal = await reauthenticate(auth, user, form)
    if (refusal) return refusal
    const { answer } = await callWithPassword(auth, 'enable', form)
    return answer.totpURI
      ? { setUp: await createSetUp(auth.app, user, secretOf(answer.totpURI)) }
      : changedElsewhere
  },

  async confirm(auth, user, form) {
    const { app } = auth
    const key = formText(form, 'key')
    const refuse = async (refusal: TwoFactorOutcome) => ({
      ...refusal,
      setUp: /^[A-Z2-7]{16,128}$/.test(key) ? await createSetUp(app, user, key) : null,
    })
    if ((await readTwoFactor(app, user.id)).isOn) return changedElsewhere
    const typed = parseCode(formText(form, 'code'))
    if (typed?.kind !== 'app') return refuse(wrongCode(422))
    const limit = await limitCodes(auth, user)
    if (limit) return refuse(limit)
    const response = await callAuthApi(auth, verifyPaths.app, { code: typed.code })
    if (response.code === 'TOTP_NOT_ENABLED') return changedElsewhere
    if (response.status !== 200) return refuse(wrongCode(422))
    await markCodeUsed(app, user.id, typed.code)
    await notifyAndEndOtherSessions(auth, user, 'turn-second-factor-on')
    return { codes: await readRecoveryCodes(app, user.id) }
  },

  async codes(auth, user, form) {
    const refusal = await refuseUnlessReauthenticated(auth, user, form)
    if (refusal) return refusal
    const { answer } = await callWithPassword(auth, 'generate-backup-codes', form)
    if (!answer.backupCodes) return changedElsewhere
    await notifyUser(auth.app, user.id, 'make-recovery-codes')
    return { codes: answer.backupCodes }
  },

  async off(auth, user, form) {
    const refusal = await refuseUnlessReauthenticated(auth, user, form)
    if (refusal) return refusal
    const { status } = await callWithPassword(auth, 'disable', form)
    if (status !== 200) return changedElsewhere
    await notifyAndEndOtherSessions(auth, user, 'turn-second-factor-off')
    return {}
  },
}

const secretOf = (url: string) => new URL(url).searchParams.get('secret') ?? ''

export async function handleTwoFactor(auth: AuthRequest, user: User, form: FormData) {
  const intent = formText(form, 'intent')
  const action = Object.hasOwn(twoFactorActions, intent) ? twoFactorActions[intent] : undefined
  const outcome: TwoFactorOutcome = action
    ? await action(auth, user, form)
    : { error: '', status: 400 }
  const { status = 200, ...answer } = outcome
  return { answer: { ok: status === 200, intent, ...answer }, status }
}

const challengeCookie = (request: Request) =>
  (request.headers.get('cookie') ?? '')
    .split(/;\s*/)
    .find((cookie) => /^[\w.-]*two_factor=./.test(cookie))

export const isCodeRequired = (request: Request) => challengeCookie(request) !== undefined

/** The cookie begins with better-auth's id of the login. */
function findPendingUser({ db }: AppServices, challenge: string) {
  const identifier = /two_factor=([\w-]+)/.exec(challenge)?.[1] ?? ''
  return db
    .selectFrom('verification')
    .innerJoin('user', 'user.id', 'verification.value')
    .select(['user.id', 'user.email'])
    .where('verification.identifier', '=', identifier)
    .executeTakeFirst()
}

export async function verifyLoginCode(auth: AuthRequest, typed: string) {
  const { app, request } = auth
  const challenge = challengeCookie(request)
  const account = challenge && (await findPendingUser(app, challenge))
  if (!account) {
    return { ok: false as const, status: 401, error: twoFactorErrorTexts.tooLate, isOver: true }
  }
  const login = await checkLoginCode(auth, [challenge], account, typed)
  if (!login.ok) return { ...login, isOver: login.isOver ?? false }
  return { ok: true as const, user: await completeSignIn(auth, login.cookies) }
}

type CommandServices = Pick<AppServices, 'db' | 'outbox' | 'now'>

export async function resetOwnerPassword(app: CommandServices, hash: string) {
  await inTransaction(app.db, async (tx) => {
    await setPassword(tx, OWNER_ID, hash, app.now())
    await deleteSessions(tx, OWNER_ID)
    await deleteTokensOf(tx, OWNER_ID)
    await notifyUserIn(tx, app, OWNER_ID, 'reset-owner-password')
  })
}

/** Returns false if two-factor login was off already. [S-236] */
export async function removeTwoFactor(app: CommandServices, userId: string) {
  return inTransaction(app.db, async (tx) => {
    const user = await findUser(tx, userId)
    await tx.deleteFrom('twoFactor').where('userId', '=', userId).execute()
    if (!user?.twoFactorEnabled) return false
    await tx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute()
    await deletePendingTwoFactorLogins(tx, userId)
    await notifyUserIn(tx, app, userId, 'turn-second-factor-off', { by: 'command' })
    return true
  })
}
