import {
  CODE_PLACEHOLDER,
  VERIFICATION_EMAIL,
  hashCode,
} from '#lib/auth/verification-codes.server.ts'
import { accountEmailTexts as texts, securityEmailTexts, verificationEmailTexts } from './texts.ts'
import { ownerEmail, readSettings } from '#settings/settings.server.ts'
import { signatureOf } from '#settings/texts.ts'
import type { AuthRequest } from '../auth-client.server.ts'
import { isOwnerId } from '#services/owner-id.ts'
import type { AppServices, User } from '#services/context.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { findUser } from '#services/users.server.ts'
import { newSecretId } from '#lib/text/ids.ts'
import type { Db, Tx } from '#db/schema.ts'

type EmailKind = 'reset' | 'verify' | 'change-old' | 'change-new'
/** The owner gives the customer an 'owner-reset' link in another way than by email. */
type VerificationKind = EmailKind | 'owner-reset'

const HOUR_MS = 60 * 60_000
export const tokenLifetimesMs: Record<VerificationKind, number> = {
  reset: HOUR_MS,
  'owner-reset': HOUR_MS,
  verify: 72 * HOUR_MS,
  'change-old': 24 * HOUR_MS,
  'change-new': 24 * HOUR_MS,
}

export type VerificationToken<Kind extends VerificationKind = VerificationKind> = {
  id: string
  kind: Kind
  userId: string
  email: string
  newEmail: string
}

type NewToken<Kind extends VerificationKind> = Omit<VerificationToken<Kind>, 'id' | 'newEmail'> & {
  newEmail?: string
}

/** The database stores only a hash of the code. [S-227] */
export async function storeToken(
  tx: Tx,
  app: Pick<AppServices, 'now' | 'verificationCodes'>,
  token: NewToken<VerificationKind>,
) {
  const now = app.now()
  await tx.deleteFrom('verificationTokens').where('expiresAt', '<=', now).execute()
  const id = `${VERIFICATION_EMAIL}-${newSecretId()}`
  const codeHash = hashCode(app.verificationCodes.codeOf(id))!
  const expiresAt = now + tokenLifetimesMs[token.kind]
  await tx
    .insertInto('verificationTokens')
    .values({ id, ...token, codeHash, createdAt: now, expiresAt })
    .execute()
  return id
}

export async function createToken(tx: Tx, app: AppServices, token: NewToken<EmailKind>) {
  const id = await storeToken(tx, app, token)
  const { kind, email, newEmail = '' } = token
  const to = kind === 'change-new' ? newEmail : email
  const { shopName, signature, origin } = await readEmailContext(tx, app)
  const { subject, why, until } = verificationEmailTexts[kind]({ email, newEmail, shopName })
  const path = kind === 'reset' ? '/reset-password/' : '/confirm-email/'
  const instructions = origin
    ? texts.link(`${origin}${path}?code=${CODE_PLACEHOLDER}`, `${origin}${path}`, CODE_PLACEHOLDER)
    : texts.codeOnly(shopName, path, CODE_PLACEHOLDER)
  const text = `${texts.hello}\n\n${why}\n\n${instructions}\n\n${until}\n\n${signature}\n`
  await app.outbox.post(tx, { id, kind: VERIFICATION_EMAIL, to, subject, text }, app.now())
  return id
}

async function readEmailContext(tx: Tx, app: AppServices) {
  const settings = await readSettings(tx)
  return { shopName: settings.name, signature: signatureOf(settings), origin: app.emailLinkOrigin }
}

/** Do not call it inside a transaction. [S-381] */
export const mayNotify = async ({ rateLimits }: AppServices, userId: string, kind: string) =>
  isOwnerId(userId) || rateLimits.allow('notice', { account: `${kind} ${userId}` })

