/** What the forms of the categories' page ask for. */
import type { Shop } from '#app/platform/context.ts'
import { textOf } from '#app/platform/form.server.ts'
import type { Answer } from '#app/ui/answer.ts'
import { changeCategoryPicture, saveCategory, type CategorySaved } from './edit-categories.server.ts'
import { orderCategories } from './order-categories.server.ts'

type Result = Answer & { status: number }

export async function actOnCategory(shop: Shop, actor: string, form: FormData): Promise<Result> {
  const [intent, id] = [textOf(form, 'intent'), textOf(form, 'id')]
  if (intent === 'save') return resultOf(await saveCategory(shop, actor, id, typedIn(form)))
  if (intent === 'picture') return resultOf(await changeCategoryPicture(shop, actor, id, form.get('file')))
  const by = { up: -1, down: 1 }[textOf(form, 'by')]
  if (intent === 'move' && (by === -1 || by === 1)) return found(await orderCategories(shop, actor, { id, by }))
  if (intent === 'order') {
    const wanted = form.getAll('order').filter((value) => typeof value === 'string')
    return found(await orderCategories(shop, actor, { wanted }))
  }
  // CATEGORY-05: nothing can be added.
  return { ok: false, status: 400 }
}

const found = (ok: boolean): Result => ({ ok, status: ok ? 200 : 404 })

function resultOf(saved: CategorySaved): Result {
  if (saved.ok) return { ok: true, status: 200, ...(saved.toasts.length > 0 && { toasts: saved.toasts }) }
  return saved.field === null ? found(false) : { ...saved, status: 422 }
}

/** Before script the form has a text and the browser's own picker for the colour: whichever was changed counts. */
function typedIn(form: FormData) {
  const [text, picked, was] = [textOf(form, 'color'), textOf(form, 'picked'), textOf(form, 'wasColor')]
  return {
    title: { value: textOf(form, 'title'), was: form.has('wasTitle') ? textOf(form, 'wasTitle') : null },
    color: { value: picked !== '' && text === was ? picked : text, was: was === '' ? null : was },
  }
}
