import { sql } from 'kysely'
import type { AppServices } from '#services/context.ts'
import { change } from '#services/change.server.ts'
import { refuse } from '#lib/refusal.ts'
import { changeWithImage } from '#images/edit-images.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { countItems, listCategories, lockCategories } from '#catalog/catalog.server.ts'
import type { Category } from '#catalog/catalog.ts'
import { defaultTitles } from './texts.ts'
import { type Reorder, reordered } from '#ui/list-order.ts'
import { parseThemeColor, validateTitle } from './category.ts'

const FAILURE = 'a category could not be written'

type Typed = { value: string; was: string | null }

/** If this change replaced a title that another window had saved, returns that title. */
export async function saveCategory(
  app: AppServices,
  actor: string,
  id: string,
  typed: { title: Typed; color: Typed },
) {
  const title = typed.title.value.trim()
  const color = parseThemeColor(typed.color.value)
  const error = validateTitle(title)
  if (error) return refuse('invalid-title', { error })
  if (!color) return refuse('no-color')
  const { was } = typed.title
  return changeWithImage(app, FAILURE, { table: 'categories', id }, async (tx) => {
    const before = await tx
      .selectFrom('categories')
      .select(['title', 'color'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const after = {
      title: title === was ? before.title : title,
      color: color === typed.color.was ? before.color : color,
    }
    await tx.updateTable('categories').set(after).where('id', '=', id).execute()
    const isReplaced = was !== null && ![was, before.title].includes(title) && before.title !== was
    return {
      audit: { actor, act: 'save-category', subject: id, detail: { ...after, before, after } },
      value: isReplaced ? before.title : null,
    }
  })
}

export const changeCategoryImage = (
  app: AppServices,
  actor: string,
  id: string,
  file: FormDataEntryValue | null,
) =>
  changeWithImage(
    app,
    FAILURE,
    { table: 'categories', id, upload: { folder: 'category', file } },
    async (tx, image) => {
      const { title: name } = await tx
        .selectFrom('categories')
        .select('title')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const detail = { path: image!.path }
      return { audit: { actor, act: 'change-category-image', subject: id, name, detail } }
    },
  )

export const hideCategory = (app: AppServices, actor: string, id: string, isHidden: boolean) =>
  changeWithImage(app, FAILURE, { table: 'categories', id }, async (tx) => {
    const update = tx.updateTable('categories').set({ isHidden }).where('id', '=', id)
    const { title: name } = await update.returning('title').executeTakeFirstOrThrow()
    const act = isHidden ? 'hide-category' : 'show-category'
    return { audit: { actor, act, subject: id, name } }
  })

export const orderCategories = (app: AppServices, actor: string, reorder: Reorder) =>
  change(app, { failure: FAILURE }, async (tx) => {
    const present = await lockCategoryOrder(tx)
    const order = reordered(present, reorder)
    if (!order) return refuse('not-found')
    if (order.every((id, index) => id === present[index])) return {}
    for (const [position, id] of order.entries()) {
      await tx.updateTable('categories').set({ position }).where('id', '=', id).execute()
    }
    await orderShowcase(tx, present)
    return {
      audit: { actor, act: 'order-categories', subject: 'category', detail: { order } },
      topics: ['catalog'],
    }
  })

async function lockCategoryOrder(tx: Tx) {
  await lockCategories(tx)
  const rows = await tx
    .selectFrom('categories')
    .select('id')
    .orderBy('position')
    .orderBy('title')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * If the showcase is not in the order `before`, the owner has arranged it, and it stays as it is.
 */
async function orderShowcase(tx: Tx, before: readonly string[]) {
  const places = await tx
    .selectFrom('showcase')
    .select(['id', 'categoryId', 'deg', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  const ranks = places.map(({ categoryId }) => before.indexOf(categoryId))
  if (ranks.some((rank, index) => index > 0 && rank < ranks[index - 1]!)) return
  const records = await tx
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    .select('showcase.id')
    .orderBy('categories.position')
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  for (const [index, { id }] of records.entries()) {
    const { deg, position } = places[index]!
    await tx.updateTable('showcase').set({ deg, position }).where('id', '=', id).execute()
  }
}

export type EditedCategory = Category & { itemCount: number }

export async function listEditedCategories(db: Db) {
  const counts = await countItems(db)
  const categories = await listCategories(db)
  return categories.map((category) => ({ ...category, itemCount: counts.get(category.id) ?? 0 }))
}

const firstCategories = [
  { id: 'wall-hangings', color: '#c98a5e' },
  { id: 'plant-hangers', color: '#7f9a72' },
  { id: 'bags', color: '#a08a5f' },
  { id: 'key-chains', color: '#c99a3f' },
  { id: 'coasters', color: '#b5764f' },
  { id: 'more', color: '#9a7391' },
] as const

/** Several processes may create the default categories of a new shop at the same time. */
export async function ensureCategories({ db, now }: Pick<AppServices, 'db' | 'now'>) {
  if (await db.selectFrom('categories').select('id').limit(1).executeTakeFirst()) return
  const createdAt = now()
  await db
    .insertInto('categories')
    .values(
      firstCategories.map(({ id, color }, position) => ({
        id,
        title: defaultTitles[id],
        color,
        position,
        createdAt,
        firstCreatedAt: createdAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function listUntouchedCategories(db: Db) {
  const rows = await db
    .selectFrom('categories')
    .select('id')
    .where(
      'id',
      'in',
      firstCategories.map(({ id }) => id),
    )
    .where('createdAt', '=', sql<number>`"firstCreatedAt"`)
    .where('imageId', 'is', null)
    .where('id', 'not in', db.selectFrom('items').select('categoryId'))
    .where('id', 'not in', db.selectFrom('showcase').select('categoryId'))
    .execute()
  return rows.map((row) => row.id)
}
