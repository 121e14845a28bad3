/** What a request says that a kept page may depend on: its address, the shop's name in it, and the theme. Nothing else is looked at (039). */
import type { IncomingMessage } from 'node:http'
import { themeOf } from './requests.ts'

/** Cookies of the shop that make a page somebody's own: a session, words that are shown once, a log-in that failed. */
const PERSONAL = /session_token|flash=|provider-failed=/
/** Nothing that could be read in two ways. */
const PLAIN_HOST = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::[1-9]\d{0,4})?$/

/** `isPlain`: nothing tells who asks, so that the answer may go to the next as well. */
export type Asked = { key: string; target: string; theme: 'dark' | 'light'; host: string; isPlain: boolean }
type Incoming = Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'>

/** A look at something, and nothing that the shop would refuse or could read in two ways. */
export function isPlainLook({ method, url = '', headers, rawHeaders }: Incoming): boolean {
  if ((method !== 'GET' && method !== 'HEAD') || url[0] !== '/') return false
  // Bodies and other protocols are not for pages; two hosts are refused (namesOneHost).
  if (headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined || headers.upgrade !== undefined) return false
  const { host } = headers
  return host !== undefined && host.length <= 100 && PLAIN_HOST.test(host) && countOf(rawHeaders, 'host') === 1
}

/** null: not for kept pages; the shop answers itself, or refuses. `publicUrl` set: how the shop is called inside does not count. */
export function readAsked(request: Incoming, publicUrl: string | null): Asked | null {
  if (!isPlainLook(request)) return null
  const { url = '', headers } = request
  const { cookie, host = '' } = headers
  if (cookie !== undefined && PERSONAL.test(cookie)) return null
  const theme = cookie === undefined ? 'dark' : themeOf(cookie)
  return {
    key: publicUrl === null ? `${theme} ${host} ${url}` : `${theme} ${url}`,
    target: url,
    theme,
    host,
    isPlain: cookie === undefined || !cookie.includes('theme='),
  }
}

function countOf(rawHeaders: string[], name: string): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at]!
    if (raw.length === name.length && raw.toLowerCase() === name) count += 1
  }
  return count
}

/** The request that the shop answers in their place, made of these and nothing else: what is kept cannot hold what one person sent along. */
export const requestFor = ({ target, theme, host }: Asked, publicUrl: string | null): Request =>
  new Request(`${publicUrl ?? `http://${host}`}${target}`, { headers: theme === 'light' ? { cookie: 'theme=light' } : {} })
