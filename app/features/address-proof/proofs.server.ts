/** Codes under way: given out with their letter in one transaction, looked at as often as one likes, taken once. */
import { ownersAddress } from '#app/features/settings/owners-address.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newSecretId } from '#app/platform/ids.ts'
import { PROOF } from '#app/platform/letter-code.ts'
import { markOfCode } from '#app/platform/letter-codes.server.ts'
import type { Db, Tx } from '#db/tables.ts'
import { lifetimes, type ProofKind } from './proof.ts'
import { noticeLetter, proofLetter, type Change, type Setting } from './proof-letters.ts'

export type Proof = { id: string; kind: ProofKind; userId: string; email: string; newEmail: string | null }

export async function settingOf(db: Db | Tx, origin: string | null): Promise<Setting> {
  const { name, ownerName } = await readSettings(db)
  return { shopName: name, ownerName, origin }
}

/** S-227: the row and its letter, to whoever has to prove that she reads there. The code is nowhere but in the letter. */
export async function issueProof(tx: Tx, shop: Shop, proof: Omit<Proof, 'id'>): Promise<string> {
  const now = shop.now()
  await sweep(tx, now)
  const id = `${PROOF}-${newSecretId()}`
  const codeMark = markOfCode(shop.codes.codeOf(id))!
  await tx
    .insertInto('addressProofs')
    .values({ id, ...proof, codeMark, createdAt: now, expiresAt: now + lifetimes[proof.kind] })
    .execute()
  const to = proof.kind === 'change-new' ? proof.newEmail! : proof.email
  await shop.mail.post(tx, { id, kind: PROOF, to, ...proofLetter(proof.kind, proof, await settingOf(tx, shop.letterOrigin)) }, now)
  return id
}

/** What has expired, and letters that have not left for longer than any code counts. */
async function sweep(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('addressProofs').where('expiresAt', '<=', now).execute()
  await tx
    .deleteFrom('outbox')
    .where('kind', '=', PROOF)
    .where('sentAt', 'is', null)
    .where('createdAt', '<=', now - lifetimes.verify)
    .execute()
}

/** S-231: nothing in it is secret, but nobody should hear of a change too late. */
export async function postNotice(tx: Tx, shop: Shop, what: Change, to: string): Promise<void> {
  const replyTo = await ownersAddress(tx)
  const words = noticeLetter(what, to, await settingOf(tx, shop.letterOrigin))
  await shop.mail.post(tx, { id: `notice-${newSecretId()}`, kind: 'notice', to, replyTo, ...words }, shop.now())
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
