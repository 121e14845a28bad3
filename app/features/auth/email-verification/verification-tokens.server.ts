/** Creates each verification token and its email in the same transaction. A token can be used only once. */
import {
  CODE_PLACEHOLDER,
  VERIFICATION_EMAIL,
  hashCode,
} from '#app/lib/auth/verification-codes.server.ts'
import { accountEmailTexts as texts, securityEmailTexts, verificationEmailTexts } from './texts.ts'
import { tokenLifetimesMs, type VerificationKind } from './email-verification.ts'
import { ownerEmail, readSettings } from '#app/features/settings/settings.server.ts'
import { signatureOf } from '#app/features/settings/texts.ts'
import type { AuthRequest } from '#app/features/auth/auth-client.server.ts'
import { isAdminId } from '#app/services/admin-id.ts'
import type { AppServices, User } from '#app/services/context.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newSecretId } from '#app/lib/text/ids.ts'
import type { Db, Tx } from '#db/schema.ts'

/** If `origin` is null, the shop does not know its URL, so the email contains only the code. */
type EmailContext = { shopName: string; signature: string; origin: string | null }
type Addresses = { email: string; newEmail: string | null }

/** Returns an email with a link, and with the code for a user who opens the shop on another device. The email contains a placeholder, which the outbox replaces with the code. [S-227] */
function verificationEmail(
  kind: VerificationKind,
  addresses: Addresses,
  { shopName, signature, origin }: EmailContext,
) {
  const { subject, why, until } = verificationEmailTexts[kind](addresses, shopName)
  const path = kind === 'reset' ? '/reset-password/' : '/confirm-email/'
  const instructions = origin
    ? texts.link(`${origin}${path}?code=${CODE_PLACEHOLDER}`, `${origin}${path}`, CODE_PLACEHOLDER)
    : texts.codeOnly(shopName, path, CODE_PLACEHOLDER)
  return {
    subject,
    text: `${texts.hello}\n\n${why}\n\n${instructions}\n\n${until}\n\n${signature}\n`,
  }
}

/** A `provider` was linked to the account, a provider was `unlinked` from the account, or a `device` was used for the account for the first time. */
type SecurityChange =
  | 'password'
  | 'email'
  | { provider: string }
  | { unlinked: string }
  | { device: string }

function securityNotificationBody(
  change: SecurityChange,
  email: string,
  { shopName, origin }: EmailContext,
) {
  const resetUrl = origin && `${origin}/reset-password/`
  if (change === 'password') return securityEmailTexts.password(email, shopName, resetUrl)
  if (change === 'email') return securityEmailTexts.email(email, shopName)
  if ('device' in change) return securityEmailTexts.device(email, shopName, change.device, resetUrl)
  if ('unlinked' in change) return securityEmailTexts.unlinked(email, shopName, change.unlinked)
  return securityEmailTexts.provider(email, shopName, change.provider)
}

export type VerificationToken = {
  id: string
  kind: VerificationKind
  userId: string
  email: string
  newEmail: string | null
}

async function readEmailContext(tx: Tx, app: AppServices): Promise<EmailContext> {
  const settings = await readSettings(tx)
  return { shopName: settings.name, signature: signatureOf(settings), origin: app.emailLinkOrigin }
}

/** Creates the token and its email. The token contains only a hash of the code. [S-227] */
export async function createToken(
  tx: Tx,
  app: AppServices,
  token: Omit<VerificationToken, 'id'>,
): Promise<string> {
  const now = app.now()
  await tx.deleteFrom('verificationTokens').where('expiresAt', '<=', now).execute()
  const id = `${VERIFICATION_EMAIL}-${newSecretId()}`
  const codeHash = hashCode(app.verificationCodes.codeOf(id))!
  await tx
    .insertInto('verificationTokens')
    .values({
      id,
      ...token,
      codeHash,
      createdAt: now,
      expiresAt: now + tokenLifetimesMs[token.kind],
    })
    .execute()
  const to = token.kind === 'change-new' ? token.newEmail! : token.email
  await app.outbox.post(
    tx,
    {
      id,
      kind: VERIFICATION_EMAIL,
      to,
      ...verificationEmail(token.kind, token, await readEmailContext(tx, app)),
    },
    now,
  )
  return id
}

