/** Saves changes of categories. If a write fails, these functions throw. The route then logs the error and shows no message. [CATEGORY-07, CATEGORY-08, CATEGORY-12] */
import { sql } from 'kysely'
import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import {
  type ActionOutcome,
  type WriteResult,
  foundOutcome,
  done as accepted,
  refused,
  writeOutcome,
} from '#app/ui/action-result.ts'
import type { ImageFiles } from '#app/lib/images/image-store.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import {
  changeWithPicture,
  deletePictureFiles,
  prepareUpload,
  removePictureRows,
} from '#app/features/images/edit-images.server.ts'
import { sceneFormTexts } from '#app/features/images/owner-texts.ts'
import { shortFileErrorTexts } from '#app/features/images/texts.ts'
import type { Db, Tx } from '#db/schema.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import type { Category } from '#app/features/catalog/catalog.ts'
import { categoriesTexts, categoryFormTexts, defaultTitles } from './texts.ts'
import { completeSequence, sequenceAfterStep } from '#app/ui/list-order.ts'
import { parseThemeColor, validateTitle } from './category.ts'

export async function handleCategoryAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, id] = [formText(form, 'intent'), formText(form, 'id')]
  if (intent === 'save') return writeOutcome(await saveCategory(app, actor, id, readTyped(form)))
  if (intent === 'picture')
    return writeOutcome(await changeCategoryPicture(app, actor, id, form.get('file')))
  const by = { up: -1, down: 1 }[formText(form, 'by')]
  if (intent === 'move' && (by === -1 || by === 1))
    return foundOutcome(await orderCategories(app, actor, { id, by }))
  if (intent === 'order') {
    const order = form.getAll('order').filter((value) => typeof value === 'string')
    return foundOutcome(await orderCategories(app, actor, { order }))
  }
  if (intent === 'hide' || intent === 'show') {
    const isFound = await hideCategory(app, actor, id, intent === 'hide')
    return isFound ? accepted(categoriesTexts.done[intent]) : refused(404)
  }
  if (intent === 'remove')
    return removeOutcome(
      formText(form, 'confirm') === 'Yes' ? await removeCategory(app, actor, id) : null,
    )
  // The form for a new category is always refused, because the specification requires this. [CATEGORY-05]
  return refused(400)
}

/** Without JavaScript, the form sends the color from a text field and from a color picker. This function uses the value that the owner changed. */
function readTyped(form: FormData) {
  const [text, picked, was] = [
    formText(form, 'color'),
    formText(form, 'picked'),
    formText(form, 'wasColor'),
  ]
  return {
    title: {
      value: formText(form, 'title'),
      was: form.has('wasTitle') ? formText(form, 'wasTitle') : null,
    },
    color: { value: picked !== '' && text === was ? picked : text, was: was === '' ? null : was },
  }
}

type Typed = { value: string; was: string | null }

/** Writes only what the owner has changed. For example, a new color does not overwrite a title that another window has saved. [CATEGORY-07] */
async function saveCategory(
  app: AppServices,
  actor: string,
  id: string,
  typed: { title: Typed; color: Typed },
): Promise<WriteResult> {
  const [title, color] = [typed.title.value.trim(), parseThemeColor(typed.color.value)]
  const refusal = validateTitle(title)
  if (refusal) return { ok: false, field: 'title', error: refusal }
  if (!color) return { ok: false, field: 'color', error: categoryFormTexts.noColor }
  const { was } = typed.title
  let toasts: string[] = []
  const isThere = await changeWithPicture(app, 'categories', id, null, async (tx) => {
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
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'save-category',
      subject: id,
      detail: { ...after, before, after },
    })
    const isOver = was !== null && ![was, before.title].includes(title) && before.title !== was
    toasts = isOver ? [categoryFormTexts.replaced(before.title)] : []
  })
  return isThere ? { ok: true, toasts } : { ok: false, field: null }
}

