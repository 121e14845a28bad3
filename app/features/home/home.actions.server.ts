import { z } from 'zod'
import { type ActionTable, confirmed, formAction } from '#lib/http/form-actions.server.ts'
import { listCategories } from '#catalog/catalog.server.ts'
import { sceneFormTexts } from '#images/owner-texts.ts'
import {
  fileRefusals,
  fileSchema,
  readScenes,
  sceneActions,
  wallpaperScenes,
  type PageContext,
} from '#images/scenes.server.ts'
import { hasItemOnSale } from '#pricing/price-sql.server.ts'
import { readPageTextSections, savePageTexts } from '#settings/page-texts.server.ts'
import type { AppServices } from '#services/context.ts'
import { notSavedText } from '#ui/texts.ts'
import { reorderAction } from '#lib/http/reorder-action.server.ts'
import { addCircle, orderRing, removeCircle, saveCircle } from './edit-showcase.server.ts'
import { homePageTexts } from './home-declarations.server.ts'
import { ringTexts as texts } from './owner-texts.ts'
import { listCircles, listSectionScenes } from './showcase.server.ts'

export async function readHomeEditor({ db }: AppServices) {
  const [sections, circles, categories, wallpapers, sectionImages, hasDiscounts] =
    await Promise.all([
      readPageTextSections(db, homePageTexts),
      listCircles(db),
      listCategories(db),
      readScenes(db, Object.values(wallpaperScenes)),
      listSectionScenes(db),
      hasItemOnSale(db),
    ])
  const others = categories
    .filter(({ id }) => !circles.some(({ categoryId }) => categoryId === id))
    .map(({ id, title }) => ({ id, title }))
  return { sections, circles, wallpapers, sectionImages, hasDiscounts, others }
}

export type HomeEditor = Awaited<ReturnType<typeof readHomeEditor>>

const MAX_TITLE_LENGTH = 100

const id = z.string().default('')
const circleTitle = z
  .string()
  .trim()
  .max(MAX_TITLE_LENGTH, texts.tooLong(MAX_TITLE_LENGTH))
  .default('')

const refusals = {
  ...fileRefusals,
  'not-found': { status: 404 },
  'no-category': { status: 422, field: 'categoryId', error: texts.noCategory },
  'last-circle': { status: 422, toasts: [texts.lastCircle] },
  failed: { status: 500, toasts: [notSavedText] },
}

const reorder = reorderAction<PageContext>(({ app, actor }, change) =>
  orderRing(app, actor, change),
)

export const homeActions: ActionTable<PageContext> = {
  ...sceneActions,
  save: ({ app, actor }, form) => savePageTexts(app, actor, form, homePageTexts),
  'save-circle': formAction({
    schema: z.object({ id, title: circleTitle, file: fileSchema }),
    run: ({ app, actor }: PageContext, { id, title, file }) =>
      saveCircle(app, actor, id, title, file),
    success: ({ value }) => (value?.hasNewImage ? sceneFormTexts.saved : []),
    refusals,
  }),
  'add-circle': formAction({
    schema: z.object({ categoryId: id }),
    run: ({ app, actor }: PageContext, { categoryId }) => addCircle(app, actor, categoryId),
    refusals,
  }),
  'remove-circle': confirmed(
    formAction({
      schema: z.object({ id }),
      run: ({ app, actor }: PageContext, { id }) => removeCircle(app, actor, id),
      refusals,
    }),
  ),
  move: reorder,
  order: reorder,
}
