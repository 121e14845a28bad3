import type { IncomingMessage } from 'node:http'
import type { User } from '#services/context.ts'
import { decodePercent } from '#lib/text/decode-percent.ts'

const MAX_IMAGE_FORM_BYTES = 12 * 1024 * 1024
export const MAX_FORM_BYTES = 2 * 1024 * 1024
export const MAX_PUBLIC_FORM_BYTES = 256 * 1024
const LARGE_BODY_BYTES = 64 * 1024
export const MAX_TABLE_FORM_BYTES = 33 * 1024 * 1024

const allowedMethods = ['GET', 'HEAD', 'POST']
const changesSomething = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD'

export const originOf = (request: Request, publicUrl: string | null) =>
  publicUrl ?? new URL(request.url).origin

function isCrossOrigin(request: Request, publicUrl: string | null) {
  if (!changesSomething(request)) return false
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== originOf(request, publicUrl)
  return request.headers.get('sec-fetch-site') !== 'same-origin'
}

/** Refuses a second host, because a proxy could cache the response under the other host. */
export function hasSingleHost({
  url = '/',
  rawHeaders,
  headers,
}: Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'>) {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return false
  if (url.startsWith('/')) return true
  const target = URL.parse(url)
  const host = URL.parse(`http://${headers.host}`)
  return (
    target !== null &&
    host !== null &&
    target.username === '' &&
    target.password === '' &&
    target.host === host.host
  )
}

function isDecodablePath(address: string) {
  const { pathname } = new URL(address)
  return !pathname.includes('%00') && decodePercent(pathname) !== null
}

export const MAX_DISCOVERED_PATHS = 200

function hasTooManyPaths(address: string) {
  const { pathname, searchParams } = new URL(address)
  return (
    pathname === '/__manifest' &&
    (searchParams.get('paths') ?? '').split(',').length > MAX_DISCOVERED_PATHS
  )
}

/** PostgreSQL refuses texts with a null byte. */
export function stripNullBytes(request: Request) {
  const url = new URL(request.url)
  if (!url.search.includes('%00')) return request
  // Without the first `replace`, '%%0000' would become '%00'.
  url.search = url.search.replace(/%(?![0-9a-f]{2})/gi, '%25').replaceAll('%00', '')
  return new Request(url, request)
}

function limitOf(request: Request) {
  const { pathname } = new URL(request.url)
  const hasFiles = request.headers.get('content-type')?.startsWith('multipart/form-data') ?? false
  if (hasFiles && mayHaveImages(pathname)) return MAX_IMAGE_FORM_BYTES
  if (!pathname.startsWith('/manage/')) return MAX_PUBLIC_FORM_BYTES
  if (!hasFiles) return MAX_FORM_BYTES
  return isUnder(pathname, '/manage/import-export') ? MAX_TABLE_FORM_BYTES : MAX_IMAGE_FORM_BYTES
}

const isUnder = (pathname: string, path: string) =>
  [path, `${path}.data`].includes(pathname) || pathname.startsWith(`${path}/`)
const isOfConversation = (pathname: string) => isUnder(pathname, '/messages')
const mayHaveImages = (pathname: string) =>
  isOfConversation(pathname) || isUnder(pathname, '/account/photo')
/**
 * The route of a message reads the text before it checks the sender, so that a refusal can return
 * the text.
 */
const isMessage = (pathname: string) =>
  isOfConversation(pathname) && !pathname.startsWith('/messages/pictures')

export const isLargeBody = (request: Request) =>
  changesSomething(request) &&
  request.body !== null &&
  !(Number(request.headers.get('content-length') ?? Number.NaN) <= LARGE_BODY_BYTES)

export const TOO_LARGE = {
  status: 413,
  text: 'This is too large to send. Please go back and choose a smaller file or a shorter text.',
}

export function rejectRequest(request: Request, publicUrl: string | null) {
  if (!allowedMethods.includes(request.method)) {
    return { status: 405, text: 'This request method is not allowed.' }
  }
  if (!isDecodablePath(request.url) || hasTooManyPaths(request.url)) {
    return { status: 400, text: 'This address is not valid.' }
  }
  if (isCrossOrigin(request, publicUrl)) {
    return { status: 403, text: 'This form came from another site.' }
  }
  if (Number(request.headers.get('content-length') ?? 0) > limitOf(request)) return TOO_LARGE
  return null
}

export async function limitBody(request: Request, role: User['role'] | null) {
  const { pathname } = new URL(request.url)
  const contentLength = request.headers.get('content-length')
  if (
    contentLength !== null &&
    role === null &&
    isMessage(pathname) &&
    Number(contentLength) > MAX_PUBLIC_FORM_BYTES
  ) {
    return null
  }
  if (!request.body || contentLength !== null) return request
  const isTrusted = role === 'owner' || (role !== null && mayHaveImages(pathname))
  const limit = isTrusted ? limitOf(request) : MAX_PUBLIC_FORM_BYTES
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.length
      if (length > limit) return null
      chunks.push(chunk)
    }
  } catch {}
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: new Blob(chunks) })
}

export function withPublicOrigin(request: Request, publicUrl: string | null) {
  const url = new URL(request.url)
  if (publicUrl === null || url.origin === publicUrl) return request
  // As a relative URL, a path with two leading slashes would begin with a host.
  return new Request(`${publicUrl}${url.pathname}${url.search}`, request)
}

export const readTheme = (request: Request) => themeOf(request.headers.get('cookie') ?? '')
export function themeOf(cookie: string) {
  const theme = /(?:^|;\s*)(?:__Host-)?theme=(dark|light)(?:;|$)/.exec(cookie)?.[1]
  return (theme ?? null) as 'dark' | 'light' | null
}
