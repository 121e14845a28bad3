import type { Log } from '../telemetry/log.server.ts'

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
