import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { format } from 'node:util'
import { createProxyTrust } from '#app/lib/http/client-address.server.ts'
import type { AppServices } from '#app/services/context.ts'
import type { Env } from '#app/lib/config/env.server.ts'
import type { Log } from '#app/lib/telemetry/log.server.ts'
import {
  createMetrics,
  type Metrics,
  type MetricSources,
} from '#app/lib/telemetry/metrics.server.ts'
import type { RequestContext } from '#app/lib/telemetry/request-context.server.ts'

type Options = {
  env: Pick<Env, 'watch' | 'trustedProxies'>
  services: AppServices
  sources: Omit<MetricSources, 'errorsOfDay'>
}

/** A request id of a proxy must match this pattern (UUID, hexadecimal or base64url), because any other value could be personal text. */
const wellFormedId = /^[\w-]{8,64}$/
const knownMethods = ['GET', 'HEAD', 'POST']

export async function createTelemetry({
  env: { watch, trustedProxies },
  services,
  sources,
}: Options) {
  const isTrusted = createProxyTrust(trustedProxies)
  /** Metrics are collected from the start if METRICS_TOKEN is set, and otherwise from the first request for /metrics. */
  let metrics: Metrics | null = null
  let opening: Promise<Metrics> | undefined
  const open = () =>
    (opening ??= createMetrics({
      ...sources,
      errorsOfDay: services.processInfo.errors.lastDay,
    }).then((opened) => (metrics = opened)))
  if (watch.metricsToken !== null) await open()

  function requestIdOf({ headers, socket }: IncomingMessage): string {
    const given = headers['x-request-id']
    return typeof given === 'string' &&
      wellFormedId.test(given) &&
      isTrusted(socket.remoteAddress ?? '')
      ? given
      : randomUUID()
  }

  /** Records a response after it was sent, if the access log or metrics are turned on. */
  function observe(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    visitOf: () => RequestContext | undefined,
  ): void {
    if (metrics === null && !watch.accessLog) return
    const start = performance.now()
    outgoing.once('close', () => {
      const visit = visitOf()
      const seen = {
        method: knownMethods.includes(incoming.method ?? '') ? incoming.method! : 'other',
        route:
          visit?.requestId === undefined
            ? labelOf(incoming.url ?? '', outgoing.statusCode)
            : (visit.findRoute?.() ?? 'refused'),
        // Status 499 means that the client has disconnected.
        status: outgoing.writableFinished ? outgoing.statusCode : 499,
        seconds: (performance.now() - start) / 1000,
        requestId: visit?.requestId,
      }
      metrics?.observeRequest(seen)
      // The log entry omits the client's address, which is personal data.
      if (watch.accessLog)
        services.log.info('answered', { ...seen, seconds: Number(seen.seconds.toFixed(4)) })
    })
  }

  return {
    observe,
    requestIdOf,
    async readMetrics(incoming: IncomingMessage): Promise<Response | null> {
      if (!canReadMetrics(incoming, watch.metricsToken)) return null
      const { text, type } = await (await open()).read()
      return new Response(text, { headers: { 'Content-Type': type } })
    },
  }
}

export type Telemetry = Awaited<ReturnType<typeof createTelemetry>>

/** Returns a label for a response that was sent without React Router. A URL without a file extension belongs to a cached page. */
function labelOf(url: string, status: number): string {
  const path = url.split('?', 1)[0]!
  if (/^\/(health|ready|metrics)$/.test(path)) return path
  if (status >= 400) return 'refused'
  if (path.startsWith('/assets/')) return '/assets/*'
  if (path.startsWith('/pictures/')) return '/pictures/*'
  return /\.(?!data$)\w+$/.test(path) ? 'file' : 'cached page'
}

const MAX_LOGGED_CHARACTERS = 300

/** Logs what libraries print to the console. Quoted text is removed, because a user could have typed this text. */
export function captureConsole(log: Log): void {
  const said = (words: unknown[]) => ({
    said: format(...words)
      .split('\n')[0]!
      .slice(0, MAX_LOGGED_CHARACTERS)
      .replace(/"[^"]*"/g, '"…"'),
  })
  console.warn = (...words: unknown[]) => log.info('a library logged a warning', said(words))
  console.error = (...words: unknown[]) =>
    log.error('a library logged an error', undefined, said(words))
}

const isLoopback = createProxyTrust('loopback')

/** A request with one of these headers comes through a proxy, so it does not come from a program on this machine. */
const proxyHeaders = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]
/** Only these host names are accepted, because a web page in a browser on this machine could reach the server under the host name of its own site. */
const localNames = ['localhost', '127.0.0.1', '[::1]']

const digest = (text: string) => createHash('sha256').update(text).digest()

/** If METRICS_TOKEN is set, a client needs this token. Otherwise only programs on this machine may read metrics. */
export function canReadMetrics(
  { headers, socket, httpVersion }: IncomingMessage,
  token: string | null,
): boolean {
  if (token !== null) {
    const given = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), digest(token))
  }
  // By default, nginx adds none of the proxy headers, so its requests are recognized by HTTP/1.0.
  if (httpVersion === '1.0') return false
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? ''
  return (
    isLoopback(socket.remoteAddress ?? '') &&
    localNames.includes(name) &&
    !proxyHeaders.some((header) => header in headers)
  )
}
