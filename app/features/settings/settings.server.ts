import type { AppServices } from '#services/context.ts'
import { cached } from '#lib/db/topic-cache.server.ts'
import type { Db } from '#db/schema.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { inTransaction } from '#lib/db/transaction.server.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { currencyOf, defaultMessagingSettings } from './shop-settings.ts'
import {
  defaultPaymentSettings,
  defaultSettings,
  shopDeclarations,
  type ShopSettings,
} from './setting-declarations.server.ts'

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

export async function readSettingGroup<Group extends object>(
  db: Db,
  defaults: Group,
): Promise<Group> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const isSound = ([key, value]: [keyof Group, unknown]) =>
    defaults[key] === null || typeof value === typeof defaults[key]
  const values = rows
    .filter(({ key }) => Object.hasOwn(defaults, key))
    .map((row) => [row.key, parseJson(row.value)] as [keyof Group, unknown])
  return { ...defaults, ...Object.fromEntries(values.filter(isSound)) }
}

const checkedKeys = [
  'accent',
  'defaultTheme',
  'currencyCode',
  'currencyPosition',
  'paperSize',
  'timeZone',
  'sizeUnits',
  'facebook',
  'instagram',
] as const

export async function readSettings(db: Db): Promise<ShopSettings> {
  const settings = await readSettingGroup(db, defaultSettings)
  const checked = checkedKeys.map((key) => [
    key,
    shopDeclarations[key].schema.safeParse(settings[key]).data ?? defaultSettings[key],
  ])
  return { ...settings, ...Object.fromEntries(checked) }
}

export const getSettingsCached = (app: Pick<AppServices, 'db' | 'live'>) =>
  cached(app, ['settings'], 'settings', () => readSettings(app.db))

export async function withRegionalSettings(app: AppServices) {
  const settings = await getSettingsCached(app)
  return {
    ...app,
    timeZone: settings.timeZone || app.defaultTimeZone,
    currency: currencyOf(settings),
  }
}

export const readMessagingSettings = (db: Db) => readSettingGroup(db, defaultMessagingSettings)

/** Visitors must not see the payment settings. [AGREE-40] */
export const readPaymentSettings = (db: Db) => readSettingGroup(db, defaultPaymentSettings)

const allDefaults = {
  ...defaultSettings,
  ...defaultMessagingSettings,
  ...defaultPaymentSettings,
}
type SettingChanges = Partial<typeof allDefaults>

export const saveSettings = (db: Db, changed: SettingChanges, now: number) =>
  saveSettingGroup(db, changed, now)

export async function saveSettingGroup(db: Db, changed: object, now: number) {
  for (const [key, value] of Object.entries(changed)) {
    const columns = { value: JSON.stringify(value), updatedAt: now }
    await db
      .insertInto('settings')
      .values({ key, ...columns })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
      .execute()
  }
}

type SettingServices = Pick<AppServices, 'db' | 'live' | 'now'>

export const changeSettings = (app: SettingServices, actor: string, changes: SettingChanges) =>
  changeSettingGroup(app, actor, allDefaults, changes)

export async function changeSettingGroup<Group extends object>(
  app: SettingServices,
  actor: string,
  defaults: Group,
  changes: Partial<Group>,
) {
  const now = app.now()
  const isChanged = await inTransaction(app.db, async (tx) => {
    const values = (await readSettingGroup<object>(tx, defaults)) as Record<string, unknown>
    const changed = Object.fromEntries(
      Object.entries(changes).filter(
        ([key, value]) => JSON.stringify(values[key]) !== JSON.stringify(value),
      ),
    )
    if (Object.keys(changed).length === 0) return false
    await saveSettingGroup(tx, changed, now)
    if (typeof changed.ownerName === 'string') {
      await tx
        .updateTable('user')
        .set({ name: changed.ownerName })
        .where('id', '=', OWNER_ID)
        .execute()
    }
    const before = Object.fromEntries(Object.keys(changed).map((key) => [key, values[key]]))
    await recordAuditEvent(tx, {
      at: now,
      actor,
      act: 'change-settings',
      subject: '',
      detail: { before, after: changed },
    })
    return true
  })
  if (isChanged) app.live.changed('settings')
}

export async function ownerEmail(db: Db) {
  const settings = await readSettings(db)
  if (settings.email) return settings.email
  const owner = await db
    .selectFrom('user')
    .select('email')
    .where('id', '=', OWNER_ID)
    .executeTakeFirstOrThrow()
  return owner.email
}
