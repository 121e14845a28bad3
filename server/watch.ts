/** What the process tells those who watch over it: figures, the lines of ACCESS_LOG, ids of requests (046). */
import type { IncomingMessage, RequestListener } from 'node:http'
import { openTrust } from '../app/platform/client-address.server.ts'
import type { Shop } from '../app/platform/context.ts'
import type { Env } from '../app/platform/env.server.ts'
import { openMetrics, type Metrics, type Sources } from '../app/platform/metrics.server.ts'
import { openMetricsPage } from './metrics-page.ts'
import { observed, openVisits, type Seen } from './observe.ts'

type Setup = { env: Pick<Env, 'watch' | 'trustedProxies'>; shop: Shop; sources: Omit<Sources, 'errorsOfDay'> }

export async function openWatch({ env: { watch, trustedProxies }, shop, sources }: Setup) {
  const visits = openVisits(openTrust(trustedProxies))
  /** Requests are counted from the start with METRICS_TOKEN, else from when somebody first asks. */
  let counted: Metrics | null = null
  let opening: Promise<Metrics> | undefined
  const open = () =>
    (opening ??= openMetrics({ ...sources, errorsOfDay: shop.machine.errors.lastDay }).then((metrics) => (counted = metrics)))
  if (watch.metricsToken !== null) await open()

  /** Who asked is not told: an address is a person's. */
  function tell(seen: Seen) {
    counted?.tell(seen)
    if (watch.accessLog) shop.log.info('answered', { ...seen, seconds: Number(seen.seconds.toFixed(4)) })
  }
  return {
    visitOf: visits.begin,
    metrics: openMetricsPage({ token: watch.metricsToken, open }) satisfies (incoming: IncomingMessage) => Promise<Response | null>,
    wrap: (listener: RequestListener) =>
      observed({ listener, visitOf: visits.of, tell, isWanted: () => counted !== null || watch.accessLog }),
  }
}
