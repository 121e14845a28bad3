/** Writing the categories (CATEGORY-07, CATEGORY-08, decision 019). A failure throws; the route logs it and shows nothing (CATEGORY-12). */
import { sql } from 'kysely'
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import { type ActionResult, type Saved, foundResult, refused, savedResult } from '#app/ui/answer.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { changeWithPicture, preparePicked } from '#app/features/images/edit-pictures.server.ts'
import { shortPickTexts } from '#app/features/images/picture-upload.ts'
import type { Db, Tx } from '#db/schema.ts'
import { NO_COLOR, orderAfter, orderAfterStep, readThemeColor, refuseTitle } from './category.ts'

export async function handleCategoryAction(shop: Shop, actor: string, form: FormData): Promise<ActionResult> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  if (intent === 'save') return savedResult(await saveCategory(shop, actor, id, typedIn(form)))
  if (intent === 'picture') return savedResult(await changeCategoryPicture(shop, actor, id, form.get('file')))
  const by = { up: -1, down: 1 }[textOf(form, 'by')]
  if (intent === 'move' && (by === -1 || by === 1)) return foundResult(await orderCategories(shop, actor, { id, by }))
  if (intent === 'order') {
    const wanted = form.getAll('order').filter((value) => typeof value === 'string')
    return foundResult(await orderCategories(shop, actor, { wanted }))
  }
  // CATEGORY-05: nothing can be added.
  return refused(400)
}

/** Before script the form has a text and the browser's own picker for the colour: whichever was changed counts. */
function typedIn(form: FormData) {
  const [text, picked, was] = [textOf(form, 'color'), textOf(form, 'picked'), textOf(form, 'wasColor')]
  return {
    title: { value: textOf(form, 'title'), was: form.has('wasTitle') ? textOf(form, 'wasTitle') : null },
    color: { value: picked !== '' && text === was ? picked : text, was: was === '' ? null : was },
  }
}

type Typed = { value: string; was: string | null }

export const replacedText = (title: string) => `Saved over “${title}”, which another window had just saved`

/** CATEGORY-07: a field that was not changed stays as it is stored, whoever changed it meanwhile. */
async function saveCategory(shop: Shop, actor: string, id: string, typed: { title: Typed; color: Typed }): Promise<Saved> {
  const [title, color] = [typed.title.value.trim(), readThemeColor(typed.color.value)]
  const refusal = refuseTitle(title)
  if (refusal) return { ok: false, field: 'title', error: refusal }
  if (!color) return { ok: false, field: 'color', error: NO_COLOR }
  const { was } = typed.title
  let toasts: string[] = []
  const isThere = await changeWithPicture(shop, 'categories', id, null, async (tx) => {
    const before = await tx.selectFrom('categories').select(['title', 'color']).where('id', '=', id).executeTakeFirstOrThrow()
    const after = { title: title === was ? before.title : title, color: color === typed.color.was ? before.color : color }
    await tx.updateTable('categories').set(after).where('id', '=', id).execute()
    await recordAct(tx, { at: shop.now(), actor, act: 'save-category', subject: id, detail: { ...after, before, after } })
    const isOver = was !== null && ![was, before.title].includes(title) && before.title !== was
    toasts = isOver ? [replacedText(before.title)] : []
  })
  return isThere ? { ok: true, toasts } : { ok: false, field: null }
}

async function changeCategoryPicture(shop: Shop, actor: string, id: string, file: FormDataEntryValue | null): Promise<Saved> {
  const prepared = await preparePicked(shop, 'category', file)
  if (!prepared.ok) return { ok: false, field: 'file', error: shortPickTexts[prepared.refusal] }
  const { picture } = prepared
  const isThere = await changeWithPicture(shop, 'categories', id, picture, async (tx) => {
    const { title: name } = await tx.selectFrom('categories').select('title').where('id', '=', id).executeTakeFirstOrThrow()
    await recordAct(tx, { at: shop.now(), actor, act: 'change-category-picture', subject: id, name, detail: { path: picture.path } })
  })
  return isThere ? { ok: true } : { ok: false, field: null }
}

type Reorder = { wanted: string[] } | { id: string; by: -1 | 1 }

/**
 * The whole order is written in one transaction, so that of two wishes at once one is what stays. Home's ring follows: its records keep their
 * places on it and change who stands there. false: it names a category that is not there.
 */
export async function orderCategories(shop: Shop, actor: string, reorder: Reorder): Promise<boolean> {
  const done = await transact(shop.db, async (tx) => {
    const present = await lockOrder(tx)
    if ('id' in reorder && !present.includes(reorder.id)) return null
    const order = 'id' in reorder ? orderAfterStep(present, reorder.id, reorder.by) : orderAfter(present, reorder.wanted)
    if (order.every((id, at) => id === present[at])) return 'same'
    for (const [position, id] of order.entries()) await tx.updateTable('categories').set({ position }).where('id', '=', id).execute()
    await orderShowcase(tx)
    await recordAct(tx, { at: shop.now(), actor, act: 'order-categories', subject: 'category', detail: { order } })
    return 'changed'
  })
  if (done === 'changed') shop.live.changed('catalogue')
  return done !== null
}

/** The present order. Whoever writes the first row has the order to himself until the end of the transaction. */
async function lockOrder(tx: Tx): Promise<string[]> {
  const first = tx.selectFrom('categories').select((c) => c.fn.min('id').as('id'))
  await tx
    .updateTable('categories')
    .set((c) => ({ position: c.ref('position') }))
    .where('id', '=', first)
    .execute()
  const rows = await tx.selectFrom('categories').select('id').orderBy('position').orderBy('title').execute()
  return rows.map(({ id }) => id)
}

/** S-020: a record's `deg` is its place on the ring; the places stay, the records take them in the order of their categories. */
async function orderShowcase(tx: Tx): Promise<void> {
  const places = await tx.selectFrom('showcase').select(['id', 'deg', 'position']).orderBy('position').orderBy('id').execute()
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

const firstCategories = [
  { id: 'wall-hangings', title: 'Wall Hangings', color: '#c98a5e' },
  { id: 'plant-hangers', title: 'Plant Hangers', color: '#7f9a72' },
  { id: 'bags', title: 'Bags', color: '#a08a5f' },
  { id: 'key-chains', title: 'Key Chains', color: '#c99a3f' },
  { id: 'coasters', title: 'Coasters', color: '#b5764f' },
  { id: 'more', title: 'More', color: '#9a7391' },
]

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
