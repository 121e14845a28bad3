import { canonicalEmail } from '#lib/text/email-address.server.ts'
import { sql } from 'kysely'
import type { Db, OrderTable, Tx } from '#db/schema.ts'
import {
  getOrCreateLockedOrder,
  lockOrder,
  updateOrder,
} from '#conversation/conversation.server.ts'
import { requestColumns } from '#conversation/requests.server.ts'
import { hasAtLeastImages, IMAGE_QUOTA } from '#messaging/images/message-images.server.ts'
import { OPEN_STATES } from '#offers/offer.ts'
import { countRows } from '#lib/db/count-rows.server.ts'
import { tryWrite } from '#lib/db/try-write.server.ts'
import { refuse } from '#lib/refusal.ts'
import { loginErrorTexts, loginResults } from '../texts.ts'
import { linkGuestResults, mergeErrorTexts } from './texts.ts'
import {
  callPasswordSignIn,
  createSessionFor,
  userFromCookies,
  type AuthRequest,
  type TypedLogin,
} from '../auth-client.server.ts'
import { readUserDataSummary } from '../user-data-summary.server.ts'
import { sendWelcomeVerification } from '../email-verification/tokens.server.ts'
import { beginPhotoImport } from '../profile-photo.server.ts'
import { findIdentityUser, identityRefusal } from '../oauth/oauth.server.ts'
import type { FailureReason } from '../oauth/oauth.ts'
import { publishSessionEnds, deleteSessions } from '../sessions.server.ts'
import {
  checkRegistration,
  type Credentials,
  type LoginRefusal,
  refuseLogin,
} from '../sign-in.server.ts'
import { parseName } from '#lib/auth/person-name.ts'
import { hasName } from '#services/guest-name.ts'
import { OWNER_ID, isOwnerId } from '#services/owner-id.ts'
import { change } from '#services/change.server.ts'
import type { AppServices, User } from '#services/context.ts'
import type { Topic } from '#services/live-topics.server.ts'
import { newId8, newSecretId } from '#lib/text/ids.ts'
import type { Identity } from '#lib/auth/oauth-providers.server.ts'
import { limitAttempts, tooManyRequests } from '#services/rate-limits.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { findUser, findUserByEmail, insertAccount, lockUser } from '#services/users.server.ts'
import { loginCodeTexts } from '../two-factor/texts.ts'
import { checkLoginCode } from '../two-factor/check-code.server.ts'
import { mergedReadReceipt, mergeOrders } from './guests.ts'

export type LinkResult = { ok: true } | LoginRefusal

const typedName = (guest: User) => (hasName(guest) ? guest.name : '')

export async function convertToAccount(
  auth: AuthRequest,
  guest: User,
  credentials: Credentials,
): Promise<LinkResult> {
  const { app } = auth
  const refusal = checkRegistration(credentials)
  if (refusal) return refusal
  const limit = await limitAttempts(auth, 'link', guest.id)
  if (limit) return limit
  const email = canonicalEmail(credentials.email)
  const isTaken = refuseLogin(loginResults.emailTaken, 422)
  if (await findUserByEmail(app.db, email)) return isTaken
  const password = await (await app.auth.$context).password.hash(credentials.password)
  const isConverted = await upgradeToAccount(
    auth,
    guest,
    { email, emailVerified: false, name: parseName(credentials.name) || typedName(guest) },
    { providerId: 'credential', accountId: guest.id, password },
  )
  return isConverted ? { ok: true } : isTaken
}

async function upgradeToAccount(
  auth: AuthRequest,
  guest: User,
  person: { email: string; emailVerified: boolean; name: string },
  credential: { providerId: string; accountId: string; password: string | null },
) {
  const { app } = auth
  const at = new Date(app.now())
  const write = async (tx: Tx) => {
    const update = await tx
      .updateTable('user')
      .set({ ...person, image: null, isAnonymous: false, updatedAt: at })
      .where('id', '=', guest.id)
      .where('isAnonymous', '=', true)
      .executeTakeFirst()
    if (update.numUpdatedRows === 0n) return null
    await insertAccount(tx, { userId: guest.id, ...credential }, at).execute()
    const customer = { userName: person.name, userEmail: person.email, userPhotoURL: '' }
    await updateOrder(tx, guest.id, customer)
    await tx.deleteFrom('guestLinks').where('guestId', '=', guest.id).execute()
    return deleteSessions(tx, guest.id)
  }
  const ended = await inTransaction(app.db, write).catch(async (error: unknown) => {
    if (await findUserByEmail(app.db, person.email)) return null
    throw error
  })
  if (!ended) return false
  await createSessionFor(auth, guest.id)
  await sendWelcomeVerification(auth, guest.id)
  publishSessionEnds(app, ended)
  app.live.changed('orders', `order:${guest.id}`, `user:${guest.id}`)
  return true
}

