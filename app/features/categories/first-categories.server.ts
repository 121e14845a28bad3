/** The categories that an empty shop begins with: none can be added later (CATEGORY-05), and an item needs one (S-163). */
import { sql } from 'kysely'
import type { Shop } from '#app/platform/context.ts'
import type { Db, Tx } from '#db/tables.ts'

const firstCategories = [
  { id: 'wall-hangings', title: 'Wall Hangings', color: '#c98a5e' },
  { id: 'plant-hangers', title: 'Plant Hangers', color: '#7f9a72' },
  { id: 'bags', title: 'Bags', color: '#a08a5f' },
  { id: 'key-chains', title: 'Key Chains', color: '#c99a3f' },
  { id: 'coasters', title: 'Coasters', color: '#b5764f' },
  { id: 'more', title: 'More', color: '#9a7391' },
]
const firstIds = firstCategories.map(({ id }) => id)

/** Only where there is none at all; of two processes that start at once one writes. */
export async function ensureCategories({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  if (await db.selectFrom('categories').select('id').limit(1).executeTakeFirst()) return
  const at = now()
  await db
    .insertInto('categories')
    .values(firstCategories.map((category, position) => ({ ...category, position, createdAt: at, firstCreatedAt: at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Those of them that nobody has touched: saved, given a piece or a place on home. A shop with nothing else is still empty. */
export async function listUntouchedCategories(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('categories')
    .select('id')
    .where('id', 'in', firstIds)
    .where('createdAt', '=', sql<number>`"firstCreatedAt"`)
    .where('pictureId', 'is', null)
    .where('id', 'not in', db.selectFrom('items').select('categoryId'))
    .where('id', 'not in', db.selectFrom('showcase').select('categoryId'))
    .execute()
  return rows.map((row) => row.id)
}
