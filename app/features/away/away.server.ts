/** Whether the owner is away at this moment. */
import { readTalkSettings } from '#app/features/settings/settings.server.ts'
import type { Shop } from '#app/platform/context.ts'
import { awayNow, type Away } from './away.ts'

/** S-185 */
export const readAway = async ({ db, now, timeZone }: Pick<Shop, 'db' | 'now' | 'timeZone'>): Promise<Away | null> =>
  awayNow(await readTalkSettings(db), now(), timeZone)