export async function convertWithOAuth(
  auth: AuthRequest,
  guest: User | null,
  identity: Identity,
): Promise<{ done: 'converted' | 'ask' } | { done: 'refused'; reason: FailureReason }> {
  const { db } = auth.app
  const refuseFor = (reason: FailureReason) => ({ done: 'refused' as const, reason })
  if (guest?.role !== 'guest') return refuseFor('other')
  const reason = await identityRefusal(db, identity)
  if (reason) return refuseFor(reason)
  const accountId =
    (await findIdentityUser(db, identity)) ?? (await findUserByEmail(db, identity.email))?.id
  if (accountId !== undefined) {
    const { ok } = await saveVerifiedAccount(auth.app, guest, accountId)
    return ok ? { done: 'ask' } : refuseFor('failed')
  }
  const isConverted = await upgradeToAccount(
    auth,
    guest,
    {
      email: identity.email,
      emailVerified: identity.emailVerified,
      name: identity.name || typedName(guest),
    },
    { providerId: identity.provider, accountId: identity.subject, password: null },
  )
  if (!isConverted) return refuseFor('taken')
  beginPhotoImport(auth.app, guest.id, identity.image)
  return { done: 'converted' }
}

const VERIFIED_ACCOUNT_MS = 10 * 60_000

export async function verifyAccountForMerge(
  auth: AuthRequest,
  guest: User,
  typed: TypedLogin,
  code: string,
): Promise<LinkResult> {
  const { app } = auth
  const limit = await limitAttempts(auth, 'link', guest.id)
  if (limit) return limit
  const account = await findUserByEmail(app.db, typed.email)
  if (account && isOwnerId(account.id)) return refuseLogin(linkGuestResults.ownerNotAllowed, 422)
  const { status, answer, cookies } = await callPasswordSignIn(auth, typed)
  if (status === 429) return tooManyRequests(auth.info)
  if (status !== 200) {
    return refuseLogin(account ? loginResults.invalidCredentials : loginErrorTexts.missingUser, 401)
  }
  const save = async (sessionCookies: string[]) => {
    const user = await userFromCookies(app, sessionCookies)
    return saveVerifiedAccount(app, guest, user.id, user.sessionId)
  }
  if (!answer.twoFactorRedirect || !account) return save(cookies)
  if (code === '') return refuseLogin(loginCodeTexts.lead, 401, { asksForCode: true })
  const { id } = account
  const login = await checkLoginCode(auth, cookies, { id, email: typed.email }, code)
  return login.ok
    ? save(login.cookies)
    : refuseLogin(login.error, login.status, { asksForCode: true })
}

/** `sessionId` is better-auth's session for this login. If it has ended, nothing is saved. */
export async function saveVerifiedAccount(
  app: AppServices,
  guest: User,
  userId: string,
  sessionId?: string,
): Promise<LinkResult> {
  const at = app.now()
  return inTransaction(app.db, async (tx) => {
    const account = await lockUser(tx, userId)
    if (sessionId !== undefined) {
      const end = await tx.deleteFrom('session').where('id', '=', sessionId).executeTakeFirst()
      if (end.numDeletedRows === 0n) return refuseLogin(loginResults.invalidCredentials, 401)
    }
    const isGuest = (await findUser(tx, guest.id))?.isAnonymous
    if (!isGuest || !account || account.isAnonymous || isOwnerId(userId)) {
      return refuseLogin(mergeErrorTexts['not-a-guest'], 409)
    }
    await tx
      .insertInto('guestLinks')
      .values({ guestId: guest.id, userId, at })
      .onConflict((conflict) => conflict.column('guestId').doUpdateSet({ userId, at }))
      .execute()
    return { ok: true }
  })
}

