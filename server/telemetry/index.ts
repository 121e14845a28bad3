import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { format } from 'node:util'
import { createProxyTrust } from '#lib/http/client-address.server.ts'
import type { AppServices } from '#services/context.ts'
import type { Env } from '#lib/config/env.server.ts'
import type { Log } from '#lib/telemetry/log.server.ts'
import { createMetrics, type Metrics, type MetricSources } from '#lib/telemetry/metrics.server.ts'
import type { RequestContext } from '#lib/telemetry/request-context.server.ts'

/** An id in another format could contain personal data. */
const wellFormedId = /^[\w-]{8,64}$/
const knownMethods = ['GET', 'HEAD', 'POST']

export async function createTelemetry({
  env: { watch, trustedProxies },
  services,
  sources,
}: {
  env: Pick<Env, 'watch' | 'trustedProxies'>
  services: AppServices
  sources: Omit<MetricSources, 'errorsOfDay'>
}) {
  const isTrusted = createProxyTrust(trustedProxies)
  let metrics: Metrics | null = null
  let opening: Promise<Metrics> | undefined
  const open = () =>
    (opening ??= createMetrics({
      ...sources,
      errorsOfDay: services.processInfo.errors.lastDay,
    }).then((opened) => (metrics = opened)))
  if (watch.metricsToken !== null) await open()

  function requestIdOf({ headers, socket }: IncomingMessage) {
    const value = headers['x-request-id']
    return typeof value === 'string' &&
      wellFormedId.test(value) &&
      isTrusted(socket.remoteAddress ?? '')
      ? value
      : randomUUID()
  }

  function observe(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    visitOf: () => RequestContext | undefined,
  ) {
    if (metrics === null && !watch.accessLog) return
    const start = performance.now()
    outgoing.once('close', () => {
      const visit = visitOf()
      const answer = {
        method: knownMethods.includes(incoming.method ?? '') ? incoming.method! : 'other',
        route:
          visit?.requestId === undefined
            ? labelOf(incoming.url ?? '', outgoing.statusCode)
            : (visit.findRoute?.() ?? 'refused'),
        status: outgoing.writableFinished ? outgoing.statusCode : 499,
        seconds: (performance.now() - start) / 1000,
        requestId: visit?.requestId,
      }
      metrics?.observeRequest(answer)
      if (watch.accessLog) {
        services.log.info('answered', { ...answer, seconds: Number(answer.seconds.toFixed(4)) })
      }
    })
  }

  return {
    observe,
    requestIdOf,
    async readMetrics(incoming: IncomingMessage) {
      if (!canReadMetrics(incoming, watch.metricsToken)) return null
      const { text, type } = await (await open()).read()
      return new Response(text, { headers: { 'Content-Type': type } })
    },
  }
}

export type Telemetry = Awaited<ReturnType<typeof createTelemetry>>

function labelOf(url: string, status: number) {
  const path = url.split('?', 1)[0]!
  if (/^\/(health|ready|metrics)$/.test(path)) return path
  if (status >= 400) return 'refused'
  if (path.startsWith('/assets/')) return '/assets/*'
  if (path.startsWith('/pictures/')) return '/pictures/*'
  return /\.(?!data$)\w+$/.test(path) ? 'file' : 'cached page'
}

const MAX_LOGGED_CHARACTERS = 300

export function captureConsole(log: Log) {
  const summaryOf = (words: unknown[]) => ({
    said: format(...words)
      .split('\n')[0]!
      .slice(0, MAX_LOGGED_CHARACTERS)
      .replace(/"[^"]*"/g, '"…"'),
  })
  console.warn = (...words: unknown[]) => log.info('a library logged a warning', summaryOf(words))
  console.error = (...words: unknown[]) =>
    log.error('a library logged an error', undefined, summaryOf(words))
}

const isLoopback = createProxyTrust('loopback')

const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]
/** Other names may come from a page of another site that is open in a browser on this machine. */
const localNames = ['localhost', '127.0.0.1', '[::1]']

const digest = (text: string) => createHash('sha256').update(text).digest()

export function canReadMetrics(
  { headers, socket, httpVersion }: IncomingMessage,
  token: string | null,
) {
  if (token !== null) {
    const value = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    return value !== undefined && timingSafeEqual(digest(value), digest(token))
  }
  // By default, nginx sends HTTP/1.0 and none of these headers.
  if (httpVersion === '1.0') return false
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? ''
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    localNames.includes(name) &&
    !proxyHeaders.some((header) => header in headers)
  )
}
