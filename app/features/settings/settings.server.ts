/** The settings as the owner has changed them, kept as rows over the defaults. */
import type { Shop } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'
import type { Db, Tx } from '#db/tables.ts'
import { defaultSettings, defaultTalkSettings, everyDefault } from './default-settings.server.ts'
import type { ShopSettings, TalkSettings } from './shop-settings.ts'

async function readOver<Kind extends object>(db: Db | Tx, defaults: Kind): Promise<Kind> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const changed = rows.filter((row) => Object.hasOwn(defaults, row.key)).map((row) => [row.key, JSON.parse(row.value)])
  return { ...defaults, ...Object.fromEntries(changed) }
}

export const readSettings = (db: Db | Tx): Promise<ShopSettings> => readOver(db, defaultSettings)
/** For every page, from memory (040). */
export const readSettingsKept = (shop: Pick<Shop, 'db' | 'live'>): Promise<ShopSettings> =>
  keep(shop, ['settings'], 'settings', () => readSettings(shop.db))
export const readTalkSettings = (db: Db | Tx): Promise<TalkSettings> => readOver(db, defaultTalkSettings)
export const readEverySetting = (db: Db | Tx): Promise<ShopSettings & TalkSettings> => readOver(db, everyDefault)

export async function saveSettings(db: Db | Tx, changed: Partial<ShopSettings & TalkSettings>, now: number): Promise<void> {
  for (const [key, value] of Object.entries(changed)) {
    const row = { key, value: JSON.stringify(value), updatedAt: now }
    await db
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value, updatedAt: now }))
      .execute()
  }
}
