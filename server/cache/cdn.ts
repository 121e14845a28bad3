/** After a change, the shop lets the CDN cache nothing until the CDN has confirmed a purge. A second purge removes old responses that were still on their way during the first purge. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppServices } from '#app/services/context.ts'
import type { CdnSettings } from '#app/lib/config/env.server.ts'
import { topicRules } from '#app/services/live-topics.server.ts'

/** All pages have this tag, because the shop always purges them together. */
const TAG = 'shop-pages'
/** After this many milliseconds, the CDN has received all responses that the shop sent before the change. */
const SETTLE_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000
const MAX_RETRY_PAUSE_MS = 60_000

export type Cdn = ReturnType<typeof createCdn>

type Options = {
  settings: CdnSettings
  services: Pick<AppServices, 'live' | 'log'>
  settleMs?: number
  retryPauseMs?: number
}

export function createCdn({
  settings,
  services,
  settleMs = SETTLE_MS,
  retryPauseMs = 1000,
}: Options) {
  const deadline = new AbortController()
  let isSettled = false
  let isPurgeDue = false
  let isWorking = false

  async function purge(): Promise<void> {
    for (let wait = retryPauseMs; ; wait = Math.min(MAX_RETRY_PAUSE_MS, 2 * wait)) {
      const failure = await purgeOnce(settings, deadline.signal)
      if (failure === null) return
      services.log.error('the CDN could not be purged; until then it may not cache pages', failure)
      await pause(wait, undefined, { signal: deadline.signal })
    }
  }

  async function work() {
    if (isWorking) return
    isWorking = true
    try {
      while (isPurgeDue) {
        isPurgeDue = false
        await purge()
        await pause(settleMs, undefined, { signal: deadline.signal })
        await purge()
      }
      isSettled = true
    } catch (error) {
      if (!deadline.signal.aborted) services.log.error('the CDN could not be purged', error)
    } finally {
      isWorking = false
    }
  }

  const startPurge = () => {
    isSettled = false
    isPurgeDue = true
    void work()
  }
  const unsubscribe = services.live.onChange(
    (topics) => topics.some(topicRules.isPublic) && startPurge(),
  )
  // The CDN may contain pages of an earlier build, whose assets no longer exist.
  startPurge()
  return {
    isSettled: () => isSettled && services.live.isHearing(),
    /** the name and the value of the header that tags a response for purging */
    tag: [settings.kind === 'fastly' ? 'Surrogate-Key' : 'Cache-Tag', TAG],
    close: () => {
      unsubscribe()
      deadline.abort()
    },
  }
}

/** Purges the CDN once. Returns null if the CDN has confirmed the purge, and otherwise an error for the log, which does not contain the token. */
async function purgeOnce(
  { kind, zone, token, api }: CdnSettings,
  signal: AbortSignal,
): Promise<Error | null> {
  const [url, init] =
    kind === 'fastly'
      ? [
          `${api}/service/${zone}/purge/${TAG}`,
          { headers: { 'Fastly-Key': token, Accept: 'application/json' } },
        ]
      : [
          `${api}/zones/${zone}/purge_cache`,
          {
            headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ tags: [TAG] }),
          },
        ]
  try {
    const answer = await fetch(url, {
      method: 'POST',
      ...init,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    })
    await answer.body?.cancel()
    return answer.ok ? null : new Error(`the ${kind} API answers ${answer.status}`)
  } catch (error) {
    if (signal.aborted) throw error
    return new Error(
      `the ${kind} API does not answer (${error instanceof Error ? error.message : 'unknown'})`,
    )
  }
}
