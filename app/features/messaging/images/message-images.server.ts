import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import { inBatches } from '#catalog/catalog.server.ts'
import type { Message } from '#conversation/message.ts'
import {
  deleteImageFiles,
  isDiskAlmostFull,
  lockImages,
  prepareUpload,
  removeImageRows,
  withPreparedImages,
} from '#images/edit-images.server.ts'
import { isChosenFile, type Upload } from '#images/image-upload.ts'
import { toImageView } from '#images/image-view.server.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import type { AppServices, RequestInfo, User } from '#services/context.ts'
import { limitSending } from '#services/rate-limits.server.ts'
import { lockUser } from '#services/users.server.ts'
import { MAX_MESSAGE_IMAGES, messageImagePaths, messageImageUrl } from './message-images.ts'
import { messageImageTexts, pieceTexts } from '../texts.ts'

const WIDTHS = [480, 1440]

/** Images per sender, so that nobody can fill the disk. [S-353] */
export const IMAGE_QUOTA = { customer: 500, guest: 60 }

export async function hasAtLeastImages(db: Db, userId: string, count: number) {
  const sentImages = db
    .selectFrom('messageImages')
    .select('imageId')
    .where('orderId', '=', userId)
    .where('imageId', 'is not', null)
  const uploads = db.selectFrom('chatUploads').select('imageId').where('sender', '=', userId)
  return (await sentImages.unionAll(uploads).limit(count).execute()).length >= count
}

/** Only the sender can use the image until its message is sent. [S-174] */
export async function uploadMessageImage(
  app: AppServices,
  user: User,
  file: FormDataEntryValue | null,
  signal?: AbortSignal,
): Promise<Upload> {
  const isOwner = user.role === 'owner'
  const quota = user.role === 'guest' ? IMAGE_QUOTA.guest : IMAGE_QUOTA.customer
  if (!isOwner && (await hasAtLeastImages(app.db, user.id, quota))) {
    return { state: 'error', text: messageImageTexts.quota }
  }
  if (!isOwner && (await isDiskAlmostFull(app))) {
    return { state: 'error', text: messageImageTexts.noSpace }
  }
  const prepared = await prepareUpload(app, 'chat', file, { isOwner })
  if (!prepared.ok) return { state: 'error', text: itemFileErrorTexts[prepared.refusal] }
  const image = await app.images.completeSoon(prepared.image, WIDTHS, isOwner)
  await withPreparedImages(app, [image], () =>
    inTransaction(app.db, async (tx) => {
      if (!(await lockUser(tx, user.id))) throw new Error('the sender was deleted')
      await app.images.keep(tx, image)
      await tx.insertInto('chatUploads').values({ imageId: image.id, sender: user.id }).execute()
    }),
  )
  // A browser that canceled the upload never gets the id.
  if (signal?.aborted) {
    await deleteUnsentUploads(app, user, [image.id])
    return { state: 'deleted' }
  }
  return { state: 'uploaded', id: image.id, url: messageImageUrl(image.path) }
}

/** If one file is refused, none is stored. */
export async function uploadFiles(
  app: AppServices,
  user: User,
  form: FormData,
  info: RequestInfo | null,
) {
  const files = form.getAll('files').filter(isChosenFile)
  const ids: string[] = []
  const refuseAll = async (status: number, error: string) => {
    await deleteUnsentUploads(app, user, ids)
    return { ok: false as const, status, error }
  }
  if (files.length > MAX_MESSAGE_IMAGES) return refuseAll(422, messageImageTexts.tooMany)
  for (const file of files) {
    const limit = info && (await limitUpload(app, info, user))
    if (limit) return refuseAll(429, limit.error)
    try {
      const upload = await uploadMessageImage(app, user, file)
      if (upload.state === 'error') return refuseAll(422, upload.text)
      if (upload.state === 'uploaded') ids.push(upload.id)
    } catch (error) {
      app.log.error('an image of a message could not be stored', error)
      return refuseAll(422, messageImageTexts.failed)
    }
  }
  return { ok: true as const, ids }
}

/** Returns null if the upload is allowed. The owner has no limit. [S-174] */
export const limitUpload = async (
  app: Pick<AppServices, 'rateLimits'>,
  info: RequestInfo,
  { id, role }: User,
) => (role === 'owner' ? null : limitSending({ app, info }, 'image', id))

export async function deleteUnsentUploads(
  app: Pick<AppServices, 'db' | 'images' | 'log'>,
  user: Pick<User, 'id'>,
  ids: string[],
) {
  if (ids.length === 0) return
  const files = await inTransaction(app.db, async (tx) =>
    removeImageRows(tx, await consumeUploads(tx, user.id, ids)),
  )
  await deleteImageFiles(app, files)
}

async function consumeUploads(tx: Tx, sender: string, ids: string[]) {
  const rows = await tx
    .deleteFrom('chatUploads')
    .where('imageId', 'in', ids)
    .where('sender', '=', sender)
    .returning('imageId')
    .execute()
  return rows.map((row) => row.imageId)
}

type MessageKey = { orderId: string; messageId: string; sender: string }

