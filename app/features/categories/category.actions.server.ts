import { type ActionTable, type FormHandler, outcomeOf } from '#lib/http/form-actions.server.ts'
import { formText } from '#lib/http/form-data.server.ts'
import type { AppServices } from '#services/context.ts'
import { reorderAction } from '#lib/http/reorder-action.server.ts'
import { fileRefusals } from '#images/edit-images.server.ts'
import { sceneFormTexts } from '#images/owner-texts.ts'
import {
  changeCategoryImage,
  hideCategory,
  orderCategories,
  saveCategory,
} from './edit-categories.server.ts'
import { categoriesTexts, categoryFormTexts } from './texts.ts'

type CategoryContext = { app: AppServices; actor: string }

/** The page shows no text for 'failed', which the shop only logs. */
const categoryRefusals = {
  ...fileRefusals,
  'invalid-title': ({ error }: { error: string }) => ({ status: 422, field: 'title', error }),
  'no-color': { status: 422, field: 'color', error: categoryFormTexts.noColor },
  'not-found': { status: 404 },
  failed: { status: 500 },
}

const hideOrShow =
  (intent: 'hide' | 'show'): FormHandler<CategoryContext> =>
  async ({ app, actor }, form) => {
    const result = await hideCategory(app, actor, formText(form, 'id'), intent === 'hide')
    return outcomeOf(result, categoryRefusals, categoriesTexts.done[intent])
  }

const reorder = reorderAction<CategoryContext>(({ app, actor }, change) =>
  orderCategories(app, actor, change),
)

/** There is no `add`, because the owner cannot add categories. */
export const categoryActions: ActionTable<CategoryContext> = {
  async save({ app, actor }, form) {
    const result = await saveCategory(app, actor, formText(form, 'id'), parseTyped(form))
    const toasts = result.ok && result.value ? [categoryFormTexts.replaced(result.value)] : []
    return outcomeOf(result, categoryRefusals, ...toasts)
  },
  async image({ app, actor }, form) {
    const result = await changeCategoryImage(app, actor, formText(form, 'id'), form.get('file'))
    return outcomeOf(result, categoryRefusals, sceneFormTexts.saved)
  },
  order: reorder,
  move: reorder,
  hide: hideOrShow('hide'),
  show: hideOrShow('show'),
}

/** Without JavaScript, a text field and a color picker both send a color. Uses the changed one. */
function parseTyped(form: FormData) {
  const text = formText(form, 'color')
  const picked = formText(form, 'picked')
  const was = formText(form, 'wasColor')
  return {
    title: {
      value: formText(form, 'title'),
      was: form.has('wasTitle') ? formText(form, 'wasTitle') : null,
    },
    color: { value: picked !== '' && text === was ? picked : text, was: was === '' ? null : was },
  }
}
