/** Who may read GET /metrics (decision 046): with METRICS_TOKEN whoever sends it, without it a program on this machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { openTrust } from '#app/platform/client-address.server.ts'

const isLoopback = openTrust('loopback')

/** Headers that proxies add: with one of them, the request does not come from a program on this machine. */
const ofProxies = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']
/** A web page in a browser on this machine could reach the server under a host name of its own. */
const localNames = ['localhost', '127.0.0.1', '[::1]']

const digest = (text: string) => createHash('sha256').update(text).digest()

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
