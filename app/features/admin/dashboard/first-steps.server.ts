import { aboutPageTexts } from '#about/about.server.ts'
import { homePageTexts } from '#home/home-declarations.server.ts'
import type { AppServices } from '#services/context.ts'
import { defaultSettings } from '#settings/setting-declarations.server.ts'
import {
  changeSettingGroup,
  readPaymentSettings,
  readSettingGroup,
  readSettings,
} from '#settings/settings.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { findUser } from '#services/users.server.ts'
import type { FirstStep } from './texts.ts'

const pageTextKeys = Object.keys({ ...homePageTexts.defaults, ...aboutPageTexts.defaults })

const firstStepsSetting = { isFirstStepsHidden: false }

export const hideFirstSteps = (app: AppServices, actor: string) =>
  changeSettingGroup(app, actor, firstStepsSetting, { isFirstStepsHidden: true })

export async function readFirstSteps({ db, backup, outbox }: AppServices) {
  if ((await readSettingGroup(db, firstStepsSetting)).isFirstStepsHidden) return null
  const settings = await readSettings(db)
  const { category, categoryWithoutImage, color, piece, text, backedUp } = await db
    .selectNoFrom(({ exists, selectFrom }) => [
      exists(selectFrom('categories').select('id').where('imageId', 'is not', null)).as('category'),
      exists(
        selectFrom('categories')
          .innerJoin('items', 'items.categoryId', 'categories.id')
          .select('categories.id')
          .where('categories.imageId', 'is', null)
          .where('items.state', '=', 'listed'),
      ).as('categoryWithoutImage'),
      exists(selectFrom('colors').select('id')).as('color'),
      exists(selectFrom('items').select('id')).as('piece'),
      exists(selectFrom('settings').select('key').where('key', 'in', pageTextKeys)).as('text'),
      exists(
        selectFrom('backups')
          .select('id')
          .where('reason', '=', 'by-hand')
          .where('finishedAt', 'is not', null)
          .where('error', 'is', null),
      ).as('backedUp'),
    ])
    .executeTakeFirstOrThrow()
  const isDone: Record<FirstStep, unknown> = {
    name: settings.ownerName,
    region: settings.timeZone,
    contact: settings.email || settings.phone || settings.facebook || settings.instagram,
    texts: text || settings.terms !== defaultSettings.terms,
    categories: category && !categoryWithoutImage,
    colors: color,
    piece,
    payment: Object.entries(await readPaymentSettings(db)).some(
      ([key, value]) => key !== 'depositPercent' && value !== '',
    ),
    email: await outbox.canSend(),
    backup: backedUp || backup.copyDatabase === null,
    recovery: (await findUser(db, OWNER_ID))?.twoFactorEnabled,
  }
  const steps = (Object.keys(isDone) as FirstStep[]).map((step) => ({
    step,
    isDone: Boolean(isDone[step]),
  }))
  return steps.every((step) => step.isDone) ? null : steps
}
