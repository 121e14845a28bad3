/** Runs work that continues after a response. Shutdown and tests wait for this work. */
import { setTimeout as after } from 'node:timers/promises'
import type { Log } from '#app/lib/telemetry/log.server.ts'

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>

/** While this many tasks are running, new tasks are refused. Otherwise tasks that hang would fill the memory. */
const MAX_PENDING_TASKS = 200

export function createBackgroundTasks({
  log,
  closeMs = 2000,
}: {
  log: Pick<Log, 'error'>
  closeMs?: number
}) {
  const underWay = new Set<Promise<void>>()
  async function settled() {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    /** Starts `work` without waiting for its end. If `work` fails, logs the error with the message `failure`. Returns false, without starting `work`, if too many tasks are pending. */
    begin(failure: string, work: () => Promise<void>): boolean {
      if (underWay.size >= MAX_PENDING_TASKS) return false
      const done = work()
        .catch((error: unknown) => log.error(failure, error))
        .finally(() => underWay.delete(done))
      underWay.add(done)
      return true
    },
    settled,
    close: () => Promise.race([settled(), after(closeMs, undefined, { ref: false })]),
  }
}
