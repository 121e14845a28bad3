import { href, redirect } from 'react-router'
import { listCategories, listColors } from '#catalog/catalog.server.ts'
import { findEditedItem } from '#item-editor/edit-items.server.ts'
import { EditItemsPage } from '#item-editor/edit-items-page.tsx'
import { handleItemForm, itemActions } from '#item-editor/item.actions.server.ts'
import type { ItemActionResult } from '#item-editor/item-form.ts'
import { itemListTexts } from '#item-editor/texts.ts'
import { parseListView } from '#item-editor/item-list.ts'
import { readItemList } from '#item-editor/item-list.server.ts'
import { appContext } from '#services/context.ts'
import { handleForm, handles } from '#lib/http/form-actions.server.ts'
import { parseFormLenient } from '#lib/http/form-data.server.ts'
import { readForm, respond, setFlash } from '#routes/action-response.server.ts'
import type { ActionOutcome } from '#ui/action-result.ts'
import type { Route } from './+types/items'

export const meta: Route.MetaFunction = () => [{ title: itemListTexts.title }]

export async function loader({ url, params, context }: Route.LoaderArgs) {
  const app = context.get(appContext)
  const { db } = app
  const categories = await listCategories(db)
  const colors = await listColors(db)
  const item = params.itemid === undefined ? null : await findEditedItem(db, params.itemid)
  const list = await readItemList(app, {
    view: parseListView(url.searchParams),
    categories,
    current: item,
  })
  return { list, categories, colors, item, itemId: params.itemid ?? null }
}

export async function action({ params, ...args }: Route.ActionArgs) {
  const { app, info, user, form, reply } = await readForm(args, parseFormLenient)
  const item = { app, actor: user!.id, itemId: params.itemid ?? null }
  if (handles(itemActions, form)) {
    const outcome: ActionOutcome<ItemActionResult> = await handleForm(itemActions, item, form)
    const { copyId, toasts = [] } = outcome.answer
    if (copyId === undefined) return reply(outcome)
    setFlash(info, toasts)
    return redirect(href('/manage/item/:itemid?', { itemid: copyId }), 303)
  }
  const outcome = await handleItemForm(item, form)
  // Without JavaScript, `reply` would redirect and lose the typed values of a refused form.
  return outcome.answer.ok ? reply(outcome) : respond(outcome)
}

export default function Merchandise({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <EditItemsPage
      {...loaderData}
      refused={actionData}
    />
  )
}
