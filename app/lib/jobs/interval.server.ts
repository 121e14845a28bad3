import { sql, type SqlBool } from 'kysely'
import type { Log } from '../telemetry/log.server.ts'

type JobOptions = { every: number; failure: string; log: Log }

export function createJob({ every, failure, log }: JobOptions, work: () => Promise<unknown>) {
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
  const run = () => (round ??= doRound())
  function wake() {
    isAskedAgain = clock !== undefined && round !== null
    if (clock && !round) run().catch((error: unknown) => log.error(failure, error))
  }
  return {
    run,
    wake,
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

export const runEvery = (
  { isBegunNow, ...settings }: JobOptions & { isBegunNow?: boolean },
  work: () => Promise<unknown>,
) => createJob(settings, work).start(isBegunNow)

/** A time more than `longest` ms ahead is due, because only a wrong clock can have set it. */
export const isDueOrClockSkewed = (
  column: 'nextAttemptAt' | 'claimedUntil',
  at: number,
  longest: number,
) => sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
