import { data } from 'react-router'
import { listCategories, listColors } from '#app/features/catalog/catalog.server.ts'
import { deleteItem, saveItem, findEditedItem } from '#app/features/item-editor/edit-items.server.ts'
import { EditItemsPage } from '#app/features/item-editor/edit-items-page.tsx'
import { itemTexts, readFiles, readImages, readRevision, readTypedItem, type ItemRefused } from '#app/features/item-editor/item-input.ts'
import { readListView } from '#app/features/item-editor/item-list.ts'
import { readItemList } from '#app/features/item-editor/item-list.server.ts'
import { pageContext, shopContext, userContext, type Shop } from '#app/platform/context.ts'
import { readForm, textOf } from '#app/platform/form.server.ts'
import { answer } from '#app/routes/answer.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import type { Route } from './+types/item'

export const meta: Route.MetaFunction = () => [{ title: 'Merchandise' }]

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const { db } = context.get(shopContext)
  const [categories, colors] = [await listCategories(db), await listColors(db)]
  const item = params.itemid === undefined ? null : await findEditedItem(db, params.itemid)
  const list = await readItemList(db, { view: readListView(url.searchParams), categories, current: item })
  return { list, categories, colors, item, itemId: params.itemid ?? null }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [shop, page, actor] = [context.get(shopContext), context.get(pageContext), context.get(userContext)?.id ?? '']
  const form = await readForm(request)
  if (textOf(form, 'intent') === 'delete') {
    const { status, ...result } = await remove(shop, actor, params.itemid ?? '', textOf(form, 'confirm') === 'Yes')
    return answer(page, form, result, status)
  }
  const [typed, images, files] = [readTypedItem(form), readImages(form), readFiles(form)]
  const [revision, keep] = [readRevision(form, 'revision'), readRevision(form, 'keep')]
  const saved = await saveItem(shop, actor, { id: params.itemid ?? null, typed, images, files, revision, keep })
  if (saved.ok) return answer(page, form, { ok: true, toasts: [saved.text] })
  const { status, ...told } = saved
  const filesLost = files.length > 0
  const refusal: ItemRefused = { toasts: [told.error], typed, images, revision, filesLost, isGone: status === 404, ...told }
  // Not by answer(): without script, too, everything typed is kept (MERCH-22).
  return data(refusal, { status })
}

async function remove(shop: Shop, actor: string, id: string, isConfirmed: boolean): Promise<Answer & { status: number; deleted?: string }> {
  if (!isConfirmed) return { ok: false, toasts: [itemTexts.deleteCancelled], status: 409 }
  const failed = { ok: false, toasts: [itemTexts.deleteFailed] }
  try {
    if (!(await deleteItem(shop, actor, id))) return { ...failed, status: 404 }
    return { ok: true, toasts: [itemTexts.deleted], status: 200, deleted: id }
  } catch (error) {
    shop.log.error('an item could not be deleted', error)
    return { ...failed, status: 500 }
  }
}

export default function Merchandise({ loaderData, actionData }: Route.ComponentProps) {
  return <EditItemsPage {...loaderData} refused={actionData} />
}
