/** Work that goes on behind an answer: whoever stops the shop waits for it, and so do tests. */
import { setTimeout as after } from 'node:timers/promises'
import type { Log } from './log.server.ts'

export type Behind = ReturnType<typeof openBehind>

/** Whoever is answered at once comes again at once: where the work hangs, it must not pile up. */
const MOST = 200

export function openBehind({ log, ofClose = 2000 }: { log: Pick<Log, 'error'>; ofClose?: number }) {
  const underWay = new Set<Promise<void>>()
  async function settled() {
    while (underWay.size > 0) await Promise.all(underWay)
  }
  return {
    /** Begins `work` and does not wait for it; what fails is logged as `failure`. false: so much is under way that it was not begun. */
    begin(failure: string, work: () => Promise<void>): boolean {
      if (underWay.size >= MOST) return false
      const done = work()
        .catch((error: unknown) => log.error(failure, error))
        .finally(() => underWay.delete(done))
      underWay.add(done)
      return true
    },
    settled,
    /** Work that hangs does not keep the process from stopping. */
    close: () => Promise.race([settled(), after(ofClose, undefined, { ref: false })]),
  }
}
