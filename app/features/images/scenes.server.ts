import { z } from 'zod'
import type { AppServices } from '#services/context.ts'
import { type ActionTable, formAction } from '#lib/http/form-actions.server.ts'
import { readSettingGroup, saveSettingGroup } from '#settings/settings.server.ts'
import { refuse } from '#lib/refusal.ts'
import type { Db } from '#db/schema.ts'
import { changeImages, fileRefusalsWith } from './edit-images.server.ts'
import { toImageView } from './image-view.server.ts'
import type { SceneView } from './scene-form.tsx'
import { imageErrorTexts, sceneFormTexts, sceneTexts } from './owner-texts.ts'

export const wallpaperScenes = { dark: 'wallpaper-dark', light: 'wallpaper-light' } as const
export const slideScenes = ['slide-1', 'slide-2', 'slide-3', 'slide-4', 'slide-5'] as const
/** Home chooses an image if the owner has set none. [S-022] */
export const sectionScenes = ['section-1', 'section-2'] as const
type Scene = keyof typeof sceneTexts

const defaultPath = (scene: Scene) => `scenes/${scene}.avif`
export const defaultScenePaths = [...Object.values(wallpaperScenes), ...slideScenes].map(
  defaultPath,
)

const settingOf = (scene: Scene) => `scene-${scene}`

export async function readScenes(db: Db, scenes: readonly Scene[]): Promise<SceneView[]> {
  const none = Object.fromEntries(scenes.map((scene) => [settingOf(scene), null]))
  const ownIds = await readSettingGroup<Record<string, string | null>>(db, none)
  const ids = Object.values(ownIds).filter((id) => id !== null)
  const rows = await db
    .selectFrom('images')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('path', 'in', scenes.map(defaultPath)),
        ...(ids.length > 0 ? [eb('id', 'in', ids)] : []),
      ]),
    )
    .execute()
  return scenes.map((scene) => {
    const ownImage = rows.find(({ id }) => id === ownIds[settingOf(scene)])
    const image = ownImage ?? rows.find(({ path }) => path === defaultPath(scene))
    return { scene, image: image ? toImageView(image) : null, isDefault: !ownImage }
  })
}

async function changeScene(
  app: AppServices,
  actor: string,
  name: string,
  file: FormDataEntryValue | null,
) {
  if (!Object.hasOwn(sceneTexts, name)) return refuse('not-found')
  const scene = name as Scene
  const key = settingOf(scene)
  const upload = file === null ? null : { folder: 'scenes' as const, file }
  const failure = 'an image of a page could not be changed'
  return changeImages(app, { failure, upload }, async (tx, now, image) => {
    // The write locks the row, so that concurrent changes replace the image one after the other.
    const { value } = await tx
      .insertInto('settings')
      .values({ key, value: 'null', updatedAt: now })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ updatedAt: now }))
      .returning('value')
      .executeTakeFirstOrThrow()
    await saveSettingGroup(tx, { [key]: image?.id ?? null }, now)
    return {
      audit: {
        actor,
        act: 'change-scene',
        subject: scene,
        name: sceneTexts[scene],
        detail: { path: image?.path ?? defaultPath(scene) },
      },
      topics: ['catalog'],
      unused: [JSON.parse(value) as string | null],
    }
  })
}

export type PageContext = { app: AppServices; actor: string }

export const fileSchema = z.custom<FormDataEntryValue>().optional()
const scene = z.string().default('')

export const fileRefusals = fileRefusalsWith(imageErrorTexts)
const refusals = { ...fileRefusals, 'not-found': { status: 404 } }

export const sceneActions: ActionTable<PageContext> = {
  image: formAction({
    schema: z.object({ scene, file: fileSchema }),
    run: ({ app, actor }: PageContext, { scene, file = '' }) =>
      changeScene(app, actor, scene, file),
    success: sceneFormTexts.saved,
    refusals,
  }),
  'default-image': formAction({
    schema: z.object({ scene }),
    run: ({ app, actor }: PageContext, { scene }) => changeScene(app, actor, scene, null),
    success: sceneFormTexts.defaultShown,
    refusals,
  }),
}
