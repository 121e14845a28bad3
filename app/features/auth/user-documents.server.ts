/** Reads the document "users" that the specification defines. [section 3] */
import type { Db } from '#db/schema.ts'

type UserDocument = { id: string; favItems: string[] }

/** Lists each user who has favorites, with the ids of her favorites, the newest favorite first. If `uid` is given, lists only this user. [DATA-002, DATA-003, FAV-06, S-132] */
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
  return [...byUser].map(([id, favorites]) => ({
    id,
    favItems: favorites.map((row) => row.itemId),
  }))
}
