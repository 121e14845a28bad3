/** What the shop still has to do by itself: letters that have not left, pictures whose widths are not made (046). */
import type { Db } from '#db/tables.ts'

export type Work = { mailWaiting: number; mailUndelivered: number; picturesWaiting: number; picturesFailed: number }

export async function countWork(db: Db): Promise<Work> {
  const letters = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('failedAt').as('failed')])
    .where('sentAt', 'is', null)
    .executeTakeFirstOrThrow()
  const pictures = await db
    .selectFrom('pictures')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
  const inState = (state: string) => Number(pictures.find((row) => row.state === state)?.count ?? 0)
  const [all, failed] = [Number(letters.all), Number(letters.failed)]
  return { mailWaiting: all - failed, mailUndelivered: failed, picturesWaiting: inState('waiting'), picturesFailed: inState('failed') }
}
