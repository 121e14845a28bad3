import { data, href, redirect } from 'react-router'
import { listCategories, listColors } from '#app/features/catalog/catalog.server.ts'
import {
  deleteItem,
  saveItem,
  findEditedItem,
} from '#app/features/item-editor/edit-items.server.ts'
import { EditItemsPage } from '#app/features/item-editor/edit-items-page.tsx'
import {
  readFiles,
  readImages,
  parseRevision,
  parseItemForm,
  type ItemFormResult,
} from '#app/features/item-editor/item-form.ts'
import { duplicateItem, setForSale } from '#app/features/item-editor/item-state.server.ts'
import { itemFormTexts, itemListTexts, itemTexts } from '#app/features/item-editor/texts.ts'
import { parseListView } from '#app/features/item-editor/item-list.ts'
import { readItemList } from '#app/features/item-editor/item-list.server.ts'
import {
  requestInfoContext,
  appContext,
  userContext,
  type AppServices,
} from '#app/services/context.ts'
import { parseFormLenient, formText } from '#app/lib/http/form-data.server.ts'
import { respond, setFlash } from '#app/routes/action-response.server.ts'
import type { ActionResult } from '#app/ui/action-result.ts'
import type { Route } from './+types/items'

export const meta: Route.MetaFunction = () => [{ title: itemListTexts.title }]

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db } = app
  const [categories, colors] = [await listCategories(db), await listColors(db)]
  const item = params.itemid === undefined ? null : await findEditedItem(db, params.itemid)
  const list = await readItemList(app, {
    view: parseListView(url.searchParams),
    categories,
    current: item,
  })
  return { list, categories, colors, item, itemId: params.itemid ?? null }
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [app, info, actor] = [
    context.get(appContext),
    context.get(requestInfoContext),
    context.get(userContext)?.id ?? '',
  ]
  const form = await parseFormLenient(request)
  if (formText(form, 'intent') === 'delete') {
    const { status, ...result } = await remove(
      app,
      actor,
      params.itemid ?? '',
      formText(form, 'confirm') === 'Yes',
    )
    return respond(info, form, result, status)
  }
  if (formText(form, 'intent') === 'state') {
    const isForSale = formText(form, 'state') === 'listed'
    if (!(await setForSale(app, actor, params.itemid ?? '', isForSale)))
      return respond(info, form, goneResult, 404)
    return respond(info, form, {
      ok: true,
      toasts: [isForSale ? itemTexts.listed : itemTexts.retired],
    })
  }
  if (formText(form, 'intent') === 'duplicate') {
    const copy = await duplicateItem(app, actor, params.itemid ?? '')
    if (copy === null) return respond(info, form, goneResult, 404)
    setFlash(info, [itemTexts.duplicated])
    return redirect(href('/manage/item/:itemid?', { itemid: copy }), 303)
  }
  const [typed, images, files] = [parseItemForm(form), readImages(form), readFiles(form)]
  const [revision, keep] = [parseRevision(form, 'revision'), parseRevision(form, 'keep')]
  const saved = await saveItem(app, actor, {
    id: params.itemid ?? null,
    typed,
    images,
    files,
    revision,
    keep,
    state: formText(form, 'state'),
  })
  if (saved.ok) return respond(info, form, { ok: true, toasts: [saved.text] })
  const { status, ...rest } = saved
  const filesLost = files.length > 0
  const refusal: ItemFormResult = {
    toasts: [rest.error],
    typed,
    images,
    revision,
    filesLost,
    isGone: status === 404,
    ...rest,
  }
  // The response contains the typed values, so that the form keeps them even without JavaScript. [MERCH-22]
  return data(refusal, { status })
}

const goneResult: ActionResult = { ok: false, toasts: [itemFormTexts.noLongerThere] }

async function remove(
  app: AppServices,
  actor: string,
  id: string,
  isConfirmed: boolean,
): Promise<ActionResult & { status: number; deleted?: string }> {
  if (!isConfirmed) return { ok: false, toasts: [itemTexts.deleteCancelled], status: 409 }
  const failed = { ok: false, toasts: [itemTexts.deleteFailed] }
  try {
    if (!(await deleteItem(app, actor, id))) return { ...failed, status: 404 }
    return { ok: true, toasts: [itemTexts.deleted], status: 200, deleted: id }
  } catch (error) {
    app.log.error('an item could not be deleted', error)
    return { ...failed, status: 500 }
  }
}

export default function Merchandise({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditItemsPage
      {...loaderData}
      refused={actionData}
    />
  )
}
