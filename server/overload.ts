/**
 * Beyond what the shop can do it says so at once, instead of letting everybody wait for ever: 503, and when to come back (047). Visitors who
 * only look go first; who is signed in, and whatever writes, has more room. What is ready or tells of the shop itself is never refused.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { ClientAddressOf } from '../app/platform/client-address.server.ts'
import { guarded } from './headers.ts'
import { plainPage } from './plain-page.ts'
import { MAX_FORM_BYTES, MAX_PICTURE_FORM_BYTES, themeOf } from './requests.ts'

/** Visitors who only look are refused when one waits longer than the setting says, everybody at so many times of it. */
const FOR_ALL = 3
/** So many may be under way: each holds memory, forms that come slowly, for instance. */
const UNDER_WAY = { all: 4000, perAddress: 400 }
/** Of one line, ahead of the answers: browsers and proxies ask for one thing after the other. */
const MOST_AHEAD = 16
/** Bytes of forms under way, as they are announced: nobody's forms that never come take the room of others. */
const MOST_BYTES = { all: 256 * 1024 * 1024, perAddress: 64 * 1024 * 1024 }
/** Bytes of answers that are made and not yet taken off by whoever asked: of one address, and of all, where whoever leaves most lying is cut off. */
const MOST_UNSENT = { all: 256 * 1024 * 1024, perAddress: 64 * 1024 * 1024 }
/** A form of text always has room; so many as may be under way take no more than the large ones. */
const TEXT_BYTES = 64 * 1024
const TEXT = 'So many people are in the shop that it cannot keep up. Please try again in a moment.'
/** Seconds; each is told another time, so that they do not all come back at once. */
const comeBackIn = () => 2 + Math.floor(Math.random() * 4)

export type Overload = {
  /** The listener behind the door. */
  guard: (listener: RequestListener) => RequestListener
  /** since the start */
  refused: () => number
  underWay: () => number
  /** bytes */
  unsent: () => number
}

/** `wait`: milliseconds that somebody who comes now waits at the door; `longest`: more than that is too much. */
type Settings = { clientAddressOf: ClientAddressOf; publicUrl: string | null; wait: () => number; longest: number }

type Own = { count: number; bytes: number; unsent: number; lines: Map<ServerResponse, Socket> }
const nothing = (): Own => ({ count: 0, bytes: 0, unsent: 0, lines: new Map() })

export function openOverload({ clientAddressOf, publicUrl, wait, longest }: Settings): Overload {
  const ofAddress = new Map<string, Own>()
  const ahead = new WeakMap<Socket, number>()
  let all = 0
  let bytes = 0
  let unsent = 0
  let refused = 0

  function hasRoom(own: Own, isReading: boolean, size: number): boolean {
    if (all >= UNDER_WAY.all || own.count >= UNDER_WAY.perAddress) return false
    if (size > 0 && (bytes + size > MOST_BYTES.all || own.bytes + size > MOST_BYTES.perAddress)) return false
    return wait() < (isReading ? longest : longest * FOR_ALL)
  }

  const guard =
    (listener: RequestListener): RequestListener =>
    (request, response) => {
      if (isSpared(request.url ?? '/')) return listener(request, response)
      const line = request.socket
      // What was read together with what broke the line off is made for nobody.
      if (line.destroyed) return
      const onLine = (ahead.get(line) ?? 0) + 1
      if (onLine > MOST_AHEAD) {
        refused += 1
        return void line.destroy()
      }
      const address = clientAddressOf(line.remoteAddress, request.headers['x-forwarded-for']?.toString())
      const told = sizeOf(request)
      const size = told <= TEXT_BYTES ? 0 : told
      const own = ofAddress.get(address) ?? nothing()
      if (!hasRoom(own, isLook(request), size)) {
        refused += 1
        return refuse(request, response)
      }
      all += 1
      bytes += size
      ahead.set(line, onLine)
      response.once('close', () => ahead.set(line, ahead.get(line)! - 1))
      ofAddress.set(address, own)
      own.count += 1
      own.bytes += size
      once(response, () => {
        all -= 1
        bytes -= size
        own.count -= 1
        own.bytes -= size
        holdUnsent(address, own, line, response)
      })
      listener(request, response)
    }

  /** On one line a thousand may be asked for before the first is taken off: nobody gets as many as he leaves lying. */
  function holdUnsent(address: string, own: Own, line: Socket, response: ServerResponse) {
    const size = line.destroyed ? 0 : response.writableLength
    const forget = () => own.count === 0 && own.lines.size === 0 && ofAddress.delete(address)
    if (size === 0) return void forget()
    const isTooMuch = own.unsent > 0 && own.unsent + size > MOST_UNSENT.perAddress
    unsent += size
    own.unsent += size
    own.lines.set(response, line)
    response.once('close', () => {
      unsent -= size
      own.unsent -= size
      own.lines.delete(response)
      forget()
    })
    if (isTooMuch) line.destroy()
    else if (unsent > MOST_UNSENT.all) cutOffWorst()
  }

  function cutOffWorst() {
    const worst = [...ofAddress.values()].reduce((most, one) => (one.unsent > most.unsent ? one : most))
    for (const line of new Set(worst.lines.values())) line.destroy()
  }

  const refuse = refusal(publicUrl)
  return { guard, refused: () => refused, underWay: () => all, unsent: () => unsent }
}

