import type { AppServices } from '#app/services/context.ts'
import { formText } from '#app/lib/http/form-data.server.ts'
import { changeScene, readScenes, slideScenes } from '#app/features/images/scenes.server.ts'
import { savePageTexts } from '#app/features/settings/page-texts.server.ts'
import { type ActionOutcome, refused, writeOutcome } from '#app/ui/action-result.ts'
import { AboutTextsSchema, readAboutTexts } from './about.server.ts'
import { defaultAboutTexts } from './owner-texts.ts'

export async function readAboutEditor({ db }: AppServices) {
  const [texts, scenes] = await Promise.all([readAboutTexts(db), readScenes(db, slideScenes)])
  return { texts, scenes }
}

export async function handleAboutAction(
  app: AppServices,
  actor: string,
  form: FormData,
): Promise<ActionOutcome> {
  const [intent, scene] = [formText(form, 'intent'), formText(form, 'scene')]
  if (intent === 'save') return savePageTexts(app, actor, form, defaultAboutTexts, AboutTextsSchema)
  if (intent === 'picture')
    return writeOutcome(await changeScene(app, actor, scene, form.get('file') ?? ''))
  if (intent === 'default-picture') return writeOutcome(await changeScene(app, actor, scene, null))
  return refused(400)
}
