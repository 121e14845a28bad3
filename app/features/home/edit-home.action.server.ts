import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { changeScene, readScenes, wallpaperScenes } from '#app/features/images/scenes.server.ts'
import { hasItemOnSale } from '#app/features/pricing/price-sql.server.ts'
import { savePageTexts } from '#app/features/settings/page-texts.server.ts'
import { listCategories } from '#app/features/catalog/catalog.server.ts'
import { type ActionOutcome, writeOutcome } from '#app/ui/action-result.ts'
import { handleRingAction } from './edit-showcase.server.ts'
import { HomeTextsSchema, readHomeTexts } from './home-texts.server.ts'
import { defaultHomeTexts } from './owner-texts.ts'
import { listCircles, listSectionScenes } from './showcase.server.ts'

export async function readHomeEditor({ db }: AppServices) {
  const [texts, circles, categories, wallpapers, sections, hasDiscounts] = await Promise.all([
    readHomeTexts(db),
    listCircles(db),
    listCategories(db),
    readScenes(db, Object.values(wallpaperScenes)),
    listSectionScenes(db),
    hasItemOnSale(db),
  ])
  const others = categories.filter(({ id }) => !circles.some(({ categoryId }) => categoryId === id))
  return {
    texts,
    circles,
    wallpapers,
    sections,
    hasDiscounts,
    others: others.map(({ id, title }) => ({ id, title })),
  }
}

export async function handleHomeAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const intent = formText(form, 'intent')
  if (intent === 'save') return savePageTexts(app, actor, form, defaultHomeTexts, HomeTextsSchema)
  const scene = formText(form, 'scene')
  if (intent === 'picture')
    return writeOutcome(await changeScene(app, actor, scene, form.get('file') ?? ''))
  if (intent === 'default-picture') return writeOutcome(await changeScene(app, actor, scene, null))
  return handleRingAction(app, actor, form)
}
