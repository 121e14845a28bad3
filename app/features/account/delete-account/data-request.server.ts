/** What the owner does when a customer asks for their data, or for deletion, and cannot do it themselves (S-225). */
import { ADMIN_ID, isAdminId } from '#app/platform/admin-id.ts'
import type { Asker } from '#app/features/auth/auth-client.server.ts'
import { proveItsYou } from '#app/features/auth/reauthenticate.server.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop, User } from '#app/platform/context.ts'
import { isReadable, textOf } from '#app/platform/form.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { downloadArchive } from '../data-export/archive.server.tsx'
import { readBelongings } from '#app/features/auth/belongings.server.ts'
import { timeOf } from '../data-export/data-export.server.ts'
import { deleteAccount } from './delete-account.server.ts'
import { DELETE_FAILED, NO_ACCOUNT, requestTexts, type DataRequest } from './delete-account.ts'

/** `email` as in the address; nothing is looked for while it is empty. Guests have none. */
export async function findCustomer({ db }: Pick<Shop, 'db'>, typed: string): Promise<DataRequest> {
  const email = typed.trim().slice(0, 254)
  if (email === '' || !isReadable(email)) return { email: '', found: null, refusal: null }
  const user = await db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'createdAt'])
    .where('email', '=', email.toLowerCase())
    .where(({ or, eb }) => or([eb('isAnonymous', 'is', null), eb('isAnonymous', '=', false)]))
    .executeTakeFirst()
  if (!user) return { email, found: null, refusal: NO_ACCOUNT }
  if (isAdminId(user.id)) return { email, found: null, refusal: requestTexts.own }
  const { id, name } = user
  const found = { id, name, email: user.email, since: timeOf(user.createdAt), belongings: await readBelongings(db, id) }
  return { email, found, refusal: null }
}

type Refused = { ok: false; error: string; status: number }

/** After the owner's password (S-015); who was asked about does not stand in the history, only that it was done. */
export async function downloadForCustomer(asker: Asker, owner: User, form: FormData): Promise<Refused | Response> {
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const { shop } = asker
  const id = textOf(form, 'id')
  const file = id && !isAdminId(id) ? await downloadArchive(shop, { id, isForOwner: true }) : null
  if (!file) return { ok: false, error: NO_ACCOUNT, status: 404 }
  await transact(shop.db, (tx) =>
    recordAct(tx, { at: shop.now(), actor: ADMIN_ID, act: 'export-account', subject: '', name: 'a customer' }),
  )
  return file
}

/** S-225, LOGIN-54: the same as when she does it herself. */
export async function deleteForCustomer(asker: Asker, owner: User, form: FormData): Promise<Refused | { ok: true }> {
  if (textOf(form, 'intent') !== 'delete') return { ok: false, error: DELETE_FAILED, status: 400 }
  const proof = await proveItsYou(asker, owner, form)
  if (!proof.ok) return proof
  const done = await deleteAccount(asker.shop, textOf(form, 'id'), 'owner')
  if (done.ok) return done
  return done.refusal === 'failed' ? { ok: false, error: DELETE_FAILED, status: 500 } : { ok: false, error: NO_ACCOUNT, status: 404 }
}
