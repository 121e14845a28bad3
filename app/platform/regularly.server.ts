/** What a shop does every hour or day as long as it is open, such as sweeping; the end of the shop waits for the round under way. */
import type { Log } from './log.server.ts'

/** `every`: milliseconds; `failure`: what the log says of a round that failed, the next one comes all the same. */
type Settings = { every: number; failure: string; log: Log; isBegunNow: boolean }

export function regularly({ every, failure, log, isBegunNow }: Settings, work: () => Promise<unknown>): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve()
  const round = () => (last = work().catch((error: unknown) => log.error(failure, error)))
  if (isBegunNow) void round()
  const clock = setInterval(round, every).unref()
  return async () => {
    clearInterval(clock)
    await last
  }
}