async function changeCategoryPicture(
  app: AppServices,
  actor: string,
  id: string,
  file: FormDataEntryValue | null,
): Promise<WriteResult> {
  const prepared = await prepareUpload(app, 'category', file)
  if (!prepared.ok)
    return { ok: false, field: 'file', error: shortFileErrorTexts[prepared.refusal] }
  const { picture } = prepared
  const isThere = await changeWithPicture(app, 'categories', id, picture, async (tx) => {
    const { title: name } = await tx
      .selectFrom('categories')
      .select('title')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'change-category-picture',
      subject: id,
      name,
      detail: { path: picture.path },
    })
  })
  return isThere ? { ok: true, toasts: [sceneFormTexts.saved] } : { ok: false, field: null }
}

/** Hides a category from visitors, or shows it again. Visitors still see the items of a hidden category. [S-296] */
const hideCategory = (
  app: AppServices,
  actor: string,
  id: string,
  isHidden: boolean,
): Promise<boolean> =>
  changeWithPicture(app, 'categories', id, null, async (tx) => {
    const written = tx
      .updateTable('categories')
      .set({ isHidden: isHidden ? 1 : 0 })
      .where('id', '=', id)
    const { title: name } = await written.returning('title').executeTakeFirstOrThrow()
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: isHidden ? 'hide-category' : 'show-category',
      subject: id,
      name,
    })
  })

type Removal = 'removed' | 'not-found' | 'has-items' | 'last'

/** Removes a category that has no items. The last category is never removed, because every item needs a category. */
async function removeCategory(app: AppServices, actor: string, id: string): Promise<Removal> {
  let gone: ImageFiles[] = []
  const done = await inTransaction(app.db, async (tx): Promise<Removal> => {
    const present = await lockCategoryOrder(tx)
    if (!present.includes(id)) return 'not-found'
    if (present.length === 1) return 'last'
    if (
      await tx
        .selectFrom('items')
        .select('id')
        .where('categoryId', '=', id)
        .limit(1)
        .executeTakeFirst()
    )
      return 'has-items'
    const circles = await tx
      .selectFrom('showcase')
      .select('pictureId')
      .where('categoryId', '=', id)
      .execute()
    const row = await tx
      .deleteFrom('categories')
      .where('id', '=', id)
      .returning(['title', 'pictureId'])
      .executeTakeFirstOrThrow()
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'delete-category',
      subject: id,
      name: row.title,
    })
    gone = await removePictureRows(
      tx,
      [row, ...circles].map(({ pictureId }) => pictureId),
    )
    return 'removed'
  })
  if (done === 'removed') app.live.changed('catalog')
  await deletePictureFiles(app, gone)
  return done
}

/** `done` is null if the owner did not confirm the removal. */
function removeOutcome(done: Removal | null): ActionOutcome {
  if (done === null) return accepted()
  if (done === 'removed') return accepted(categoriesTexts.done.remove)
  if (done === 'not-found') return refused(404)
  return refused(409, { toasts: [categoriesTexts.notRemoved[done]] })
}

type Reorder = { order: string[] } | { id: string; by: -1 | 1 }

/** Stores a new sort order of the categories in one transaction, so that concurrent changes do not mix. The showcase gets the same sort order. Returns false if the category to move is unknown. */
export async function orderCategories(
  app: AppServices,
  actor: string,
  reorder: Reorder,
): Promise<boolean> {
  const done = await inTransaction(app.db, async (tx) => {
    const present = await lockCategoryOrder(tx)
    if ('id' in reorder && !present.includes(reorder.id)) return null
    const order =
      'id' in reorder
        ? sequenceAfterStep(present, reorder.id, reorder.by)
        : completeSequence(present, reorder.order)
    if (order.every((id, at) => id === present[at])) return 'same'
    for (const [position, id] of order.entries())
      await tx.updateTable('categories').set({ position }).where('id', '=', id).execute()
    await orderShowcase(tx, present)
    await recordAuditEvent(tx, {
      at: app.now(),
      actor,
      act: 'order-categories',
      subject: 'category',
      detail: { order },
    })
    return 'changed'
  })
  if (done === 'changed') app.live.changed('catalog')
  return done !== null
}

