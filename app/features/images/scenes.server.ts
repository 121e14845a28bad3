/** The pictures of Home and About. Every shop starts with default pictures, and the owner may replace each default picture with a picture of her own. [OWN-06, OWN-10] */
import type { AppServices } from '#app/services/context.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { readSettingGroup, saveSettingGroup } from '#app/features/settings/settings.server.ts'
import type { WriteResult } from '#app/ui/action-result.ts'
import type { Db, Tx } from '#db/schema.ts'
import {
  deletePictureFiles,
  prepareUpload,
  removePictureRows,
  withPreparedImages,
} from './edit-images.server.ts'
import { toImageView } from './image-view.server.ts'
import type { SceneView } from './scene-form.tsx'
import { pictureErrorTexts, sceneFormTexts, sceneTexts } from './owner-texts.ts'

export const wallpaperScenes = { dark: 'wallpaper-dark', light: 'wallpaper-light' } as const
export const slideScenes = ['slide-1', 'slide-2', 'slide-3', 'slide-4', 'slide-5'] as const
/** If the owner has chosen no picture for one of these sections, the home page chooses a picture. [S-022] */
export const sectionScenes = ['section-1', 'section-2'] as const
type Scene = keyof typeof sceneTexts

const defaultPath = (scene: Scene) => `scenes/${scene}.avif`
export const defaultScenePaths = [...Object.values(wallpaperScenes), ...slideScenes].map(
  defaultPath,
)

/** Returns the name of the setting for a picture. The value of this setting is the id of the owner's own picture, or null for the default picture. */
const settingOf = (scene: Scene) => `scene-${scene}`

export async function readScenes(db: Db | Tx, wanted: readonly Scene[]): Promise<SceneView[]> {
  const none = Object.fromEntries(wanted.map((scene) => [settingOf(scene), null]))
  const own = await readSettingGroup<Record<string, string | null>>(db, none)
  const ids = Object.values(own).filter((id) => id !== null)
  const rows = await db
    .selectFrom('pictures')
    .select(['id', 'path', 'width', 'height', 'widths', 'placeholder'])
    .where((where) =>
      where.or([
        where('path', 'in', wanted.map(defaultPath)),
        ...(ids.length > 0 ? [where('id', 'in', ids)] : []),
      ]),
    )
    .execute()
  return wanted.map((scene) => {
    const chosen = rows.find(({ id }) => id === own[settingOf(scene)])
    const shown = chosen ?? rows.find(({ path }) => path === defaultPath(scene))
    return { scene, picture: shown ? toImageView(shown) : null, isDefault: !chosen }
  })
}

/** Replaces a picture of Home or About. If `file` is null, the page shows the default picture again. */
export async function changeScene(
  app: AppServices,
  actor: string,
  wanted: string,
  file: FormDataEntryValue | null,
): Promise<WriteResult> {
  if (!Object.hasOwn(sceneTexts, wanted)) return { ok: false, field: null }
  const scene = wanted as Scene
  const prepared = file === null ? null : await prepareUpload(app, 'scenes', file)
  if (prepared && !prepared.ok)
    return { ok: false, field: 'file', error: pictureErrorTexts[prepared.refusal] }
  const picture = prepared?.picture
  const [key, now] = [settingOf(scene), app.now()]
  const replaced = await withPreparedImages(app, picture ? [picture] : [], () =>
    inTransaction(app.db, async (tx) => {
      // This write locks the row of the setting, so that concurrent changes replace the picture one after the other.
      const { value } = await tx
        .insertInto('settings')
        .values({ key, value: 'null', updatedAt: now })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ updatedAt: now }))
        .returning('value')
        .executeTakeFirstOrThrow()
      if (picture) await app.images.keep(tx, picture)
      await saveSettingGroup(tx, { [key]: picture?.id ?? null }, now)
      await recordAuditEvent(tx, {
        at: now,
        actor,
        act: 'change-scene',
        subject: scene,
        name: sceneTexts[scene],
        detail: { path: picture?.path ?? defaultPath(scene) },
      })
      return removePictureRows(tx, [JSON.parse(value) as string | null])
    }),
  )
  app.live.changed('catalog')
  await deletePictureFiles(app, replaced)
  return { ok: true, toasts: [picture ? sceneFormTexts.saved : sceneFormTexts.defaultShown] }
}
