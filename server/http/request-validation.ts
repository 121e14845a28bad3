import type { IncomingMessage } from 'node:http'
import type { User } from '#app/platform/context.ts'

/** Pictures of up to 10 MB and their form; any other form is text. */
const MAX_PICTURE_FORM_BYTES = 12 * 1024 * 1024
export const MAX_FORM_BYTES = 2 * 1024 * 1024
const LARGE_BODY_BYTES = 64 * 1024
/** Tables of up to 32 MB, on their one page. */
export const MAX_TABLE_FORM_BYTES = 33 * 1024 * 1024

const allowedMethods = ['GET', 'HEAD', 'POST']
const changesSomething = (request: Request) => request.method !== 'GET' && request.method !== 'HEAD'

/** The origin under which the browser sees the shop: PUBLIC_URL, else the address that it asked (S-115). */
export const originOf = (request: Request, publicUrl: string | null): string => publicUrl ?? new URL(request.url).origin

/** A state-changing request that another site made the browser send. Browsers name the origin of every one; who names none is refused too. */
function isCrossOrigin(request: Request, publicUrl: string | null): boolean {
  if (!changesSomething(request)) return false
  const origin = request.headers.get('origin')
  if (origin !== null) return origin !== originOf(request, publicUrl)
  return request.headers.get('sec-fetch-site') !== 'same-origin'
}

/** With two hosts in one request, a proxy would read it differently than the shop does, and might keep the answer under the wrong name. */
export function hasSingleHost({ url = '/', rawHeaders, headers }: Pick<IncomingMessage, 'url' | 'rawHeaders' | 'headers'>): boolean {
  let hosts = 0
  // Every request passes here: a loop makes no garbage.
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts += 1
  if (hosts > 1) return false
  if (url.startsWith('/')) return true
  const [asked, named] = [URL.parse(url), URL.parse(`http://${headers.host}`)]
  return asked !== null && named !== null && asked.username === '' && asked.password === '' && asked.host === named.host
}

/** A path whose escapes do not decode, or that hides a zero byte, which PostgreSQL would choke on. */
function isDecodablePath(address: string): boolean {
  const { pathname } = new URL(address)
  if (pathname.includes('%00')) return false
  try {
    // The result is used, for the build leaves out what it takes for a call without effect.
    return decodeURIComponent(pathname) !== ''
  } catch {
    return false
  }
}

/** What people type into a search may hold a zero byte; it is left out rather than the whole page refused. */
export function stripNullBytes(request: Request): Request {
  const url = new URL(request.url)
  if (!url.search.includes('%00')) return request
  // A percent sign that stands for itself must not make another zero byte with what comes to stand behind it: '%%0000'.
  url.search = url.search.replace(/%(?![0-9a-f]{2})/gi, '%25').replaceAll('%00', '')
  return new Request(url, request)
}

/** Only conversations, the photo of an account and the owner's pages take pictures, and only hers tables. */
function limitOf(request: Request): number {
  const { pathname } = new URL(request.url)
  if (!request.headers.get('content-type')?.startsWith('multipart/form-data')) return MAX_FORM_BYTES
  if (isOfConversation(pathname) || isPhoto(pathname)) return MAX_PICTURE_FORM_BYTES
  if (!pathname.startsWith('/manage/')) return MAX_FORM_BYTES
  return /^\/manage\/tables(\/|\.data$|$)/.test(pathname) ? MAX_TABLE_FORM_BYTES : MAX_PICTURE_FORM_BYTES
}

/** 025: a customer's messages, and the pictures that go out before them. */
const isOfConversation = (pathname: string): boolean => /^\/messages(\/|\.data$|$)/.test(pathname)
const isPhoto = (pathname: string): boolean => /^\/account\/photo(\/|\.data$|$)/.test(pathname)
/** Its form is read before it is asked who sends it, since a text that is refused is given back. The other addresses ask first. */
const isMessage = (pathname: string): boolean => isOfConversation(pathname) && !pathname.startsWith('/messages/pictures')

/** More than people type, or of a length that nobody has told: what many of them hold in memory has to be limited. */
export const isLargeBody = (request: Request): boolean =>
  changesSomething(request) && request.body !== null && !(Number(request.headers.get('content-length') ?? Number.NaN) <= LARGE_BODY_BYTES)

const TOO_LARGE = { status: 413, text: 'That is more than the shop takes at once.' }

/** Why a request goes no further than the door; null: it may come in. Judged before any of its body is read. */
export function rejectRequest(request: Request, publicUrl: string | null): { status: number; text: string } | null {
  if (!allowedMethods.includes(request.method)) return { status: 405, text: 'The shop does not do that.' }
  if (!isDecodablePath(request.url)) return { status: 400, text: 'This address could not be read.' }
  if (isCrossOrigin(request, publicUrl)) return { status: 403, text: 'This form came from another site.' }
  if (Number(request.headers.get('content-length') ?? 0) > limitOf(request)) return TOO_LARGE
  return null
}

/** null: the body became too long. Only the owner may send as much as her pages take, and only who is signed in a picture. */
export async function limitBody(request: Request, role: User['role'] | null): Promise<Request | null> {
  const { pathname } = new URL(request.url)
  const told = request.headers.get('content-length')
  if (told !== null && role === null && isMessage(pathname) && Number(told) > MAX_FORM_BYTES) return null
  if (!request.body || told !== null) return request
  const isTrusted = role === 'admin' || (role !== null && (isOfConversation(pathname) || isPhoto(pathname)))
  const limit = isTrusted ? limitOf(request) : MAX_FORM_BYTES
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  try {
    for await (const chunk of request.body) {
      length += chunk.length
      if (length > limit) return null
      chunks.push(chunk)
    }
  } catch {
    // A body that ended early is passed on as it is; the route refuses it as unreadable.
  }
  const { url, method, headers, signal } = request
  return new Request(url, { method, headers, signal, body: new Blob(chunks) })
}

/** Behind a TLS proxy the request arrives as http: give it the address that the browser used. */
export function withPublicOrigin(request: Request, publicUrl: string | null): Request {
  const url = new URL(request.url)
  if (publicUrl === null || url.origin === publicUrl) return request
  // Put together as text: a path that begins with two slashes would be read as the name of another host.
  return new Request(`${publicUrl}${url.pathname}${url.search}`, request)
}

/** THEME-02, S-027: dark on a first visit, then what the device remembers. */
export const readTheme = (request: Request): 'dark' | 'light' => themeOf(request.headers.get('cookie') ?? '')
export const themeOf = (cookie: string): 'dark' | 'light' => (/(?:^|;\s*)(?:__Host-)?theme=light(?:;|$)/.test(cookie) ? 'light' : 'dark')
