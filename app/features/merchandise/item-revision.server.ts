/** The state of an item that an open form was loaded with (018): who saves an older one is told instead of overwriting unseen. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/tables.ts'
import { findItem } from '#app/features/catalog/items.server.ts'
import type { EditedItem } from './item-input.ts'

const PART = 500

/**
 * For whoever else writes what the item form shows (name, category, price, texts, images), such as a table that is read in: in the same
 * transaction. A discount is not in the form and does not call it.
 */
export async function raiseRevisions(tx: Tx, itemIds: readonly string[]): Promise<void> {
  for (let start = 0; start < itemIds.length; start += PART)
    await tx
      .updateTable('items')
      .set({ revision: sql<number>`"revision" + 1` })
      .where('id', 'in', itemIds.slice(start, start + PART))
      .execute()
}

/** The revision first: what changes between the two readings is told at saving. */
export async function findEditedItem(db: Db | Tx, id: string): Promise<EditedItem | null> {
  const row = await db.selectFrom('items').select('revision').where('id', '=', id).executeTakeFirst()
  const item = row && (await findItem(db, id))
  return item ? { ...item, revision: row.revision } : null
}
