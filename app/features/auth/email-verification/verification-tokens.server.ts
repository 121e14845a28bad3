/** Verification tokens: created with their email in one transaction, looked at as often as one likes, consumed once (036). */
import { LETTER_CODE, PROOF, markOfCode } from '#app/platform/letter-codes.server.ts'
import { lifetimes, type ProofKind } from './email-verification.ts'
import { ownersAddress, readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import type { Db, Tx } from '#db/schema.ts'

/** `origin` null: where links would lead is not known, the code alone has to do. */
type Setting = { shopName: string; ownerName: string; origin: string | null }
type Addresses = { email: string; newEmail: string | null }

const bodies: Record<ProofKind, (addresses: Addresses, shopName: string) => { subject: string; why: string; until: string }> = {
  reset: ({ email }, shopName) => ({
    subject: `A new password for ${shopName}`,
    why: `Somebody, hopefully you, has asked for a new password for ${email} at ${shopName}. Choose it here:`,
    until: 'This works once, within an hour. If it was not you, nothing has to be done: your password stays as it is.',
  }),
  verify: ({ email }, shopName) => ({
    subject: `Please confirm your e-mail for ${shopName}`,
    why: `There is an account at ${shopName} with the e-mail ${email}. If it is yours, please confirm it here:`,
    until:
      'This works once, within three days. If you made no such account, confirm nothing: without you it stays unconfirmed. With a new password, from "Forgot your password?" on the login page, it becomes yours alone.',
  }),
  'change-old': ({ email, newEmail }, shopName) => ({
    subject: `Another e-mail for your account at ${shopName}?`,
    why: `Your account at ${shopName} is to have the e-mail ${newEmail} instead of ${email}. If you want that, please say so here:`,
    until: `This works once, within a day. A letter to ${newEmail} follows, and only then it is changed. If it was not you, confirm nothing and choose a new password: somebody else knows yours.`,
  }),
  'change-new': ({ newEmail }, shopName) => ({
    subject: `Please confirm your new e-mail for ${shopName}`,
    why: `An account at ${shopName} is to have the e-mail ${newEmail} from now on. If it is your account, please confirm it here:`,
    until: 'This works once, within a day. If it is not your account, confirm nothing: it will not get your address.',
  }),
}

/** S-227: one letter of each kind, with a link and the code for another device; the code itself is put in as it leaves (036). */
function proofLetter(kind: ProofKind, addresses: Addresses, { shopName, ownerName, origin }: Setting) {
  const { subject, why, until } = bodies[kind](addresses, shopName)
  const path = kind === 'reset' ? '/reset-password/' : '/confirm-email/'
  const way = origin
    ? `${origin}${path}?code=${LETTER_CODE}\n\nShould the link not open, go to ${origin}${path} and type in this code:`
    : `Open ${shopName}, go to the page ${path} and type in this code:`
  return { subject, text: `Hello,\n\n${why}\n\n${way}\n\n  ${LETTER_CODE}\n\n${until}\n\n${ownerName} of ${shopName}\n` }
}

/** What has been changed; `provider` is the name of one by which the account can be opened from now on. */
type Change = 'password' | 'email' | { provider: string }

function noticeBody(change: Change, email: string, { shopName, origin }: Setting): { subject: string; what: string; otherwise: string } {
  const reset = origin ? `:\n\n${origin}/reset-password/` : ' on the login page, "Forgot your password?".'
  if (change === 'password')
    return {
      subject: `Your password for ${shopName} was changed`,
      what: `the password of ${email} at ${shopName} was just changed, and everybody who was signed in with the former one is signed out.`,
      otherwise: `If it was not you, choose a new one at once${reset}`,
    }
  if (change === 'email')
    return {
      subject: `Your e-mail for ${shopName} was changed`,
      what: `your account at ${shopName} no longer has the e-mail ${email}; letters go to the new one from now on.`,
      otherwise: 'If it was not you, please answer this letter.',
    }
  return {
    subject: `Your account at ${shopName} can be opened with ${change.provider} now`,
    what: `somebody has just logged in to the account of ${email} at ${shopName} with ${change.provider}, which has confirmed that address. From now on the account opens that way, too.`,
    otherwise: `If it was not you, somebody else has a ${change.provider} account with your address: please answer this letter.`,
  }
}

export type Proof = { id: string; kind: ProofKind; userId: string; email: string; newEmail: string | null }

async function settingOf(tx: Tx, shop: Shop): Promise<Setting> {
  const { name, ownerName } = await readSettings(tx)
  return { shopName: name, ownerName, origin: shop.letterOrigin }
}

/** S-227: the row and its letter, to whoever has to prove that she reads there. The code is nowhere but in the letter. */
export async function issueProof(tx: Tx, shop: Shop, proof: Omit<Proof, 'id'>): Promise<string> {
  const now = shop.now()
  await tx.deleteFrom('addressProofs').where('expiresAt', '<=', now).execute()
  // Letters that have not left for longer than any code counts.
  await tx
    .deleteFrom('outbox')
    .where('kind', '=', PROOF)
    .where('sentAt', 'is', null)
    .where('createdAt', '<=', now - lifetimes.verify)
    .execute()
  const id = `${PROOF}-${newSecretId()}`
  const codeMark = markOfCode(shop.codes.codeOf(id))!
  await tx
    .insertInto('addressProofs')
    .values({ id, ...proof, codeMark, createdAt: now, expiresAt: now + lifetimes[proof.kind] })
    .execute()
  const to = proof.kind === 'change-new' ? proof.newEmail! : proof.email
  await shop.mail.post(tx, { id, kind: PROOF, to, ...proofLetter(proof.kind, proof, await settingOf(tx, shop)) }, now)
  return id
}

/** S-231: nothing in it is secret, but nobody should hear of a change too late. */
export async function postNotice(tx: Tx, shop: Shop, change: Change, to: string): Promise<void> {
  const replyTo = await ownersAddress(tx)
  const setting = await settingOf(tx, shop)
  const { subject, what, otherwise } = noticeBody(change, to, setting)
  const text = `Hello,\n\n${what}\n\n${otherwise}\n\n${setting.ownerName} of ${setting.shopName}\n`
  await shop.mail.post(tx, { id: `notice-${newSecretId()}`, kind: 'notice', to, replyTo, subject, text }, shop.now())
}

/** Looks at a code without using it up; null: unknown, used, too old, or its account has another address by now. */
export async function findProof<Kind extends ProofKind>(
  { db, now }: Pick<Shop, 'db' | 'now'>,
  kinds: readonly Kind[],
  typed: string,
): Promise<(Proof & { kind: Kind }) | null> {
  const codeMark = markOfCode(typed)
  if (codeMark === null) return null
  const found = await db
    .selectFrom('addressProofs as proof')
    .innerJoin('user', (join) => join.onRef('user.id', '=', 'proof.userId').onRef('user.email', '=', 'proof.email'))
    .select(['proof.id', 'proof.kind', 'proof.userId', 'proof.email', 'proof.newEmail'])
    .where('proof.codeMark', '=', codeMark)
    .where('proof.kind', 'in', kinds)
    .where('proof.expiresAt', '>', now())
    .executeTakeFirst()
  return (found as (Proof & { kind: Kind }) | undefined) ?? null
}

/** false: somebody else was faster. */
export async function takeProof(tx: Tx, id: string): Promise<boolean> {
  const taken = await tx.deleteFrom('addressProofs').where('id', '=', id).executeTakeFirst()
  return taken.numDeletedRows === 1n
}

/** Both letters of a change. */
const CHANGE = ['change-old', 'change-new'] as const

/** `user` as her session tells; an account that has gone meanwhile has no say any more. */
export async function readAddress({ db, now }: Pick<Shop, 'db' | 'now'>, { id: userId, email }: Pick<User, 'id' | 'email'>) {
  const user = await db.selectFrom('user').select(['email', 'emailVerified']).where('id', '=', userId).executeTakeFirst()
  if (!user) return { email, isVerified: false, change: null }
  const change = await db
    .selectFrom('addressProofs')
    .select(['kind', 'newEmail'])
    .where('userId', '=', userId)
    .where('email', '=', user.email)
    .where('kind', 'in', CHANGE)
    .where('expiresAt', '>', now())
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
  return {
    email: user.email,
    isVerified: Boolean(user.emailVerified),
    change: change && ({ newEmail: change.newEmail!, waitsFor: change.kind === 'change-old' ? 'old' : 'new' } as const),
  }
}

export const dropChanges = (tx: Db | Tx, userId: string) =>
  tx.deleteFrom('addressProofs').where('userId', '=', userId).where('kind', 'in', CHANGE).execute()