async function findVerifiedAccount(db: Db, guestId: string, now: number) {
  const account = await db
    .selectFrom('guestLinks')
    .innerJoin('user', 'user.id', 'guestLinks.userId')
    .select(['user.id', 'user.name', 'user.email', 'user.image', 'user.isAnonymous'])
    .where('guestLinks.guestId', '=', guestId)
    .where('guestLinks.at', '>', now - VERIFIED_ACCOUNT_MS)
    .executeTakeFirst()
  return account && !account.isAnonymous && !isOwnerId(account.id) ? account : null
}

export const deleteVerifiedAccount = (db: Db, guestId: string) =>
  db.deleteFrom('guestLinks').where('guestId', '=', guestId).execute()

export type MergePreview = Awaited<ReturnType<typeof previewMerge>>

/** Returns null without a recent login to an account. [S-002] */
export async function readMergePreview(db: Db, guestId: string, now: number) {
  const account = await findVerifiedAccount(db, guestId, now)
  return account ? previewMerge(db, guestId, account) : null
}

async function previewMerge(db: Db, guestId: string, account: { id: string; email: string }) {
  const belongings = await readUserDataSummary(db, guestId)
  const favoritesOfBoth = db
    .selectFrom('favorites as f')
    .innerJoin('favorites as accountFavorites', 'accountFavorites.itemId', 'f.itemId')
    .where('f.userId', '=', guestId)
    .where('accountFavorites.userId', '=', account.id)
  const conversation = await db
    .selectFrom('orders')
    .select('lastSeq')
    .where('id', '=', account.id)
    .executeTakeFirst()
  return {
    ...belongings,
    email: account.email,
    favoritesOfBoth: await countRows(favoritesOfBoth),
    hasConversation: (conversation?.lastSeq ?? 0) > 0,
    version: JSON.stringify([account.id, belongings]),
  }
}

export async function mergeGuest(
  auth: AuthRequest,
  guest: User,
  seen: string,
): Promise<LinkResult> {
  const { app } = auth
  const failure = 'a guest could not be moved into her account'
  const result = await change(app, { failure }, (tx, now) =>
    mergeGuestData(tx, guest.id, seen, now),
  )
  if (!result.ok) {
    return refuseLogin(
      result.refusal === 'agreed-twice'
        ? mergeErrorTexts['agreed-twice'](result.piece)
        : mergeErrorTexts[result.refusal],
      result.refusal === 'failed' ? 500 : 409,
    )
  }
  const { accountId, sessions } = result.value
  publishSessionEnds(app, sessions)
  await app.authWebhook.accountGone(guest.id)
  // A failed sign-in is only logged, because the data has moved and the guest can log in herself.
  await tryWrite(app.log, 'a moved guest could not be signed in', () =>
    createSessionFor(auth, accountId),
  )
  return { ok: true }
}

async function mergeGuestData(tx: Tx, guestId: string, seen: string, now: number) {
  // On PostgreSQL, updating a unique column blocks new references to the row, so a concurrent
  // message comes before the move or is refused.
  const lock = await tx
    .updateTable('user')
    .set({ email: `moving-${newSecretId()}@guest.invalid` })
    .where('id', '=', guestId)
    .where('isAnonymous', '=', true)
    .executeTakeFirst()
  if (lock.numUpdatedRows === 0n) return refuse('not-a-guest')
  const account = await findVerifiedAccount(tx, guestId, now)
  // Another request may have deleted the account.
  if (!account || !(await lockUser(tx, account.id))) return refuse('unproven')
  if ((await previewMerge(tx, guestId, account)).version !== seen) return refuse('changed')
  if (
    (await hasAtLeastImages(tx, account.id, IMAGE_QUOTA.customer)) &&
    (await hasAtLeastImages(tx, guestId, 1))
  ) {
    return refuse('account-full')
  }
  const merged = await mergeConversation(tx, guestId, account, now)
  if (!merged.ok) return merged
  await moveBelongings(tx, guestId, account.id)
  const sessions = await deleteSessions(tx, guestId)
  await tx.deleteFrom('user').where('id', '=', guestId).where('isAnonymous', '=', true).execute()
  const topics: Topic[] = [
    'orders',
    'sales',
    `order:${guestId}`,
    `order:${account.id}`,
    `user:${account.id}`,
  ]
  if (merged.hadHold) topics.push('catalog')
  return { topics, value: { accountId: account.id, sessions } }
}

