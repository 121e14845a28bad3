import type { AppServices } from '#app/services/context.ts'
import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { inTransaction } from '#app/lib/db/transaction.server.ts'
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { currencyOf, type ShopSettings, type MessagingSettings } from './shop-settings.ts'
import type { PaymentSettings } from './payment-settings.ts'
import {
  defaultMessagingSettings,
  defaultPaymentSettings,
  defaultSettings,
  SettingsSchema,
} from './setting-values.server.ts'

/** Parses a stored setting. Returns undefined if the text is not JSON. */
function parseStored(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

/** Reads the settings that `defaults` contains. If a stored setting is missing or damaged, returns its default. Each feature can have its own group of settings. [OWN-119] */
export async function readSettingGroup<Group extends object>(
  db: Db | Tx,
  defaults: Group,
): Promise<Group> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const isSound = ([key, value]: [keyof Group, unknown]) =>
    defaults[key] === null || typeof value === typeof defaults[key]
  const stored = rows
    .filter(({ key }) => Object.hasOwn(defaults, key))
    .map((row) => [row.key, parseStored(row.value)] as [keyof Group, unknown])
  return { ...defaults, ...Object.fromEntries(stored.filter(isSound)) }
}

/** The shop also checks these settings when it reads them, because an invalid value would break pages. */
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

export async function readSettings(db: Db | Tx): Promise<ShopSettings> {
  const stored = await readSettingGroup(db, defaultSettings)
  const checked = checkedKeys.map((key) => [
    key,
    SettingsSchema.shape[key].safeParse(stored[key]).data ?? defaultSettings[key],
  ])
  return { ...stored, ...Object.fromEntries(checked) }
}
export const getSettingsCached = (app: Pick<AppServices, 'db' | 'live'>): Promise<ShopSettings> =>
  cached(app, ['settings'], 'settings', () => readSettings(app.db))

/** Returns the app services with the currency and the time zone from the settings. Uses SHOP_TIME_ZONE if the owner has not chosen a time zone. [OWN-35, OWN-39] */
export async function withRegionalSettings(app: AppServices): Promise<AppServices> {
  const settings = await getSettingsCached(app)
  return Object.create(app, {
    timeZone: { value: settings.timeZone || app.defaultTimeZone, enumerable: true },
    currency: { value: currencyOf(settings), enumerable: true },
  })
}

export const readMessagingSettings = (db: Db | Tx): Promise<MessagingSettings> =>
  readSettingGroup(db, defaultMessagingSettings)

/** Returns the payment settings. Visitors must not see these settings. [AGREE-40] */
export const readPaymentSettings = (db: Db | Tx): Promise<PaymentSettings> =>
  readSettingGroup(db, defaultPaymentSettings)

type AllSettings = ShopSettings & MessagingSettings & PaymentSettings

export async function saveSettings(
  db: Db | Tx,
  changed: Partial<AllSettings>,
  now: number,
): Promise<void> {
  await saveSettingGroup(db, changed, now)
}

export async function saveSettingGroup(db: Db | Tx, changed: object, now: number): Promise<void> {
  for (const [key, value] of Object.entries(changed)) {
    const row = { key, value: JSON.stringify(value), updatedAt: now }
    await db
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) =>
        conflict.column('key').doUpdateSet({ value: row.value, updatedAt: now }),
      )
      .execute()
  }
}

const allDefaults: AllSettings = {
  ...defaultSettings,
  ...defaultMessagingSettings,
  ...defaultPaymentSettings,
}

export const changeSettings = (
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  actor: string,
  changes: Partial<AllSettings>,
): Promise<void> => changeSettingGroup(app, actor, allDefaults, changes)

/** Saves the changed settings, and records their old and new values in the audit log. [S-029] */
export async function changeSettingGroup<Group extends object>(
  app: Pick<AppServices, 'db' | 'live' | 'now'>,
  actor: string,
  defaults: Group,
  changes: Partial<Group>,
): Promise<void> {
  const now = app.now()
  const isChanged = await inTransaction(app.db, async (tx) => {
    const stored = (await readSettingGroup<object>(tx, defaults)) as Record<string, unknown>
    const changed = Object.fromEntries(
      Object.entries(changes).filter(
        ([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(value),
      ),
    )
    if (Object.keys(changed).length === 0) return false
    await saveSettingGroup(tx, changed, now)
    // The owner's name is also saved in her account, so that she types her name only once. [OWN-116]
    if (typeof changed.ownerName === 'string')
      await tx
        .updateTable('user')
        .set({ name: changed.ownerName })
        .where('id', '=', ADMIN_ID)
        .execute()
    const before = Object.fromEntries(Object.keys(changed).map((key) => [key, stored[key]]))
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

/** Returns the email address from the settings, or the email address of the owner's account if the settings contain none. */
export async function ownerEmail(db: Db | Tx): Promise<string> {
  const { email } = await readSettings(db)
  if (email) return email
  return (
    await db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  ).email
}
