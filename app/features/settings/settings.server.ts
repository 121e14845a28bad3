import type { Shop } from '#app/platform/context.ts'
import { keep } from '#app/platform/kept.server.ts'
import type { Db, Tx } from '#db/schema.ts'
import { recordAct } from '#app/platform/audit.server.ts'
import { transact } from '#app/platform/transact.server.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { type ShopSettings, type TalkSettings, NO_CITY, NO_OWNER } from './shop-settings.ts'
import { z } from 'zod'

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
const readEverySetting = (db: Db | Tx): Promise<ShopSettings & TalkSettings> => readOver(db, everyDefault)

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

export const defaultSettings: ShopSettings = {
  name: 'Knots & Love',
  city: NO_CITY,
  ownerName: NO_OWNER,
  email: 'owner@example.com',
  phone: '555 010 0000',
  facebookHandle: '@knotsandlove',
  facebookUrl: 'https://www.facebook.com/knotsandlove',
  instagramHandle: '@knotsandlove',
  instagramUrl: 'https://www.instagram.com/knotsandlove',
  isPromoShown: true,
  terms:
    'Every piece is made by hand, so small differences in color and size are part of it. A price is agreed in the conversation before work begins. Pieces can be returned within 14 days, unless they were made to your own measure.',
  thankYouLetter:
    'Thank you for letting something made by my hands into your home. Every knot in it was tied for you, with care and with joy. If anything is not as you hoped, write to me and I will make it right.',
}

const defaultTalkSettings: TalkSettings = { reminderMinutes: 15, awayFrom: '', awayUntil: '', awayText: '' }

const everyDefault: ShopSettings & TalkSettings = { ...defaultSettings, ...defaultTalkSettings }

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

/** The address in the settings, or as long as that is a placeholder the one she signs in with. */
export async function ownersAddress(db: Db | Tx): Promise<string> {
  const { email } = await readSettings(db)
  if (email !== defaultSettings.email) return email
  return (await db.selectFrom('user').select('email').where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()).email
}

const line = (name: string, max = 100) =>
  z.string().trim().min(1, `Please fill in the ${name}`).max(max, `Please keep the ${name} under ${max} characters`)
const text = (name: string) => line(name, 10_000)
const address = (name: string) =>
  line(name, 300).refine((typed) => /^https:\/\//.test(typed) && URL.canParse(typed), `Please give the ${name} as https://…`)

export const SettingsInput = z.object({
  name: line('name'),
  city: line('city'),
  ownerName: line("owner's name"),
  email: z.string().trim().max(254, 'Please provide a valid Email').pipe(z.email('Please provide a valid Email')),
  phone: line('phone number', 40),
  facebookHandle: line('Facebook handle'),
  facebookUrl: address('Facebook page'),
  instagramHandle: line('Instagram handle'),
  instagramUrl: address('Instagram page'),
  isPromoShown: z.boolean(),
  terms: text('Terms and Conditions'),
  thankYouLetter: text('thank-you letter'),
}) satisfies z.ZodType<ShopSettings>
