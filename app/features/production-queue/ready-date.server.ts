/** Computes from the queue on which day the next piece would be ready. */
import { cached } from '#app/lib/db/topic-cache.server.ts'
import type { AppServices } from '#app/services/context.ts'
import { dayAndTime } from '#app/ui/format-date.ts'
import { type Item, isForSale } from '#app/features/catalog/catalog.ts'
import { getSettingsCached } from '#app/features/settings/settings.server.ts'
import { isOpenEntry } from './production-queue.server.ts'
import { formatReadyDay, readyDay, weeklyTenths } from './ready-date.ts'
import { queueTexts } from './texts.ts'

type Deps = Pick<AppServices, 'db' | 'live' | 'now' | 'timeZone'>

/** Returns the number of pieces that the owner still has to make. Each change of the queue publishes the topic `orders`, which clears this cache. */
const countQueuedCached = ({ db, live }: Pick<Deps, 'db' | 'live'>): Promise<number> =>
  cached({ live }, ['orders'], 'queued pieces', async () => {
    const found = await db
      .selectFrom('queueEntries as q')
      .innerJoin('offerLines as l', (join) =>
        join.onRef('l.offerId', '=', 'q.offerId').onRef('l.position', '=', 'q.line'),
      )
      .select(({ fn }) => fn.sum<string | number | null>('l.quantity').as('pieces'))
      .where(isOpenEntry)
      .where('q.step', '<>', 'ready')
      .executeTakeFirst()
    return Number(found?.pieces ?? 0)
  })

/** Returns the day on which further `pieces` pieces would be ready, or '' if `pieces` is 0 or the owner has not said how many pieces she makes in a week. [AGREE-37] */
export async function suggestReadyBy(app: Deps, pieces: number): Promise<string> {
  const perWeek = weeklyTenths((await getSettingsCached(app)).piecesPerWeek)
  if (perWeek === null || pieces === 0) return ''
  return readyDay((await countQueuedCached(app)) + pieces, perWeek, todayIn(app))
}

const todayIn = ({ now, timeZone }: Pick<Deps, 'now' | 'timeZone'>): string =>
  dayAndTime(now(), timeZone)[0]

/** Returns the day on which the next piece would be ready, such as 'December 12', or '' if the setting is blank. */
export async function readNextReadyDay(app: Deps): Promise<string> {
  const day = await suggestReadyBy(app, 1)
  return day && formatReadyDay(day, todayIn(app))
}

/** Returns for example 'Ready about December 12' for a made-to-order item, and '' for other items. [AGREE-35] */
export async function readReadyNote(
  app: Deps,
  item: Pick<Item, 'kind' | 'state'>,
): Promise<string> {
  if (item.kind !== 'made-to-order' || !isForSale(item.state)) return ''
  const day = await readNextReadyDay(app)
  return day && queueTexts.ready(day)
}
