/** The settings as the owner has changed them, kept as rows over the defaults. */
import type { Db, Tx } from '#db/tables.ts'
import { defaultSettings, type ShopSettings } from './shop-settings.ts'

export async function readSettings(db: Db | Tx): Promise<ShopSettings> {
  const rows = await db.selectFrom('settings').select(['key', 'value']).execute()
  const changed = rows.filter((row) => row.key in defaultSettings).map((row) => [row.key, JSON.parse(row.value)])
  return { ...defaultSettings, ...Object.fromEntries(changed) }
}

export async function saveSettings(db: Db | Tx, changed: Partial<ShopSettings>, now: number): Promise<void> {
  for (const [key, value] of Object.entries(changed)) {
    const row = { key, value: JSON.stringify(value), updatedAt: now }
    await db
      .insertInto('settings')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value: row.value, updatedAt: now }))
      .execute()
  }
}
