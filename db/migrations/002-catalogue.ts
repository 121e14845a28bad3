/** Pictures, categories, colours, items and the showcase (specification section 3). */
import { sql, type Kysely } from 'kysely'

export const catalogue = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('pictures')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('path', 'text', (c) => c.notNull().unique())
      .addColumn('width', 'integer', (c) => c.notNull())
      .addColumn('height', 'integer', (c) => c.notNull())
      .addColumn('widths', 'text', (c) => c.notNull())
      .addColumn('placeholder', 'text', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('categories')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('color', 'text', (c) => c.notNull())
      .addColumn('pictureId', 'text', (c) => c.references('pictures.id').onDelete('set null'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('firstCreatedAt', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('colors')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('pictureId', 'text', (c) => c.references('pictures.id').onDelete('set null'))
      .addColumn('isAvailable', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(1)
          .check(sql`"isAvailable" in (0, 1)`),
      )
      .addColumn('isLowOnStock', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(0)
          .check(sql`"isLowOnStock" in (0, 1)`),
      )
      .addColumn('discountType', 'text', (c) => c.check(sql`"discountType" in ('percent', 'amount')`))
      .addColumn('discountValue', 'integer', (c) => c.check(sql`"discountValue" > 0`))
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('firstCreatedAt', 'bigint', (c) => c.notNull())
      .addCheckConstraint('colors_discount_whole', sql`("discountType" is null) = ("discountValue" is null)`)
      .execute()
    await db.schema
      .createTable('items')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('categoryId', 'text', (c) => c.notNull().references('categories.id').onDelete('restrict'))
      .addColumn('priceCents', 'integer', (c) => c.notNull().check(sql`"priceCents" > 0`))
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('width', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('soleType', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('size', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('discountType', 'text', (c) => c.check(sql`"discountType" in ('percent', 'amount')`))
      .addColumn('discountValue', 'integer', (c) => c.check(sql`"discountValue" > 0`))
      .addColumn('createdAt', 'bigint', (c) => c.notNull())
      .addColumn('firstCreatedAt', 'bigint', (c) => c.notNull())
      .addCheckConstraint('items_discount_whole', sql`("discountType" is null) = ("discountValue" is null)`)
      .execute()
    await db.schema.createIndex('items_category_newest').on('items').columns(['categoryId', 'createdAt']).execute()
    await db.schema.createIndex('items_newest').on('items').column('createdAt').execute()
    await db.schema
      .createTable('itemPictures')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('itemId', 'text', (c) => c.notNull().references('items.id').onDelete('cascade'))
      .addColumn('pictureId', 'text', (c) => c.notNull().references('pictures.id').onDelete('cascade'))
      .addColumn('position', 'integer', (c) => c.notNull())
      .addColumn('isAvailable', 'integer', (c) =>
        c
          .notNull()
          .defaultTo(1)
          .check(sql`"isAvailable" in (0, 1)`),
      )
      .execute()
    await db.schema.createIndex('itemPictures_item').on('itemPictures').columns(['itemId', 'position']).execute()
    await db.schema
      .createTable('itemPictureColors')
      .addColumn('itemPictureId', 'text', (c) => c.notNull().references('itemPictures.id').onDelete('cascade'))
      .addColumn('colorId', 'text', (c) => c.notNull().references('colors.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('itemPictureColors_pk', ['itemPictureId', 'colorId'])
      .execute()
    await db.schema.createIndex('itemPictureColors_color').on('itemPictureColors').column('colorId').execute()
    await db.schema
      .createTable('showcase')
      .addColumn('id', 'text', (c) => c.primaryKey().notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('pictureId', 'text', (c) => c.references('pictures.id').onDelete('set null'))
      .addColumn('categoryId', 'text', (c) => c.notNull().references('categories.id').onDelete('cascade'))
      .addColumn('deg', 'integer', (c) => c.notNull())
      .addColumn('position', 'integer', (c) => c.notNull())
      .execute()
  },
}