/** Returns false if the user has already got ten emails of this kind within an hour. The owner gets all emails. Must not be called inside a transaction. [S-381] */
export const mayNotify = async (
  { rateLimits }: Pick<AppServices, 'rateLimits'>,
  userId: string,
  kind: string,
): Promise<boolean> =>
  isAdminId(userId) || rateLimits.allow('notice', { account: `${kind} ${userId}` })

/** Informs the user by email about a change of her account, because another person may have made the change. The email contains no secrets. [S-231] */
export async function sendSecurityNotification(
  tx: Tx,
  app: AppServices,
  change: SecurityChange,
  to: string,
): Promise<void> {
  const replyTo = await ownerEmail(tx)
  const setting = await readEmailContext(tx, app)
  const { subject, what, otherwise } = securityNotificationBody(change, to, setting)
  const text = `${texts.hello}\n\n${what}\n\n${otherwise}\n\n${setting.signature}\n`
  await app.outbox.post(
    tx,
    { id: `notice-${newSecretId()}`, kind: 'notice', to, replyTo, subject, text },
    app.now(),
  )
}

/** Finds the token of a code, but does not use up the code. Returns null if the code is unknown, used or expired, or if the account's address has changed. */
export async function findToken<Kind extends VerificationKind>(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  kinds: readonly Kind[],
  typed: string,
): Promise<(VerificationToken & { kind: Kind }) | null> {
  const codeHash = hashCode(typed)
  if (codeHash === null) return null
  const found = await db
    .selectFrom('verificationTokens as token')
    .innerJoin('user', (join) =>
      join.onRef('user.id', '=', 'token.userId').onRef('user.email', '=', 'token.email'),
    )
    .select(['token.id', 'token.kind', 'token.userId', 'token.email', 'token.newEmail'])
    .where('token.codeHash', '=', codeHash)
    .where('token.kind', 'in', kinds)
    .where('token.expiresAt', '>', now())
    .executeTakeFirst()
  return (found as (VerificationToken & { kind: Kind }) | undefined) ?? null
}

/** Returns false if another request has used the token already. */
export async function consumeToken(tx: Tx, id: string): Promise<boolean> {
  const taken = await tx.deleteFrom('verificationTokens').where('id', '=', id).executeTakeFirst()
  return taken.numDeletedRows === 1n
}

const EMAIL_CHANGE_KINDS = ['change-old', 'change-new'] as const

/** Reads the account's address and its pending change. If the account was deleted in the meantime, returns the given address as unverified. */
export async function readEmailAddress(
  { db, now }: Pick<AppServices, 'db' | 'now'>,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
) {
  const user = await db
    .selectFrom('user')
    .select(['email', 'emailVerified'])
    .where('id', '=', userId)
    .executeTakeFirst()
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
    change:
      change &&
      ({
        newEmail: change.newEmail!,
        waitsFor: change.kind === 'change-old' ? 'old' : 'new',
      } as const),
  }
}

export const cancelEmailChanges = (tx: Db | Tx, userId: string) =>
  tx
    .deleteFrom('verificationTokens')
    .where('userId', '=', userId)
    .where('kind', 'in', EMAIL_CHANGE_KINDS)
    .execute()

/** Returns null if the address is already verified. [LOGIN-20, S-012] */
export async function enqueueVerification(
  tx: Tx,
  app: AppServices,
  userId: string,
): Promise<string | null> {
  const user = await tx
    .selectFrom('user')
    .select(['email', 'emailVerified', 'isAnonymous'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user || user.emailVerified || user.isAnonymous || user.email.endsWith('.invalid'))
    return null
  return createToken(tx, app, { kind: 'verify', userId, email: user.email, newEmail: null })
}

/**
 * Sends the first verification email. A failure does not undo the registration. The number of emails is limited per recipient, so that nobody can flood a mailbox, and per IP address, so that
 * nobody can use up the emails that the shop may send. The account page offers to send the email again. [S-012, S-237, S-426]
 */
export async function sendWelcomeVerification(
  { app, info }: Pick<AuthRequest, 'app' | 'info'>,
  userId: string,
): Promise<void> {
  const user = await app.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst()
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