async function moveBelongings(tx: Tx, guestId: string, accountId: string) {
  await tx
    .insertInto('favorites')
    .columns(['userId', 'itemId', 'createdAt'])
    .expression((eb) =>
      eb
        .selectFrom('favorites as f')
        .select([eb.val(accountId).as('userId'), 'f.itemId', 'f.createdAt'])
        .where('f.userId', '=', guestId),
    )
    .onConflict((conflict) => conflict.columns(['userId', 'itemId']).doNothing())
    .execute()
  await tx
    .updateTable('chatUploads')
    .set({ sender: accountId })
    .where('sender', '=', guestId)
    .execute()
  await tx.updateTable('credits').set({ userId: accountId }).where('userId', '=', guestId).execute()
  await tx.updateTable('sales').set({ buyerId: accountId }).where('buyerId', '=', guestId).execute()
  await tx
    .updateTable('testimonies')
    .set({ writerId: accountId })
    .where('writerId', '=', guestId)
    .execute()
  // With this, deleting the account also removes the name from the guest's events.
  await tx.updateTable('audit').set({ subject: accountId }).where('subject', '=', guestId).execute()
}

/** The guest's messages follow the account's messages, which keep their numbers. */
async function mergeConversation(
  tx: Tx,
  guestId: string,
  account: Pick<User, 'id' | 'name' | 'email' | 'image'>,
  now: number,
) {
  const guest = await lockOrder(tx, guestId)
  if (!guest) return { ok: true as const, hadHold: false }
  const accountOrder = await getOrCreateLockedOrder(tx, account, now)
  // With both orders locked, nobody can accept another offer.
  const piece = await findPieceAgreedTwice(tx, guestId, account.id)
  if (piece !== null) return refuse('agreed-twice', { piece })
  await mergeOrder(tx, guest, accountOrder)
  await mergeReadReceipts(tx, guest, accountOrder)
  await moveMessages(tx, guest, accountOrder)
  const hadHold = await moveOffers(tx, guest, accountOrder, now)
  await tx.deleteFrom('orders').where('id', '=', guestId).execute()
  await updateOrder(tx, accountOrder.id, {
    lastSeq: accountOrder.lastSeq + guest.lastSeq,
    lastMessageAt: Math.max(accountOrder.lastMessageAt, guest.lastMessageAt),
    createdAt: now,
    firstCreatedAt: Math.min(accountOrder.firstCreatedAt, guest.firstCreatedAt),
  })
  return { ok: true as const, hadHold }
}

async function mergeOrder(tx: Tx, guest: OrderTable, accountOrder: OrderTable) {
  const isNew = accountOrder.lastSeq === 0
  const account = {
    isClosed: isNew ? guest.isClosed : accountOrder.isClosed,
    receiptTag: accountOrder.receiptTag,
    lines: await readOrderItems(tx, accountOrder.id),
  }
  const merged = mergeOrders(account, { ...guest, lines: await readOrderItems(tx, guest.id) })
  await tx.deleteFrom('orderItems').where('orderId', '=', accountOrder.id).execute()
  const lines = merged.lines.map((line, index) => ({
    orderId: accountOrder.id,
    position: index + 1,
    ...line,
  }))
  if (lines.length > 0) await tx.insertInto('orderItems').values(lines).execute()
  for (const itemId of merged.askedTwice) {
    await tx
      .deleteFrom('requests')
      .where('orderId', '=', guest.id)
      .where('itemId', '=', itemId)
      .where('saleId', 'is', null)
      .execute()
  }
  await tx
    .updateTable('requests')
    .set({ orderId: accountOrder.id })
    .where('orderId', '=', guest.id)
    .execute()
  const { isClosed, receiptTag } = merged
  await updateOrder(tx, accountOrder.id, { isClosed, receiptTag })
}

async function findPieceAgreedTwice(tx: Tx, guestId: string, accountId: string) {
  const agreed = (orderId: string) =>
    tx
      .selectFrom('orderItems')
      .where('orderId', '=', orderId)
      .where('isSold', '=', false)
      .where('offerId', 'is not', null)
  const agreedByBoth = agreed(guestId)
    .select('name')
    .where('itemId', 'in', agreed(accountId).select('itemId'))
  return (await agreedByBoth.limit(1).executeTakeFirst())?.name ?? null
}

