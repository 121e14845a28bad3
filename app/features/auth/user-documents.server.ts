/** Reads the users document of the specification. [section 3] */
import type { Db } from '#db/schema.ts'

type UserDocument = { id: string; favItems: string[] }

/** Lists the users who have favorites, with the newest favorite first. If `uid` is undefined, lists all these users. [DATA-002, DATA-003, FAV-06, S-132] */
export async function listUserDocuments(db: Db, uid?: string): Promise<UserDocument[]> {
  const rows = await db
    .selectFrom('favorites')
    .select(['userId', 'itemId'])
    .$if(uid !== undefined, (query) => query.where('userId', '=', uid!))
    .orderBy('userId')
    .orderBy('createdAt', 'desc')
    .orderBy('itemId')
    .execute()
  const byUser = Map.groupBy(rows, (row) => row.userId)
  return [...byUser].map(([id, favorites]) => ({ id, favItems: favorites.map((row) => row.itemId) }))
}
