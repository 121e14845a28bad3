import type { IncomingMessage } from 'node:http'
import type { User } from '#app/services/context.ts'
import { decodePercent } from '#app/lib/text/decode-percent.ts'

/** A form with an image of up to 10 MB may have this many bytes, and the owner's form without files may have MAX_FORM_BYTES. */
const MAX_PICTURE_FORM_BYTES = 12 * 1024 * 1024
export const MAX_FORM_BYTES = 2 * 1024 * 1024
/** All other forms. A message of 10,000 characters has at most 90 kB, because the encoding of a form turns a character of three bytes into nine. */
export const MAX_PUBLIC_FORM_BYTES = 256 * 1024
/** Browsers send texts that people type in bodies of at most this many bytes. */
const LARGE_BODY_BYTES = 64 * 1024
/** A form with a CSV file of up to 32 MB may have this many bytes. */
export const MAX_TABLE_FORM_BYTES = 33 * 1024 * 1024

const allowedMethods = ['GET', 'HEAD', 'POST']
const changesSomething = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD'

/** Returns the origin that the browser sees: PUBLIC_URL, or the requested host. [S-115] */
export const originOf = (request: Request, publicUrl: string | null): string =>
  publicUrl ?? new URL(request.url).origin

/** Returns true if another site may have sent a request that changes data. A request without the header Origin must have the header `Sec-Fetch-Site: same-origin`. */
function isCrossOrigin(request: Request, publicUrl: string | null): boolean {
  if (!changesSomething(request)) return false
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== originOf(request, publicUrl)
  return request.headers.get('sec-fetch-site') !== 'same-origin'
}

/** Returns false if a request names two hosts, because a proxy could cache the response under the other host. */
export function hasSingleHost({
  url = '/',
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'>): boolean {
  let hosts = 0
  // This code runs for every request, so the loop allocates no memory.
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  if (hosts > 1) return false
  if (url.startsWith('/')) return true
  const [target, named] = [URL.parse(url), URL.parse(`http://${headers.host}`)]
  return (
    target !== null &&
    named !== null &&
    target.username === '' &&
    target.password === '' &&
    target.host === named.host
  )
}

/** Returns false if the path contains an invalid percent escape, or a zero byte, which PostgreSQL refuses. */
function isDecodablePath(address: string): boolean {
  const { pathname } = new URL(address)
  return !pathname.includes('%00') && decodePercent(pathname) !== null
}

/** React Router compares each path of this request with every route, which takes about 0.2 ms. A page with many links requests about 100 paths. */
export const MAX_DISCOVERED_PATHS = 200

/** Returns true if a request asks React Router for the routes of so many paths that other users would have to wait. */
function hasTooManyPaths(address: string): boolean {
  const { pathname, searchParams } = new URL(address)
  return (
    pathname === '/__manifest' &&
    (searchParams.get('paths') ?? '').split(',').length > MAX_DISCOVERED_PATHS
  )
}

/** Removes zero bytes from the query string, so that a search that contains a zero byte is not refused. */
export function stripNullBytes(request: Request): Request {
  const url = new URL(request.url)
  if (!url.search.includes('%00')) return request
  // A literal percent sign is escaped first; otherwise removing '%00' from '%%0000' would leave another '%00'.
  url.search = url.search.replace(/%(?![0-9a-f]{2})/gi, '%25').replaceAll('%00', '')
  return new Request(url, request)
}

/** Returns the maximum size of a request's body, which depends on whether its URL accepts images or CSV files. */
function limitOf(request: Request): number {
  const { pathname } = new URL(request.url)
  const hasFiles = request.headers.get('content-type')?.startsWith('multipart/form-data') ?? false
  if (hasFiles && (isOfConversation(pathname) || isPhoto(pathname))) return MAX_PICTURE_FORM_BYTES
  if (!pathname.startsWith('/manage/')) return MAX_PUBLIC_FORM_BYTES
  if (!hasFiles) return MAX_FORM_BYTES
  return /^\/manage\/tables(\/|\.data$|$)/.test(pathname)
    ? MAX_TABLE_FORM_BYTES
    : MAX_PICTURE_FORM_BYTES
}

/** Returns true if browsers send messages, or images for messages, to this URL. */
const isOfConversation = (pathname: string): boolean => /^\/messages(\/|\.data$|$)/.test(pathname)
const isPhoto = (pathname: string): boolean => /^\/account\/photo(\/|\.data$|$)/.test(pathname)
/** Returns true if browsers send messages to this URL. The shop reads a message before it checks the sender, so that it can return the text of a refused message. */
const isMessage = (pathname: string): boolean =>
  isOfConversation(pathname) && !pathname.startsWith('/messages/pictures')

/** Returns true if the body is larger than any text that people type, or if its length is unknown. */
export const isLargeBody = (request: Request): boolean =>
  changesSomething(request) &&
  request.body !== null &&
  !(Number(request.headers.get('content-length') ?? Number.NaN) <= LARGE_BODY_BYTES)

export const TOO_LARGE = {
  status: 413,
  text: 'This is too large to send. Please go back and choose a smaller file or a shorter text.',
}

/** Checks a request before any part of its body is read. Returns null if the request is accepted. */
export function rejectRequest(
  request: Request,
  publicUrl: string | null,
): { status: number; text: string } | null {
  if (!allowedMethods.includes(request.method))
    return { status: 405, text: 'This request method is not allowed.' }
  if (!isDecodablePath(request.url) || hasTooManyPaths(request.url))
    return { status: 400, text: 'This address is not valid.' }
  if (isCrossOrigin(request, publicUrl))
    return { status: 403, text: 'This form came from another site.' }
  if (Number(request.headers.get('content-length') ?? 0) > limitOf(request)) return TOO_LARGE
  return null
}

/** Reads a body whose length is unknown. Returns null if the body is too long. Only the owner may send large forms to her pages, and only signed-in users may send images. */
export async function limitBody(
  request: Request,
  role: User['role'] | null,
): Promise<Request | null> {
  const { pathname } = new URL(request.url)
  const contentLength = request.headers.get('content-length')
  if (
    contentLength !== null &&
    role === null &&
    isMessage(pathname) &&
    Number(contentLength) > MAX_PUBLIC_FORM_BYTES
  )
    return null
  if (!request.body || contentLength !== null) return request
  const isTrusted =
    role === 'admin' || (role !== null && (isOfConversation(pathname) || isPhoto(pathname)))
  const limit = isTrusted ? limitOf(request) : MAX_PUBLIC_FORM_BYTES
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.length
      if (length > limit) return null
      chunks.push(chunk)
    }
  } catch {
    // A truncated body is passed to the route, which refuses it as unreadable.
  }
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: new Blob(chunks) })
}

/** Returns the request with the origin of PUBLIC_URL, because a proxy that ends TLS passes the request to the shop as http. */
export function withPublicOrigin(request: Request, publicUrl: string | null): Request {
  const url = new URL(request.url)
  if (publicUrl === null || url.origin === publicUrl) return request
  // The URL is built as text, because a path with two leading slashes would be parsed as a host.
  return new Request(`${publicUrl}${url.pathname}${url.search}`, request)
}

/** Returns the theme that the visitor has chosen on this device, or null for the shop's default theme. [THEME-04, S-027] */
export const readTheme = (request: Request): 'dark' | 'light' | null =>
  themeOf(request.headers.get('cookie') ?? '')
export const themeOf = (cookie: string): 'dark' | 'light' | null =>
  (/(?:^|;\s*)(?:__Host-)?theme=(dark|light)(?:;|$)/.exec(cookie)?.[1] as
    | 'dark'
    | 'light'
    | undefined) ?? null