/** Files of the build and what says how the shop is: they cost next to nothing. */
const isSpared = (url: string) => url.startsWith('/assets/') || /^\/(health|ready|metrics)(\?|$)/.test(url)

const hasSession = ({ headers }: IncomingMessage) => /session_token=/.test(headers.cookie ?? '')

/** Somebody without a session looks at something; a made-up session gains little, since its address has its bound. */
const isLook = (request: IncomingMessage) => (request.method === 'GET' || request.method === 'HEAD') && !hasSession(request)

/** Of a length that is not told as much as may come (`withBoundedBody`): from whoever is signed in, pictures. */
function sizeOf(request: IncomingMessage): number {
  const { headers } = request
  const told = Number(headers['content-length'] ?? Number.NaN)
  if (told >= 0) return told
  if (!headers['transfer-encoding']) return 0
  return hasSession(request) ? MAX_PICTURE_FORM_BYTES : MAX_FORM_BYTES
}

/** When the answer is made, or the line broken off; how slowly it may be read is a matter of its connection (connections.ts). */
function once(response: ServerResponse, leave: () => void): void {
  let isLeft = false
  const go = () => {
    if (isLeft) return
    isLeft = true
    leave()
  }
  const end = response.end.bind(response)
  response.end = ((...rest: Parameters<typeof end>) => {
    const ended = end(...rest)
    go()
    return ended
  }) as typeof response.end
  response.once('close', go)
}

/** Made once: refusing must cost far less than answering. */
function refusal(publicUrl: string | null): (request: IncomingMessage, response: ServerResponse) => void {
  // In either theme; a form that is asked for again would come without what was typed.
  const pages = (['dark', 'light'] as const).flatMap((theme) =>
    [true, false].map((isWorthAnotherTry) => {
      const page = guarded(plainPage(503, TEXT, { theme, isWorthAnotherTry }), publicUrl)
      const made = { theme, isWorthAnotherTry, headers: [...page.headers].flat(), body: Buffer.alloc(0) }
      void page.arrayBuffer().then((bytes) => (made.body = Buffer.from(bytes)))
      return made
    }),
  )
  return (request, response) => {
    const [theme, isWorthAnotherTry] = [themeOf(request.headers.cookie ?? ''), request.method === 'GET']
    const { headers, body } = pages.find((page) => page.theme === theme && page.isWorthAnotherTry === isWorthAnotherTry)!
    // What is still to come of its body is not waited for.
    if (sizeOf(request) > 0) response.shouldKeepAlive = false
    response.writeHead(503, [...headers, 'Retry-After', String(comeBackIn()), 'Content-Length', String(body.length)])
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}
