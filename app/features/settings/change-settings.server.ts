/** The owner's change of the shop's own words and addresses. */
import type { Shop } from '#app/platform/context.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { readEverySetting, saveSettings } from './settings.server.ts'
import type { ShopSettings, TalkSettings } from './shop-settings.ts'

type Every = ShopSettings & TalkSettings

/** S-029: only what differs is written, and what it was before stands in the history. */
export async function changeSettings(shop: Pick<Shop, 'db' | 'live' | 'now'>, actor: string, wanted: Partial<Every>): Promise<void> {
  const now = shop.now()
  const isChanged = await transact(shop.db, async (tx) => {
    const stored = await readEverySetting(tx)
    const changed = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => stored[key as keyof Every] !== value))
    if (Object.keys(changed).length === 0) return false
    await saveSettings(tx, changed, now)
    const before = Object.fromEntries(Object.keys(changed).map((key) => [key, stored[key as keyof Every]]))
    await recordAct(tx, { at: now, actor, act: 'change-settings', subject: '', detail: { before, after: changed } })
    return true
  })
  if (isChanged) shop.live.changed('settings')
}