/** `name` is the name of the provider or the device. [S-231] */
export async function sendSecurityNotification(
  tx: Tx,
  app: AppServices,
  change: keyof typeof securityEmailTexts,
  to: string,
  name = '',
) {
  const replyTo = await ownerEmail(tx)
  const { shopName, signature, origin } = await readEmailContext(tx, app)
  const resetUrl = origin && `${origin}/reset-password/`
  const facts = { email: to, shopName, name, resetUrl }
  const { subject, what, otherwise } = securityEmailTexts[change](facts)
  const text = `${texts.hello}\n\n${what}\n\n${otherwise}\n\n${signature}\n`
  const id = `notice-${newSecretId()}`
  await app.outbox.post(tx, { id, kind: 'notice', to, replyTo, subject, text }, app.now())
}

/** Do not call it inside a transaction. */
export async function notifyOfLogin(
  app: AppServices,
  userId: string,
  change: 'device' | 'provider',
  to: string,
  name: string,
) {
  if (!(await mayNotify(app, userId, change))) return
  await inTransaction(app.db, (tx) => sendSecurityNotification(tx, app, change, to, name))
  app.outbox.wake()
}

/** Returns null for a wrong, used or expired code, or if the account's address has changed. */
export async function findToken<Kind extends VerificationKind>(
  { db, now }: AppServices,
  kinds: readonly Kind[],
  typed: string,
) {
  const codeHash = hashCode(typed)
  if (codeHash === null) return null
  const token = await db
    .selectFrom('verificationTokens as token')
    .innerJoin('user', (join) =>
      join.onRef('user.id', '=', 'token.userId').onRef('user.email', '=', 'token.email'),
    )
    .select(['token.id', 'token.kind', 'token.userId', 'token.email', 'token.newEmail'])
    .where('token.codeHash', '=', codeHash)
    .where('token.kind', 'in', kinds)
    .where('token.expiresAt', '>', now())
    .executeTakeFirst()
  return token ? ({ ...token, newEmail: token.newEmail ?? '' } as VerificationToken<Kind>) : null
}

export async function consumeToken(tx: Tx, id: string) {
  const deletion = await tx.deleteFrom('verificationTokens').where('id', '=', id).executeTakeFirst()
  return deletion.numDeletedRows === 1n
}

export const deleteTokensOf = (tx: Tx, userId: string) =>
  tx.deleteFrom('verificationTokens').where('userId', '=', userId).execute()

const EMAIL_CHANGE_KINDS = ['change-old', 'change-new'] as const

export async function readEmailAddress({ db, now }: AppServices, { id: userId, email }: User) {
  const user = await findUser(db, userId)
  if (!user) return { email, isVerified: false, change: null }
  const change = await db
    .selectFrom('verificationTokens')
    .select(['kind', 'newEmail'])
    .where('userId', '=', userId)
    .where('email', '=', user.email)
    .where('kind', 'in', EMAIL_CHANGE_KINDS)
    .where('expiresAt', '>', now())
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  return {
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    change: change && { newEmail: change.newEmail!, waitsForOld: change.kind === 'change-old' },
  }
}

export const cancelEmailChanges = (tx: Db, userId: string) =>
  tx
    .deleteFrom('verificationTokens')
    .where('userId', '=', userId)
    .where('kind', 'in', EMAIL_CHANGE_KINDS)
    .execute()

export async function enqueueVerification(tx: Tx, app: AppServices, userId: string) {
  const user = await findUser(tx, userId)
  if (!user || user.emailVerified || user.isAnonymous || user.email.endsWith('.invalid')) {
    return null
  }
  return createToken(tx, app, { kind: 'verify', userId, email: user.email })
}

/** The limits keep strangers from flooding a mailbox and using up the shop's emails. [S-012] */
export async function sendWelcomeVerification({ app, info }: AuthRequest, userId: string) {
  const user = await findUser(app.db, userId)
  if (!user || !(await app.rateLimits.allow('email', { account: user.email }))) return
  if (!(await app.rateLimits.allow('welcome', { address: info.clientAddress }))) return
  const isPosted = await inTransaction(app.db, (tx) => enqueueVerification(tx, app, userId)).catch(
    (error: unknown) => {
      app.log.error('a verification email could not be written', error)
      return null
    },
  )
  if (isPosted) app.outbox.wake()
}
