/** Pictures of messages: kept until their message is sent, shown to the two of the conversation, gone with it (025). */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/schema.ts'
import type { Shop, User } from '#app/platform/context.ts'
import type { FilesOfPicture } from '#app/platform/pictures.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { readPictureView } from '#app/features/catalog/catalog.server.ts'
import { lockUser } from '#app/platform/users.server.ts'
import type { Message } from '#app/features/orders/order.ts'
import {
  deletePictureFiles,
  preparePicked,
  usingPictures,
  lockPictures,
  removePictureRows,
} from '#app/features/images/edit-pictures.server.ts'
import { itemPickTexts, type Upload } from '#app/features/images/picture-upload.ts'
import { chatPathsOf, chatPictureUrl, PICTURE_ONLY, type MessagePicture } from './message-pictures.ts'

/** What a bubble shows, on a sharp screen as well, and what fills the screen. */
const WIDTHS = [480, 1440]

/** S-174: one picture in a request of its own, kept for its sender until she sends it in a message. Nobody else may see it. */
export async function uploadChatPicture(shop: Shop, user: User, file: FormDataEntryValue | null, signal?: AbortSignal): Promise<Upload> {
  const prepared = await preparePicked(shop, 'chat', file)
  if (!prepared.ok) return { state: 'error', text: itemPickTexts[prepared.refusal] }
  const picture = await shop.pictures.completeSoon(prepared.picture, WIDTHS)
  await usingPictures(shop, [picture], () =>
    transact(shop.db, async (tx) => {
      // Her account may have gone while the picture was read: nobody would ever find it again.
      if (!(await lockUser(tx, user.id))) throw new Error('whoever sent it is gone')
      await shop.pictures.keep(tx, picture)
      await tx.insertInto('chatUploads').values({ pictureId: picture.id, sender: user.id }).execute()
    }),
  )
  // It was cancelled, or the line broke and it will be sent again: nobody knows of this one.
  if (signal?.aborted) {
    await deleteChatUploads(shop, user, [picture.id])
    return { state: 'deleted' }
  }
  return { state: 'uploaded', id: picture.id, url: chatPictureUrl(picture.path) }
}

/** Uploads of hers that are in no message yet; others stay. */
export async function deleteChatUploads(
  shop: Pick<Shop, 'db' | 'pictures' | 'log'>,
  user: Pick<User, 'id'>,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  const gone = await transact(shop.db, async (tx) => removePictureRows(tx, await takeUploads(tx, user.id, ids)))
  await deletePictureFiles(shop, gone)
}

const takeUploads = async (tx: Tx, sender: string, ids: readonly string[]): Promise<string[]> => {
  const taken = tx.deleteFrom('chatUploads').where('pictureId', 'in', ids).where('sender', '=', sender)
  return (await taken.returning('pictureId').execute()).map((row) => row.pictureId)
}

/** Ends the transaction of a message whose pictures are not all there. */
export class PicturesLost extends Error {}

type OfMessage = { orderId: string; messageId: string; sender: string }

/**
 * Whether a message that seems to be there already comes with other pictures than it shows: a form without script that was filled in anew after
 * Back. Pictures of a retry hang at it, or look the same.
 */
export async function bringsOthers(tx: Tx, { orderId, messageId, sender }: OfMessage, ids: readonly string[]): Promise<boolean> {
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

/** The message is written already. Each upload goes into one message, however often it is sent; throws `PicturesLost`. */
export async function hangPictures(tx: Tx, message: OfMessage, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const { orderId, messageId, sender } = message
  await lockPictures(tx, ids)
  const taken = await takeUploads(tx, sender, ids)
  if (taken.length !== ids.length) throw new PicturesLost()
  await tx
    .insertInto('messagePictures')
    .values(ids.map((pictureId, position) => ({ orderId, messageId, position, pictureId })))
    .execute()
}

export async function withPictures(db: Db | Tx, orderId: string, messages: readonly Message[]): Promise<Message[]> {
  const ids = messages.map((message) => message.id)
  const rows: { messageId: string; picture: MessagePicture }[] = []
  // SQLite takes 32,766 values in a statement.
  for (let from = 0; from < ids.length; from += 1000) rows.push(...(await readPictures(db, orderId, ids.slice(from, from + 1000))))
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
    return { messageId, picture: { ...readPictureView(row), url: chatPictureUrl(path) } }
  })
}

/** S-175: the stored file that `name` means, for its sender and the two of its conversation; null for everybody else, as if there were none. */
export async function findChatPicture(db: Db | Tx, user: Pick<User, 'id' | 'role'>, name: string): Promise<string | null> {
  const paths = chatPathsOf(name)
  if (!paths) return null
  const found = await db
    .selectFrom('pictures as p')
    .select(sql`1`.as('one'))
    .where('p.path', 'in', paths.originals)
    .where(({ or, exists, selectFrom }) => {
      const sent = selectFrom('messagePictures as m').select('m.pictureId').whereRef('m.pictureId', '=', 'p.id')
      const uploaded = selectFrom('chatUploads as u').select('u.pictureId').whereRef('u.pictureId', '=', 'p.id')
      return or([
        exists(user.role === 'admin' ? sent : sent.where('m.orderId', '=', user.id)),
        exists(uploaded.where('u.sender', '=', user.id)),
      ])
    })
    .executeTakeFirst()
  return found ? paths.file : null
}

/** Of the joined message `last`: its first letters, or that it is a picture without words. */
export const beginningOfLast = (letters: number) => sql<string | null>`case when ${sql.ref('last.message')} = '' and exists (
    select 1 from ${sql.table('messagePictures')} as ${sql.ref('shown')}
    where ${sql.ref('shown.orderId')} = ${sql.ref('last.orderId')} and ${sql.ref('shown.messageId')} = ${sql.ref('last.id')}
  ) then ${sql.lit(PICTURE_ONLY)} else substr(${sql.ref('last.message')}, 1, ${sql.lit(letters)}) end`

/** What a guest has sent goes with her, though her words stay with the owner (S-004); gives what must be deleted after the commit. */
export async function removeGuestPictures(tx: Tx, guestId: string): Promise<FilesOfPicture[]> {
  const sent = await tx
    .selectFrom('messagePictures as p')
    .innerJoin('messages as m', (join) => join.onRef('m.orderId', '=', 'p.orderId').onRef('m.id', '=', 'p.messageId'))
    .select('p.pictureId')
    .where('p.orderId', '=', guestId)
    .where('m.sender', '=', guestId)
    .execute()
  const ids = sent.flatMap(({ pictureId }) => pictureId ?? [])
  for (const id of ids)
    await tx.updateTable('messagePictures').set({ pictureId: null }).where('orderId', '=', guestId).where('pictureId', '=', id).execute()
  const uploads = await tx.deleteFrom('chatUploads').where('sender', '=', guestId).returning('pictureId').execute()
  return removePictureRows(tx, [...ids, ...uploads.map((row) => row.pictureId)])
}