/** Returns the ids of all categories in their sort order. Locks a row first, so that only one transaction at a time can change the sort order. */
async function lockCategoryOrder(tx: Tx): Promise<string[]> {
  const first = tx.selectFrom('categories').select((c) => c.fn.min('id').as('id'))
  await tx
    .updateTable('categories')
    .set((c) => ({ position: c.ref('position') }))
    .where('id', '=', first)
    .execute()
  const rows = await tx
    .selectFrom('categories')
    .select('id')
    .orderBy('position')
    .orderBy('title')
    .execute()
  return rows.map(({ id }) => id)
}

/** Sorts the showcase like the categories. Does nothing if the showcase is not in the previous sort order `before`, because then the owner has arranged the showcase herself. [S-020, S-282] */
async function orderShowcase(tx: Tx, before: readonly string[]): Promise<void> {
  const places = await tx
    .selectFrom('showcase')
    .select(['id', 'categoryId', 'deg', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute()
  const ranks = places.map(({ categoryId }) => before.indexOf(categoryId))
  if (ranks.some((rank, at) => at > 0 && rank < ranks[at - 1]!)) return
  const records = await tx
    .selectFrom('showcase')
    .innerJoin('categories', 'categories.id', 'showcase.categoryId')
    .select('showcase.id')
    .orderBy('categories.position')
    .orderBy('showcase.position')
    .orderBy('showcase.id')
    .execute()
  for (const [at, { id }] of records.entries()) {
    const { deg, position } = places[at]!
    await tx.updateTable('showcase').set({ deg, position }).where('id', '=', id).execute()
  }
}

export type EditedCategory = Category & { itemCount: number }

export async function listEditedCategories(db: Db): Promise<EditedCategory[]> {
  const counted = await db
    .selectFrom('items')
    .select(['categoryId', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('categoryId')
    .execute()
  const counts = new Map(counted.map((row) => [row.categoryId, row.count]))
  return (await listCategories(db)).map((category) => ({
    ...category,
    itemCount: counts.get(category.id) ?? 0,
  }))
}

const firstCategories = [
  { id: 'wall-hangings', title: defaultTitles.wallHangings, color: '#c98a5e' },
  { id: 'plant-hangers', title: defaultTitles.plantHangers, color: '#7f9a72' },
  { id: 'bags', title: defaultTitles.bags, color: '#a08a5f' },
  { id: 'key-chains', title: defaultTitles.keyChains, color: '#c99a3f' },
  { id: 'coasters', title: defaultTitles.coasters, color: '#b5764f' },
  { id: 'more', title: defaultTitles.more, color: '#9a7391' },
]

/** Creates the default categories if the shop has no categories. Several processes may call this function at the same time. */
export async function ensureCategories({
  db,
  now,
}: Pick<AppServices, 'db' | 'now'>): Promise<void> {
  if (await db.selectFrom('categories').select('id').limit(1).executeTakeFirst()) return
  const at = now()
  await db
    .insertInto('categories')
    .values(
      firstCategories.map((category, position) => ({
        ...category,
        position,
        createdAt: at,
        firstCreatedAt: at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Lists the default categories that the owner has not changed, and that no item and no showcase record uses. */
export async function listUntouchedCategories(db: Db | Tx): Promise<string[]> {
  const rows = await db
    .selectFrom('categories')
    .select('id')
    .where(
      'id',
      'in',
      firstCategories.map(({ id }) => id),
    )
    .where('createdAt', '=', sql<number>`"firstCreatedAt"`)
    .where('pictureId', 'is', null)
    .where('id', 'not in', db.selectFrom('items').select('categoryId'))
    .where('id', 'not in', db.selectFrom('showcase').select('categoryId'))
    .execute()
  return rows.map((row) => row.id)
}
