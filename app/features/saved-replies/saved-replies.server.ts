/** Saved replies: reading, adding, changing, deleting. */
import { recordAct } from '#app/platform/audit.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { newId15 } from '#app/platform/ids.ts'
import { transact } from '#app/platform/transact.server.ts'
import type { Db } from '#db/tables.ts'
import type { ReplyInput } from './saved-replies-input.ts'
import type { SavedReply } from './saved-reply.ts'

type Doors = Pick<Shop, 'db' | 'live' | 'now'>

/** S-184: by name, as she looks for them; neither database sorts as people do. */
export async function listReplies(db: Db): Promise<SavedReply[]> {
  const rows = await db.selectFrom('savedReplies').select(['id', 'title', 'text']).orderBy('id').execute()
  return rows.toSorted((a, b) => a.title.localeCompare(b.title, 'en', { numeric: true }))
}

export async function addReply({ db, live, now }: Doors, actor: string, reply: ReplyInput): Promise<void> {
  const [id, at] = [newId15(), now()]
  await transact(db, async (tx) => {
    await tx
      .insertInto('savedReplies')
      .values({ id, ...reply, createdAt: at, firstCreatedAt: at })
      .execute()
    await recordAct(tx, { at, actor, act: 'add-saved-reply', subject: id, name: reply.title })
  })
  live.changed('orders')
}

/** false: it is no longer there. */
export async function changeReply({ db, live, now }: Doors, actor: string, id: string, reply: ReplyInput): Promise<boolean> {
  const at = now()
  const done = await transact(db, async (tx) => {
    const was = await tx.selectFrom('savedReplies').select(['title', 'text']).where('id', '=', id).executeTakeFirst()
    if (!was) return 'gone'
    if (was.title === reply.title && was.text === reply.text) return 'same'
    await tx
      .updateTable('savedReplies')
      .set({ ...reply, createdAt: at })
      .where('id', '=', id)
      .execute()
    await recordAct(tx, { at, actor, act: 'change-saved-reply', subject: id, name: reply.title, detail: { before: was, after: reply } })
    return 'changed'
  })
  if (done === 'changed') live.changed('orders')
  return done !== 'gone'
}

/** false: it is no longer there. */
export async function deleteReply({ db, live, now }: Doors, actor: string, id: string): Promise<boolean> {
  const at = now()
  const isGone = await transact(db, async (tx) => {
    const was = await tx.deleteFrom('savedReplies').where('id', '=', id).returning(['title', 'text']).executeTakeFirst()
    if (was) await recordAct(tx, { at, actor, act: 'delete-saved-reply', subject: id, name: was.title, detail: { text: was.text } })
    return was !== undefined
  })
  if (isGone) live.changed('orders')
  return isGone
}
