/** A write that may fail for the machine's own reasons: logged here, told to the caller as a value. */
import type { Log } from './log.server.ts'

export async function attempt<Result>(
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
