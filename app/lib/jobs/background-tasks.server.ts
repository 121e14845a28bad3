import { setTimeout as after } from 'node:timers/promises'
import type { Log } from '../telemetry/log.server.ts'

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>

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
    begin(failure: string, work: () => Promise<void>) {
      if (underWay.size >= MAX_PENDING_TASKS) return false
      const task = work()
        .catch((error: unknown) => log.error(failure, error))
        .finally(() => underWay.delete(task))
      underWay.add(task)
      return true
    },
    settled,
    close: () => Promise.race([settled(), after(closeMs, undefined, { ref: false })]),
  }
}
