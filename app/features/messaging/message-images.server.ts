import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { AppServices, User } from '#app/services/context.ts'
import type { ImageFiles } from '#app/lib/images/image-store.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { toImageView } from '#app/features/images/image-view.server.ts'
import { lockUser } from '#app/services/users.server.ts'
import type { Message } from '#app/features/orders/order.ts'
import {
  deletePictureFiles,
  isDiskAlmostFull,
  prepareUpload,
  withPreparedImages,
  lockPictures,
  removePictureRows,
} from '#app/features/images/edit-images.server.ts'
import type { Upload } from '#app/features/images/image-upload.ts'
import { itemFileErrorTexts } from '#app/features/images/texts.ts'
import { pieceTexts } from '#app/features/orders/requested-piece-texts.ts'
import { messageImagePaths, messageImageUrl, type MessagePicture } from './message-images.ts'
import { messageImageTexts } from './texts.ts'

/** The widths of the stored variants in pixels. The small variant is shown in a message, and the large variant is shown when the reader enlarges the image. */
const WIDTHS = [480, 1440]

/** A person can have at most this many images in the shop, so that nobody can fill the disk. [S-353] */
export const IMAGE_QUOTA = { customer: 500, guest: 60 }

/** Returns true if a person has at least `count` images: in her conversation, or uploaded and not sent yet. */
export async function hasAtLeastImages(
  db: Db | Tx,
  userId: string,
  count: number,
): Promise<boolean> {
  const sent = db
    .selectFrom('messagePictures')
    .select('pictureId')
    .where('orderId', '=', userId)
    .where('pictureId', 'is not', null)
  const uploads = db.selectFrom('chatUploads').select('pictureId').where('sender', '=', userId)
  return (await sent.unionAll(uploads).limit(count).execute()).length >= count
}

/** Stores an image before the message with the image is sent. Until then, only the sender can use the image. [S-174] */
export async function uploadMessageImage(
  app: AppServices,
  user: User,
  file: FormDataEntryValue | null,
  signal?: AbortSignal,
): Promise<Upload> {
  const isOwner = user.role === 'admin'
  const quota = user.role === 'guest' ? IMAGE_QUOTA.guest : IMAGE_QUOTA.customer
  if (!isOwner && (await hasAtLeastImages(app.db, user.id, quota)))
    return { state: 'error', text: messageImageTexts.quota }
  if (!isOwner && (await isDiskAlmostFull(app)))
    return { state: 'error', text: messageImageTexts.noSpace }
  const prepared = await prepareUpload(app, 'chat', file, { isOwner })
  if (!prepared.ok) return { state: 'error', text: itemFileErrorTexts[prepared.refusal] }
  const picture = await app.images.completeSoon(prepared.picture, WIDTHS, isOwner)
  await withPreparedImages(app, [picture], () =>
    inTransaction(app.db, async (tx) => {
      // The account may have been deleted during the upload.
      if (!(await lockUser(tx, user.id))) throw new Error('the sender was deleted')
      await app.images.keep(tx, picture)
      await tx
        .insertInto('chatUploads')
        .values({ pictureId: picture.id, sender: user.id })
        .execute()
    }),
  )
  // The browser has canceled the upload or lost the connection. No message can use the image, because the browser does not know the id of the image.
  if (signal?.aborted) {
    await deleteUnsentUploads(app, user, [picture.id])
    return { state: 'deleted' }
  }
  return { state: 'uploaded', id: picture.id, url: messageImageUrl(picture.path) }
}

/** Deletes uploads of a user, except images that are part of a message. */
export async function deleteUnsentUploads(
  app: Pick<AppServices, 'db' | 'images' | 'log'>,
  user: Pick<User, 'id'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const gone = await inTransaction(app.db, async (tx) =>
    removePictureRows(tx, await consumeUploads(tx, user.id, ids)),
  )
  await deletePictureFiles(app, gone)
}

const consumeUploads = async (
  tx: Tx,
  sender: string,
  ids: readonly string[],
): Promise<string[]> => {
  const taken = tx
    .deleteFrom('chatUploads')
    .where('pictureId', 'in', ids)
    .where('sender', '=', sender)
  return (await taken.returning('pictureId').execute()).map((row) => row.pictureId)
}

/** This error rolls back the transaction of a message if one of its images is missing. */
export class ImagesLostError extends Error {}

type MessageKey = { orderId: string; messageId: string; sender: string }

/** Returns true if a form contains other images than the stored message with the same id. Without JavaScript, this happens when the user goes back and fills in the form again. */
export async function hasNewAttachments(
  tx: Tx,
  { orderId, messageId, sender }: MessageKey,
  ids: readonly string[],
): Promise<boolean> {
  if (ids.length === 0) return false
  const looks = tx.selectFrom('pictures as p').select(['p.width', 'p.height', 'p.placeholder'])
  const waiting = await looks
    .innerJoin('chatUploads as u', 'u.pictureId', 'p.id')
    .where('u.sender', '=', sender)
    .where('u.pictureId', 'in', ids)
    .execute()
  if (waiting.length === 0) return false
  const shown = await looks
    .innerJoin('messagePictures as m', 'm.pictureId', 'p.id')
    .where('m.orderId', '=', orderId)
    .where('m.messageId', '=', messageId)
    .execute()
  const all = (pictures: typeof shown) => pictures.map((picture) => JSON.stringify(picture)).sort()
  return all(waiting).join() !== all(shown).join()
}