/** Without JavaScript, a writer can go back and add images to a stored message. */
export async function hasNewAttachments(
  tx: Tx,
  { orderId, messageId, sender }: MessageKey,
  ids: readonly string[],
) {
  if (ids.length === 0) return false
  const appearances = tx.selectFrom('images as p').select(['p.width', 'p.height', 'p.placeholder'])
  const uploads = await appearances
    .innerJoin('chatUploads as u', 'u.imageId', 'p.id')
    .where('u.sender', '=', sender)
    .where('u.imageId', 'in', ids)
    .execute()
  if (uploads.length === 0) return false
  const attached = await appearances
    .innerJoin('messageImages as m', 'm.imageId', 'p.id')
    .where('m.orderId', '=', orderId)
    .where('m.messageId', '=', messageId)
    .execute()
  const all = (images: typeof attached) => images.map((image) => JSON.stringify(image)).sort()
  return all(uploads).join() !== all(attached).join()
}

/** Returns false if an upload is missing or already belongs to another message. */
export async function attachImages(
  tx: Tx,
  { orderId, messageId, sender }: MessageKey,
  ids: string[],
) {
  if (ids.length === 0) return true
  await lockImages(tx, ids)
  const uploads = await consumeUploads(tx, sender, ids)
  if (uploads.length !== ids.length) return false
  await tx
    .insertInto('messageImages')
    .values(ids.map((imageId, position) => ({ orderId, messageId, position, imageId })))
    .execute()
  return true
}

export async function withImages(db: Db, orderId: string, messages: Message[]) {
  const rows: Awaited<ReturnType<typeof readImages>> = []
  for (const ids of inBatches(messages.map(({ id }) => id))) {
    rows.push(...(await readImages(db, orderId, ids)))
  }
  const byMessage = Map.groupBy(rows, (row) => row.messageId)
  return messages.map((message) => {
    const images = byMessage.get(message.id)?.map((row) => row.image)
    return images ? { ...message, images } : { ...message }
  })
}

async function readImages(db: Db, orderId: string, messageIds: string[]) {
  const rows = await db
    .selectFrom('messageImages as m')
    .leftJoin('images as p', 'p.id', 'm.imageId')
    .select(['m.messageId', 'p.path', 'p.width', 'p.height', 'p.widths', 'p.placeholder'])
    .where('m.orderId', '=', orderId)
    .where('m.messageId', 'in', messageIds)
    .orderBy('m.messageId')
    .orderBy('m.position')
    .execute()
  return rows.map(({ messageId, path, width, height, widths, placeholder }) => {
    if (path === null) return { messageId, image: null }
    const row = { path, width: width!, height: height!, widths: widths!, placeholder: placeholder! }
    return { messageId, image: { ...toImageView(row), url: messageImageUrl(path) } }
  })
}

/** Returns null without access to the image. [S-175] */
export async function findMessageImage(db: Db, user: Pick<User, 'id' | 'role'>, name: string) {
  const paths = messageImagePaths(name)
  if (!paths) return null
  const image = await db
    .selectFrom('images as p')
    .select(sql`1`.as('one'))
    .where('p.path', 'in', paths.originals)
    .where(({ or, exists, selectFrom }) => {
      const inMessage = selectFrom('messageImages as m')
        .select('m.imageId')
        .whereRef('m.imageId', '=', 'p.id')
      const uploaded = selectFrom('chatUploads as u')
        .select('u.imageId')
        .whereRef('u.imageId', '=', 'p.id')
      return or([
        exists(user.role === 'owner' ? inMessage : inMessage.where('m.orderId', '=', user.id)),
        exists(uploaded.where('u.sender', '=', user.id)),
      ])
    })
    .executeTakeFirst()
  return image ? paths.file : null
}

export const lastMessageExcerpt = (maxLength: number) => sql<string | null>`case
    when "last"."message" != '' then substr("last"."message", 1, ${sql.lit(maxLength)})
    when exists (
      select 1 from "messageImages" as "image"
      where "image"."orderId" = "last"."orderId" and "image"."messageId" = "last"."id"
    ) then ${sql.lit(messageImageTexts.image)}
    when "last"."itemId" is not null
      then ${sql.lit(`${pieceTexts.request}: `)} || "last"."itemName"
    else "last"."message" end`

/** Keeps the texts of the messages. Returns files to delete after the commit. [S-004] */
export async function removeGuestImages(tx: Tx, guestId: string) {
  const rows = await tx
    .selectFrom('messageImages as p')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.orderId', '=', 'p.orderId').onRef('m.id', '=', 'p.messageId'),
    )
    .select('p.imageId')
    .where('p.orderId', '=', guestId)
    .where('m.sender', '=', guestId)
    .execute()
  const ids = rows.flatMap(({ imageId }) => imageId ?? [])
  for (const batch of inBatches(ids)) {
    await tx
      .updateTable('messageImages')
      .set({ imageId: null })
      .where('orderId', '=', guestId)
      .where('imageId', 'in', batch)
      .execute()
  }
  return removeImageRows(tx, [...ids, ...(await deleteUploadsOf(tx, guestId))])
}

export async function deleteUploadsOf(tx: Tx, sender: string) {
  const uploads = await tx
    .deleteFrom('chatUploads')
    .where('sender', '=', sender)
    .returning('imageId')
    .execute()
  return uploads.map((row) => row.imageId)
}
