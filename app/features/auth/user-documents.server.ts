/** The specification's users document: the favourites of one person, under the person's uid (section 3). */
import type { Db } from '#db/schema.ts'

type UserDocument = { id: string; favItems: string[] }

/** DATA-002, DATA-003, FAV-06; S-132: there is none before the first favourite. Newest favourite first. `uid` unset: those of everybody. */
export async function listUserDocuments(db: Db, uid?: string): Promise<UserDocument[]> {
  const rows = await db
    .selectFrom('favourites')
    .select(['userId', 'itemId'])
    .$if(uid !== undefined, (query) => query.where('userId', '=', uid!))
    .orderBy('userId')
    .orderBy('createdAt', 'desc')
    .orderBy('itemId')
    .execute()
  const byUser = Map.groupBy(rows, (row) => row.userId)
  return [...byUser].map(([id, favourites]) => ({ id, favItems: favourites.map((row) => row.itemId) }))
}
