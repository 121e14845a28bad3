/** Retires an item, offers it again, or copies it. */
import type { Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { itemValueColumns } from '#app/features/catalog/catalog.ts'
import { lockPictures } from '#app/features/images/edit-images.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { MAX_LINE_LENGTH } from './item-form.ts'
import { itemActionTexts } from './texts.ts'

const soldItems = (tx: Tx) => tx.selectFrom('items').select('id').where('state', '=', 'sold')

/** Retires an item or offers it again. A draft stays a draft, because only the item form publishes a draft. Returns false if the item does not exist. [S-294] */
export async function setForSale(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  actor: string,
  id: string,
  isForSale: boolean,
): Promise<boolean> {
  const done = await inTransaction(app.db, async (tx) => {
    const from = isForSale ? (['retired', 'sold'] as const) : (['listed'] as const)
    const changed = tx
      .updateTable('items')
      .set({ state: isForSale ? 'listed' : 'retired' })
      .where('id', '=', id)
      .where('state', 'in', from)
    // A hold that began before the sale must not return when the item is for sale again.
    if (isForSale)
      await tx
        .deleteFrom('holds')
        .where('itemId', '=', id)
        .where('itemId', 'in', soldItems(tx))
        .execute()
    const item = await changed.returning('name').executeTakeFirst()
    if (!item)
      return (await tx.selectFrom('items').select('id').where('id', '=', id).executeTakeFirst())
        ? 'same'
        : null
    const act = isForSale ? 'sell-item-again' : 'retire-item'
    await recordAuditEvent(tx, { at: app.now(), actor, act, subject: id, name: item.name })
    return 'changed'
  })
  if (done === 'changed') app.live.changed('catalog')
  return done !== null
}

/** Adds a draft with the same texts, price, discount, images and colors. The original and the draft use the same image files. Returns null if the original does not exist. [OWN-49] */
export async function duplicateItem(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  actor: string,
  id: string,
): Promise<string | null> {
  const copy = newId15()
  const at = app.now()
  const isDone = await inTransaction(app.db, async (tx) => {
    const item = await tx
      .selectFrom('items')
      .select(itemValueColumns)
      .where('id', '=', id)
      .executeTakeFirst()
    if (!item) return false
    const images = await tx
      .selectFrom('itemPictures')
      .selectAll()
      .where('itemId', '=', id)
      .execute()
    await lockPictures(
      tx,
      images.map(({ pictureId }) => pictureId),
    )
    const name = itemActionTexts.copy(
      item.name.slice(0, MAX_LINE_LENGTH - itemActionTexts.copy('').length),
    )
    await tx
      .insertInto('items')
      .values({ ...item, id: copy, name, state: 'draft', createdAt: at, firstCreatedAt: at })
      .execute()
    for (const image of images) {
      const imageId = newId15()
      // Skips an image that was deleted before this transaction locked its row.
      const isThere = await tx
        .selectFrom('pictures')
        .select('id')
        .where('id', '=', image.pictureId)
        .executeTakeFirst()
      if (!isThere) continue
      await tx
        .insertInto('itemPictures')
        .values({ ...image, id: imageId, itemId: copy })
        .execute()
      const worn = await tx
        .selectFrom('itemPictureColors')
        .select('colorId')
        .where('itemPictureId', '=', image.id)
        .execute()
      const rows = worn.map(({ colorId }) => ({ itemPictureId: imageId, colorId }))
      if (rows.length > 0) await tx.insertInto('itemPictureColors').values(rows).execute()
    }
    await recordAuditEvent(tx, { at, actor, act: 'duplicate-item', subject: copy, name })
    return true
  })
  if (isDone) app.live.changed('catalog')
  return isDone ? copy : null
}
