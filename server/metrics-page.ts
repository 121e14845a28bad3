/** GET /metrics, for whoever may see it (046): with METRICS_TOKEN whoever has that, without it a program on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { openTrust } from '../app/platform/client-address.server.ts'
import type { Metrics } from '../app/platform/metrics.server.ts'

const isLoopback = openTrust('loopback')

/** What proxies add: then it was not a program on this machine that asked. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
/** A page in a browser on this machine could reach the shop under a name of its own. */
const localNames = ['localhost', '127.0.0.1', '[::1]']

const digest = (text: string) => createHash('sha256').update(text).digest()

export function maySeeMetrics({ headers, socket, httpVersion }: IncomingMessage, token: string | null): boolean {
  if (token !== null) {
    const given = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    return given !== undefined && timingSafeEqual(digest(given), digest(token))
  }
  // nginx without a word of settings tells of nobody, and names the shop as it calls it; it asks as in 1996, which no program does.
  if (httpVersion === '1.0') return false
  const name = URL.parse(`http://${headers.host}`)?.hostname ?? ''
  return isLoopback(socket.remoteAddress ?? '') && localNames.includes(name) && !ofProxies.some((header) => header in headers)
}

type Setup = { token: string | null; open: () => Promise<Metrics> }

/** The figures are opened when somebody asks for them, or before by whoever wants requests counted from the start. */
export function openMetricsPage({ token, open }: Setup) {
  return async (incoming: IncomingMessage): Promise<Response | null> => {
    if (!maySeeMetrics(incoming, token)) return null
    const { text, type } = await (await open()).read()
    return new Response(text, { headers: { 'Content-Type': type } })
  }
}
