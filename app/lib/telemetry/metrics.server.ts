import type { Registry } from '@prometheus-io/client'

export type MetricSources = {
  liveConnections: () => number
  work: () => Promise<{
    mail: { waiting: number; undelivered: number }
    images: { waiting: number }
  }>
  errorsOfDay: () => number
  caches: Record<string, () => Record<string, number>>
}
export type Metrics = Awaited<ReturnType<typeof createMetrics>>

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export async function createMetrics({ liveConnections, work, errorsOfDay, caches }: MetricSources) {
  const prom = (await import('@prometheus-io/client')).default
  const registry: Registry = new prom.Registry()
  const registers = [registry]
  prom.collectDefaultMetrics({ register: registry })
  const requests = new prom.Counter({
    registers,
    name: 'shop_http_requests_total',
    help: 'Requests answered, by route pattern',
    labelNames: ['method', 'route', 'status'],
  })
  const durations = new prom.Histogram({
    registers,
    name: 'shop_http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route'],
    buckets,
  })
  const gauge = (name: string, help: string) => new prom.Gauge({ registers, name, help })
  const connections = gauge('shop_live_connections', 'Open live connections (WebSockets)')
  const mailWaiting = gauge('shop_emails_waiting', 'Emails waiting to be sent')
  const mailUndelivered = gauge('shop_emails_undelivered', 'Emails that could not be delivered')
  const imagesWaiting = gauge('shop_images_waiting', 'Images whose sizes are not created yet')
  const errors = gauge('shop_errors_last_day', 'Errors in the log within the last 24 hours')
  const cached = new prom.Gauge({
    registers,
    name: 'shop_cache',
    help: 'Entries, hits and misses of the caches',
    labelNames: ['cache', 'figure'],
  })
  const isUp = gauge('shop_database_up', '1 while the database responds')

  async function updateGauges() {
    connections.set(liveConnections())
    errors.set(errorsOfDay())
    for (const [cache, figures] of Object.entries(caches)) {
      for (const [figure, value] of Object.entries(figures())) cached.set({ cache, figure }, value)
    }
    try {
      const { mail, images } = await work()
      mailWaiting.set(mail.waiting)
      mailUndelivered.set(mail.undelivered)
      imagesWaiting.set(images.waiting)
      isUp.set(1)
    } catch {
      isUp.set(0)
    }
  }

  return {
    observeRequest(request: { method: string; route: string; status: number; seconds: number }) {
      const { method, route, status, seconds } = request
      requests.inc({ method, route, status })
      durations.observe({ method, route }, seconds)
    },
    async read() {
      await updateGauges()
      return { text: await registry.metrics(), type: registry.contentType }
    },
  }
}