/** Adds uploads to a stored message. An upload can belong to only one message. Throws `ImagesLostError` if an upload is missing. */
export async function attachImages(
  tx: Tx,
  message: MessageKey,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const { orderId, messageId, sender } = message
  await lockPictures(tx, ids)
  const taken = await consumeUploads(tx, sender, ids)
  if (taken.length !== ids.length) throw new ImagesLostError()
  await tx
    .insertInto('messagePictures')
    .values(ids.map((pictureId, position) => ({ orderId, messageId, position, pictureId })))
    .execute()
}

export async function withImages(
  db: Db | Tx,
  orderId: string,
  messages: readonly Message[],
): Promise<Message[]> {
  const ids = messages.map((message) => message.id)
  const rows: { messageId: string; picture: MessagePicture }[] = []
  // SQLite allows at most 32,766 values per statement, so the code reads the images of 1000 messages at a time.
  for (let from = 0; from < ids.length; from += 1000)
    rows.push(...(await readPictures(db, orderId, ids.slice(from, from + 1000))))
  const byMessage = Map.groupBy(rows, (row) => row.messageId)
  return messages.map((message) => {
    const pictures = byMessage.get(message.id)?.map((row) => row.picture)
    return pictures ? { ...message, pictures } : { ...message }
  })
}

async function readPictures(db: Db | Tx, orderId: string, messageIds: readonly string[]) {
  const rows = await db
    .selectFrom('messagePictures as m')
    .leftJoin('pictures as p', 'p.id', 'm.pictureId')
    .select(['m.messageId', 'p.path', 'p.width', 'p.height', 'p.widths', 'p.placeholder'])
    .where('m.orderId', '=', orderId)
    .where('m.messageId', 'in', messageIds)
    .orderBy('m.messageId')
    .orderBy('m.position')
    .execute()
  return rows.map(({ messageId, path, width, height, widths, placeholder }) => {
    if (path === null) return { messageId, picture: null }
    const row = { path, width: width!, height: height!, widths: widths!, placeholder: placeholder! }
    return { messageId, picture: { ...toImageView(row), url: messageImageUrl(path) } }
  })
}

/** Returns the path of an image file if the user has uploaded the image or belongs to the conversation, and null for all other users. [S-175] */
export async function findMessageImage(
  db: Db | Tx,
  user: Pick<User, 'id' | 'role'>,
  name: string,
): Promise<string | null> {
  const paths = messageImagePaths(name)
  if (!paths) return null
  const found = await db
    .selectFrom('pictures as p')
    .select(sql`1`.as('one'))
    .where('p.path', 'in', paths.originals)
    .where(({ or, exists, selectFrom }) => {
      const sent = selectFrom('messagePictures as m')
        .select('m.pictureId')
        .whereRef('m.pictureId', '=', 'p.id')
      const uploaded = selectFrom('chatUploads as u')
        .select('u.pictureId')
        .whereRef('u.pictureId', '=', 'p.id')
      return or([
        exists(user.role === 'admin' ? sent : sent.where('m.orderId', '=', user.id)),
        exists(uploaded.where('u.sender', '=', user.id)),
      ])
    })
    .executeTakeFirst()
  return found ? paths.file : null
}

/** This SQL expression returns the first `maxLength` characters of the joined message `last`. For a message without a text, it returns a label of the images or of the order request. */
export const lastMessageExcerpt = (maxLength: number) => sql<
  string | null
>`case when ${sql.ref('last.message')} = '' and exists (
    select 1 from ${sql.table('messagePictures')} as ${sql.ref('shown')}
    where ${sql.ref('shown.orderId')} = ${sql.ref('last.orderId')} and ${sql.ref('shown.messageId')} = ${sql.ref('last.id')}
  ) then ${sql.lit(messageImageTexts.picture)} when ${sql.ref('last.message')} = '' and ${sql.ref('last.itemId')} is not null
  then ${sql.lit(`${pieceTexts.request}: `)} || ${sql.ref('last.itemName')} else substr(${sql.ref('last.message')}, 1, ${sql.lit(maxLength)}) end`

/** Removes the images that a deleted guest has sent. The texts of the messages stay. Returns the image files to delete after the commit. [S-004] */
export async function removeGuestPictures(tx: Tx, guestId: string): Promise<ImageFiles[]> {
  const sent = await tx
    .selectFrom('messagePictures as p')
    .innerJoin('messages as m', (join) =>
      join.onRef('m.orderId', '=', 'p.orderId').onRef('m.id', '=', 'p.messageId'),
    )
    .select('p.pictureId')
    .where('p.orderId', '=', guestId)
    .where('m.sender', '=', guestId)
    .execute()
  const ids = sent.flatMap(({ pictureId }) => pictureId ?? [])
  for (const id of ids)
    await tx
      .updateTable('messagePictures')
      .set({ pictureId: null })
      .where('orderId', '=', guestId)
      .where('pictureId', '=', id)
      .execute()
  const uploads = await tx
    .deleteFrom('chatUploads')
    .where('sender', '=', guestId)
    .returning('pictureId')
    .execute()
  return removePictureRows(tx, [...ids, ...uploads.map((row) => row.pictureId)])
}
