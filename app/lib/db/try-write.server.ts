/** Runs a write to the database. If the write fails, logs the error and returns the refusal 'failed' instead of throwing. */
import type { Log } from '#app/lib/telemetry/log.server.ts'

export async function tryWrite<Result>(
  log: Log,
  what: string,
  write: () => Promise<Result>,
): Promise<Result | { ok: false; refusal: 'failed' }> {
  try {
    return await write()
  } catch (error) {
    log.error(what, error)
    return { ok: false, refusal: 'failed' }
  }
}