/** The guest's open offer replaces the account's. Returns true if a hold has changed. */
async function moveOffers(tx: Tx, guest: OrderTable, accountOrder: OrderTable, now: number) {
  const openOffers = await tx
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', guest.id)
    .where('state', 'in', OPEN_STATES)
    .execute()
  if (openOffers.length > 0) {
    await tx
      .updateTable('offers')
      .set({ state: 'replaced', changedAt: now })
      .where('orderId', '=', accountOrder.id)
      .where('state', 'in', OPEN_STATES)
      .execute()
  }
  await tx
    .updateTable('offers')
    .set({ orderId: accountOrder.id })
    .where('orderId', '=', guest.id)
    .execute()
  const replaced = tx
    .selectFrom('offers')
    .select('id')
    .where('orderId', '=', accountOrder.id)
    .where('state', '=', 'replaced')
  const endedHolds = await tx
    .deleteFrom('holds')
    .where('offerId', 'in', replaced)
    .executeTakeFirst()
  const movedHolds = await tx
    .updateTable('holds')
    .set({ orderId: accountOrder.id })
    .where('orderId', '=', guest.id)
    .executeTakeFirst()
  return endedHolds.numDeletedRows + movedHolds.numUpdatedRows > 0n
}

const readOrderItems = (tx: Tx, orderId: string) =>
  tx
    .selectFrom('orderItems')
    .select(['itemId', 'name', 'priceCents', 'shownPriceCents', 'isSold'])
    .select(['saleId', 'color', 'offerId', 'agreedCents', 'quantity'])
    .where('orderId', '=', orderId)
    .orderBy('position')
    .orderBy('itemId')
    .execute()

async function mergeReadReceipts(tx: Tx, guest: OrderTable, accountOrder: OrderTable) {
  for (const [readerThere, readerHere] of [
    [OWNER_ID, OWNER_ID],
    [guest.id, accountOrder.id],
  ] as const) {
    const mark = await readReceiptOf(tx, accountOrder.id, readerHere)
    const unread = await tx
      .selectFrom('messages')
      .select('seq')
      .where('orderId', '=', accountOrder.id)
      .where('seq', '>', mark)
      .where('sender', '!=', readerHere)
      .limit(1)
      .executeTakeFirst()
    const seq = mergedReadReceipt(
      { mark, lastSeq: accountOrder.lastSeq, isAllRead: unread === undefined },
      await readReceiptOf(tx, guest.id, readerThere),
    )
    if (seq === mark) continue
    await tx
      .insertInto('readReceipts')
      .values({ orderId: accountOrder.id, reader: readerHere, seq })
      .onConflict((conflict) => conflict.columns(['orderId', 'reader']).doUpdateSet({ seq }))
      .execute()
  }
}

async function readReceiptOf(tx: Tx, orderId: string, reader: string) {
  const receipt = await tx
    .selectFrom('readReceipts')
    .select('seq')
    .where('orderId', '=', orderId)
    .where('reader', '=', reader)
    .executeTakeFirst()
  return receipt?.seq ?? 0
}

const movedColumns = ['message', 'createdAt', 'offerId', ...requestColumns] as const

/** The messages get new ids, because browsers choose ids, and both orders may have the same. */
async function moveMessages(tx: Tx, guest: OrderTable, own: OrderTable) {
  const movedId = sql<string>`${sql.lit(newId8().slice(1))} || (10000000 + m.seq)`
  await tx
    .insertInto('messages')
    .columns(['orderId', 'seq', 'id', 'sender', ...movedColumns])
    .expression((eb) =>
      eb
        .selectFrom('messages as m')
        .select([
          sql.lit(own.id).as('orderId'),
          sql<number>`m.seq + ${sql.lit(own.lastSeq)}`.as('seq'),
          movedId.as('id'),
          sql<string>`case when m.sender = ${guest.id} then ${own.id} else m.sender end`.as(
            'sender',
          ),
          ...movedColumns,
        ])
        .where('m.orderId', '=', guest.id),
    )
    .execute()
  await tx
    .updateTable('messageImages')
    .set((eb) => ({
      orderId: own.id,
      messageId: eb
        .selectFrom('messages as m')
        .select(movedId.as('id'))
        .where('m.orderId', '=', guest.id)
        .whereRef('m.id', '=', 'messageImages.messageId'),
    }))
    .where('orderId', '=', guest.id)
    .execute()
}
