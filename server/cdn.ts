/**
 * A CDN in front of the shop (039) may keep what visitors see, for as long as it can be told that it has changed. From the change until it
 * says that it has forgotten, and once more for what was on its way, nothing is given to it to keep.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Shop } from '../app/platform/context.ts'
import type { CdnSettings } from '../app/platform/env.server.ts'

/** One name for all pages: each shows the version of the whole, so they change together. */
const TAG = 'shop-pages'
/** What was made before the change has arrived by then. */
const SETTLES = 5000
const OF_TRY = 10_000
const MOST_PAUSE = 60_000

export type Cdn = {
  /** Whether it may be given something to keep. */
  isSettled: () => boolean
  /** name and value, in turn */
  mark: [string, string]
  close: () => void
}

type Parts = {
  settings: CdnSettings
  shop: Pick<Shop, 'live' | 'log'>
  /** milliseconds */
  settles?: number
  firstPause?: number
}

export function openCdn({ settings, shop, settles = SETTLES, firstPause = 1000 }: Parts): Cdn {
  const over = new AbortController()
  let isSettled = false
  let isAsked = false
  let isWorking = false

  async function purge(): Promise<void> {
    for (let wait = firstPause; ; wait = Math.min(MOST_PAUSE, 2 * wait)) {
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
      while (isAsked) {
        isAsked = false
        await purge()
        await pause(settles, undefined, { signal: over.signal })
        await purge()
      }
      isSettled = true
    } catch (error) {
      if (!over.signal.aborted) shop.log.error('the CDN could not be told of a change', error)
    } finally {
      isWorking = false
    }
  }

  const forget = () => {
    isSettled = false
    isAsked = true
    void work()
  }
  const offChange = shop.live.onChange((topics) => {
    if (topics.some((topic) => topic === 'catalogue' || topic === 'testimonials' || topic === 'settings')) forget()
  })
  // It may hold pages of a former build, whose scripts are gone.
  forget()
  return {
    isSettled: () => isSettled && shop.live.isHearing(),
    mark: settings.kind === 'fastly' ? ['Surrogate-Key', TAG] : ['Cache-Tag', TAG],
    close: () => {
      offChange()
      over.abort()
    },
  }
}

/** null: it has forgotten. What it says of itself is logged, never the token. */
async function purgeOnce({ kind, zone, token, api }: CdnSettings, signal: AbortSignal): Promise<Error | null> {
  const [url, init] =
    kind === 'fastly'
      ? [`${api}/service/${zone}/purge/${TAG}`, { headers: { 'Fastly-Key': token, Accept: 'application/json' } }]
      : [
          `${api}/zones/${zone}/purge_cache`,
          { headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body: JSON.stringify({ tags: [TAG] }) },
        ]
  try {
    const answer = await fetch(url, { method: 'POST', ...init, signal: AbortSignal.any([signal, AbortSignal.timeout(OF_TRY)]) })
    await answer.body?.cancel()
    return answer.ok ? null : new Error(`the ${kind} API answers ${answer.status}`)
  } catch (error) {
    if (signal.aborted) throw error
    return new Error(`the ${kind} API does not answer (${error instanceof Error ? error.message : 'unknown'})`)
  }
}
