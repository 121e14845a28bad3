import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Log } from '#app/lib/telemetry/log.server.ts'

type JobOptions = { every: number; failure: string; log: Log }

/** Creates a job that runs `work` at an interval and whenever `wake` is called, one run at a time. An error is logged and does not stop the job. */
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
  /** If `wake` is called during a run, the job runs once more afterwards. */
  function wake() {
    isAskedAgain = clock !== undefined && round !== null
    if (clock && !round) run().catch((error: unknown) => log.error(failure, error))
  }
  return {
    run,
    wake,
    /** Starts the job. Returns a function that stops the job and waits for the end of the current run. */
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
  { isBegunNow, ...settings }: JobOptions & { isBegunNow: boolean },
  work: () => Promise<unknown>,
) => createJob(settings, work).start(isBegunNow)

/** Matches database rows whose time in `column` has come. A time that is more than `longest` milliseconds in the future also matches, because only a wrong clock can have set this time. */
export const isDueOrClockSkewed = (
  column: 'nextAttemptAt' | 'claimedUntil',
  at: number,
  longest: number,
): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.ref(column)} <= ${at} or ${sql.ref(column)} > ${at + longest})`
