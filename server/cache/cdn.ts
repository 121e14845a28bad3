/** From a change until the CDN confirms its purge, and once more for responses that were on their way, it is given nothing to keep (050). */
import { setTimeout as pause } from 'node:timers/promises'
import type { Shop } from '#app/platform/context.ts'
import type { CdnSettings } from '#app/platform/env.server.ts'
import { topicRules } from '#app/platform/live.server.ts'

/** One tag for all pages: each shows the version of the whole catalog, so they change together. */
const TAG = 'shop-pages'
/** Responses from before the change have arrived at the CDN by then. */
const SETTLE_MS = 5000
const REQUEST_TIMEOUT_MS = 10_000
const MAX_RETRY_PAUSE_MS = 60_000

export type Cdn = ReturnType<typeof createCdn>

type Options = { settings: CdnSettings; shop: Pick<Shop, 'live' | 'log'>; settleMs?: number; retryPauseMs?: number }

export function createCdn({ settings, shop, settleMs = SETTLE_MS, retryPauseMs = 1000 }: Options) {
  const over = new AbortController()
  let isSettled = false
  let isPurgeDue = false
  let isWorking = false

  async function purge(): Promise<void> {
    for (let wait = retryPauseMs; ; wait = Math.min(MAX_RETRY_PAUSE_MS, 2 * wait)) {
      const failure = await purgeOnce(settings, over.signal)
      if (failure === null) return
      shop.log.error('the CDN could not be told of a change; until it is, it is given nothing to keep', failure)
      await pause(wait, undefined, { signal: over.signal })
    }
  }

  async function work() {
    if (isWorking) return
    isWorking = true
    try {
      while (isPurgeDue) {
        isPurgeDue = false
        await purge()
        await pause(settleMs, undefined, { signal: over.signal })
        await purge()
      }
      isSettled = true
    } catch (error) {
      if (!over.signal.aborted) shop.log.error('the CDN could not be told of a change', error)
    } finally {
      isWorking = false
    }
  }

  const startPurge = () => {
    isSettled = false
    isPurgeDue = true
    void work()
  }
  const unsubscribe = shop.live.onChange((topics) => topics.some(topicRules.isPublic) && startPurge())
  // The CDN may hold pages of a former build, whose scripts are gone.
  startPurge()
  return {
    isSettled: () => isSettled && shop.live.isHearing(),
    /** name and value of the header that tags a response for purging */
    tag: [settings.kind === 'fastly' ? 'Surrogate-Key' : 'Cache-Tag', TAG],
    close: () => {
      unsubscribe()
      over.abort()
    },
  }
}

/** null: purged. The error is logged; it never contains the token. */
async function purgeOnce({ kind, zone, token, api }: CdnSettings, signal: AbortSignal): Promise<Error | null> {
  const [url, init] =
    kind === 'fastly'
      ? [`${api}/service/${zone}/purge/${TAG}`, { headers: { 'Fastly-Key': token, Accept: 'application/json' } }]
      : [
          `${api}/zones/${zone}/purge_cache`,
          { headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ tags: [TAG] }) },
        ]
  try {
    const answer = await fetch(url, { method: 'POST', ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]) })
    await answer.body?.cancel()
    return answer.ok ? null : new Error(`the ${kind} API answers ${answer.status}`)
  } catch (error) {
    if (signal.aborted) throw error
    return new Error(`the ${kind} API does not answer (${error instanceof Error ? error.message : 'unknown'})`)
  }
}
