import { defaultAboutTexts } from '#app/features/about/owner-texts.ts'
import { defaultHomeTexts } from '#app/features/home/owner-texts.ts'
import type { AppServices } from '#app/services/context.ts'
import { defaultSettings } from '#app/features/settings/setting-values.server.ts'
import {
  changeSettingGroup,
  readPaymentSettings,
  readSettingGroup,
  readSettings,
} from '#app/features/settings/settings.server.ts'

const pageTextKeys = Object.keys({ ...defaultHomeTexts, ...defaultAboutTexts })

const shownList = { isFirstStepsHidden: false }

export const hideFirstSteps = (app: AppServices, actor: string): Promise<void> =>
  changeSettingGroup(app, actor, shownList, { isFirstStepsHidden: true })

export type FirstStep =
  | 'name'
  | 'region'
  | 'contact'
  | 'texts'
  | 'categories'
  | 'colors'
  | 'piece'
  | 'payment'
  | 'email'
  | 'backup'

/** Returns the steps with which the owner sets up a new shop, in order. Returns null if all steps are done, or if the owner has hidden the list. [OWN-115, OWN-123] */
export async function readFirstSteps(
  app: AppServices,
): Promise<{ step: FirstStep; isDone: boolean }[] | null> {
  const { db, backup, outbox } = app
  if ((await readSettingGroup(db, shownList)).isFirstStepsHidden) return null
  const settings = await readSettings(db)
  const { category, color, piece, text, backedUp } = await db
    .selectNoFrom((eb) => [
      eb
        .exists(eb.selectFrom('categories').select('id').where('pictureId', 'is not', null))
        .as('category'),
      eb.exists(eb.selectFrom('colors').select('id')).as('color'),
      eb.exists(eb.selectFrom('items').select('id')).as('piece'),
      eb
        .exists(eb.selectFrom('settings').select('key').where('key', 'in', pageTextKeys))
        .as('text'),
      // A nightly backup does not count, because this step shows the owner how to make a backup by hand.
      eb
        .exists(
          eb
            .selectFrom('backups')
            .select('id')
            .where('reason', '=', 'by-hand')
            .where('finishedAt', 'is not', null)
            .where('error', 'is', null),
        )
        .as('backedUp'),
    ])
    .executeTakeFirstOrThrow()
  const isDone: Record<FirstStep, unknown> = {
    name: settings.ownerName,
    region: settings.timeZone,
    contact: settings.email || settings.phone || settings.facebook || settings.instagram,
    texts: text || settings.terms !== defaultSettings.terms,
    categories: category,
    colors: color,
    piece,
    payment: Object.entries(await readPaymentSettings(db)).some(
      ([key, value]) => key !== 'depositPercent' && value !== '',
    ),
    email: await outbox.canSend(),
    backup: backedUp || backup.copyDatabase === null,
  }
  const steps = (Object.keys(isDone) as FirstStep[]).map((step) => ({
    step,
    isDone: Boolean(isDone[step]),
  }))
  return steps.every((step) => step.isDone) ? null : steps
}
