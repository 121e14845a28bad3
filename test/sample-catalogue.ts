/** Rows of a small catalogue for tests; each function gives back the id. */
import type { Insertable } from 'kysely'
import type { ColorTable, Db, ItemTable } from '#db/schema.ts'

const stamped = { createdAt: 1000, firstCreatedAt: 1000 }
const noDiscount = { discountType: null, discountValue: null }

export async function addPicture(db: Db, id: string): Promise<string> {
  const row = {
    id,
    path: `items/${id}.webp`,
    width: 1400,
    height: 1400,
    widths: '[240,480,960,1400]',
    placeholder: 'data:,',
    createdAt: 1000,
    state: 'finished' as const,
  }
  await db.insertInto('pictures').values(row).execute()
  return id
}

export async function addCategory(db: Db, id: string, { title = id, color = '#c98a5e', position = 0 } = {}): Promise<string> {
  await db
    .insertInto('categories')
    .values({ id, title, color, pictureId: null, position, ...stamped })
    .execute()
  return id
}

export async function addColor(db: Db, id: string, changed: Partial<ColorTable> = {}): Promise<string> {
  const pictureId = await addPicture(db, `color-${id}`)
  const row = { id, name: id, pictureId, isAvailable: 1, isLowOnStock: 0, ...noDiscount, ...stamped } as const
  await db
    .insertInto('colors')
    .values({ ...row, ...changed })
    .execute()
  return id
}

type ItemExtras = Partial<Insertable<ItemTable>> & { pictures?: { colors?: string[]; isAvailable?: 0 | 1 }[] }

/** An item of `categoryId` with one picture, unless told otherwise; picture n gets the id `{id}-{n}`. */
export async function addItem(db: Db, id: string, categoryId: string, { pictures = [{}], ...changed }: ItemExtras = {}): Promise<string> {
  const texts = { name: id, description: '', width: '', soleType: '', size: '' }
  await db
    .insertInto('items')
    .values({ id, categoryId, priceCents: 2500, ...texts, ...noDiscount, ...stamped, ...changed })
    .execute()
  for (const [position, { colors = [], isAvailable = 1 }] of pictures.entries()) {
    const pictureId = await addPicture(db, `${id}-${position}`)
    await db.insertInto('itemPictures').values({ id: pictureId, itemId: id, pictureId, position, isAvailable }).execute()
    for (const colorId of colors) await db.insertInto('itemPictureColors').values({ itemPictureId: pictureId, colorId }).execute()
  }
  return id
}
