import { createHash, randomUUID, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { format } from 'node:util'
import { openTrust } from '#app/platform/client-address.server.ts'
import type { Shop } from '#app/platform/context.ts'
import type { Env } from '#app/platform/env.server.ts'
import type { Log } from '#app/platform/log.server.ts'
import { openMetrics, type Metrics, type Sources } from '#app/platform/metrics.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'

type Options = {
  env: Pick<Env, 'watch' | 'trustedProxies'>
  shop: Shop
  sources: Omit<Sources, 'errorsOfDay'>
}

/** What proxies make: UUIDs, hexadecimal and base64url ids. Anything else could be a person's text. */
const wellFormedId = /^[\w-]{8,64}$/
const knownMethods = ['GET', 'HEAD', 'POST']

export async function createTelemetry({ env: { watch, trustedProxies }, shop, sources }: Options) {
  const isTrusted = openTrust(trustedProxies)
  /** Requests are counted from the start with METRICS_TOKEN, otherwise from when somebody first asks. */
  let metrics: Metrics | null = null
  let opening: Promise<Metrics> | undefined
  const open = () =>
    (opening ??= openMetrics({ ...sources, errorsOfDay: shop.machine.errors.lastDay }).then((opened) => (metrics = opened)))
  if (watch.metricsToken !== null) await open()

  function requestIdOf({ headers, socket }: IncomingMessage): string {
    const given = headers['x-request-id']
    return typeof given === 'string' && wellFormedId.test(given) && isTrusted(socket.remoteAddress ?? '') ? given : randomUUID()
  }

  /** Records each response once it has left. As long as nobody wants to know, it costs nothing. */
  function observe(incoming: IncomingMessage, outgoing: ServerResponse, visitOf: () => Visit | undefined): void {
    if (metrics === null && !watch.accessLog) return
    const start = performance.now()
    outgoing.once('close', () => {
      const visit = visitOf()
      const seen = {
        method: knownMethods.includes(incoming.method ?? '') ? incoming.method! : 'other',
        route: visit?.requestId === undefined ? labelOf(incoming.url ?? '', outgoing.statusCode) : (visit.findRoute?.() ?? 'refused'),
        // A client that did not wait for the response has got none.
        status: outgoing.writableFinished ? outgoing.statusCode : 499,
        seconds: (performance.now() - start) / 1000,
        requestId: visit?.requestId,
      }
      metrics?.tell(seen)
      // The address is not logged: it is personal data.
      if (watch.accessLog) shop.log.info('answered', { ...seen, seconds: Number(seen.seconds.toFixed(4)) })
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

/** What is answered before the application: cached pages have no file extension, or are the data of one. */
function labelOf(url: string, status: number): string {
  const path = url.split('?', 1)[0]!
  if (/^\/(health|ready|metrics)$/.test(path)) return path
  if (status >= 400) return 'refused'
  if (path.startsWith('/assets/')) return '/assets/*'
  if (path.startsWith('/pictures/')) return '/pictures/*'
  return /\.(?!data$)\w+$/.test(path) ? 'file' : 'cached page'
}

const MAX_LOGGED_CHARACTERS = 300

/** Takes what libraries print into the log: as one line, and without quoted text, which may be what a person typed. */
export function captureConsole(log: Log): void {
  const said = (words: unknown[]) => ({
    said: format(...words)
      .split('\n')[0]!
      .slice(0, MAX_LOGGED_CHARACTERS)
      .replace(/"[^"]*"/g, '"…"'),
  })
  console.warn = (...words: unknown[]) => log.info('a library warns', said(words))
  console.error = (...words: unknown[]) => log.error('a library reports an error', undefined, said(words))
}

const isLoopback = openTrust('loopback')

/** Headers that proxies add: with one of them, the request does not come from a program on this machine. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
/** A web page in a browser on this machine could reach the server under a host name of its own. */
const localNames = ['localhost', '127.0.0.1', '[::1]']

const digest = (text: string) => createHash('sha256').update(text).digest()

/** With METRICS_TOKEN whoever sends it, without it a program on this machine (046). */
export function canReadMetrics({ headers, socket, httpVersion }: IncomingMessage, token: string | null): boolean {
  if (token !== null) {
    const given = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), digest(token))
  }
  // nginx without further settings adds none of these headers, but it speaks HTTP/1.0, which no other program does.
  if (httpVersion === '1.0') return false
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? ''
  return isLoopback(socket.remoteAddress ?? '') && localNames.includes(name) && !ofProxies.some((header) => header in headers)
}
