import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Log } from './log.server.ts'

type Settings = { every: number; failure: string; log: Log }

/** One round of work at a time: every so many milliseconds, and when it is woken. A round that fails is logged, the next one comes all the same. */
export function openJob({ every, failure, log }: Settings, work: () => Promise<unknown>) {
  let round: Promise<void> | null = null
  let clock: NodeJS.Timeout | undefined
  let isAskedAgain = false

  async function doRound() {
    try {
      await work()
    } finally {
      round = null
      if (isAskedAgain) wake()
    }
  }
  /** A call during a round waits for that. */
  const run = () => (round ??= doRound())
  /** What came during a round is looked for in another one; nothing happens before the start. */
  function wake() {
    isAskedAgain = clock !== undefined && round !== null
    if (clock && !round) run().catch((error: unknown) => log.error(failure, error))
  }
  return {
    run,
    wake,
    /** Gives what stops it, and waits for the round under way. */
    start(isBegunNow = true) {
      clock = setInterval(wake, every).unref()
      if (isBegunNow) wake()
      return async () => {
        clearInterval(clock)
        clock = undefined
        await round?.catch(() => {})
      }
    },
  }
}

export const regularly = ({ isBegunNow, ...settings }: Settings & { isBegunNow: boolean }, work: () => Promise<unknown>) =>
  openJob(settings, work).start(isBegunNow)

/** Due, or further off than it can have been set (`longest` milliseconds): a clock that was ahead has set it. */
export const isDue = (column: 'nextAttemptAt' | 'claimedUntil', at: number, longest: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
