/**
 * Public pages as one signed-in person sees them, kept for that person's next look at them (040): after a step back, in a second tab, when the
 * browser asks again. Who asks is looked up in the database each time; only the making and the packing of the same page is saved.
 */
import { LRUCache } from 'lru-cache'
import type { Page, Shop, User } from '#app/platform/context.ts'
import { isPanelOpen } from '#app/features/conversations/message-address.ts'
import { epochOf } from '#app/platform/kept.server.ts'
import { isOutageMet } from '#app/platform/outage.server.ts'
import { sheetOf, withSheet, type Kept } from '#app/platform/whole-text.server.ts'

/** Of memory, for all people together, counted generously: a text takes two bytes for each letter once one of them is no Latin one. */
const MOST_BYTES = 24 * 1024 * 1024
/** Milliseconds: nothing that goes by the clock stays longer. */
const LIFE = 60_000
const LONGEST_ADDRESS = 300
/** Pages without a form whose time counts, and their data. */
const pages = /^\/(?:_\.data|(?:gallery|item|about|testimonials)(?:\/[\w%.~-]*)?(?:\/|\/_\.data|\.data)?)?$/

type Entry = { version: string; until: number; person: string; status: number; headers: [string, string][]; kept: Kept }
/** Of what stands beside each page: its heads, whose it is, and the table's own. */
const BESIDE = 1000

type Asking = { request: Request; page: Page; user: User | null }

export function openOwnPages({ live, now }: Pick<Shop, 'live' | 'now'>, mostBytes = MOST_BYTES) {
  const entries = new LRUCache<string, Entry>({ maxSize: mostBytes })
  /** A version may come back: a change's own mark goes when its echo is late (shared-live.server.ts). This never does. */
  let changes = 0
  live.onChange(() => (changes += 1))

  /** The whole Cookie header is part of the name: nothing that a loader could read of the request stands beside it. */
  function nameOf({ request, page, user }: Asking): string | null {
    if (request.method !== 'GET' || user === null || page.cookies.length > 0 || !live.isHearing()) return null
    const { pathname, search } = new URL(request.url)
    if (!pages.test(pathname) || pathname.length + search.length > LONGEST_ADDRESS || isPanelOpen(search)) return null
    const cookie = request.headers.get('cookie') ?? ''
    if (cookie.includes('flash=')) return null
    return JSON.stringify([user.sessionId, cookie, page.origin, request.headers.get('accept-encoding'), pathname + search])
  }

  /** Every change of anything, and of whoever asks: what is kept from before counts no more. */
  const versionOf = (user: User) => `${live.version(user.id)} ${epochOf(live)} ${changes}`

  return {
    async answer(asking: Asking, make: () => Promise<Response>): Promise<Response> {
      const { page, user } = asking
      const name = nameOf(asking)
      if (name === null || user === null) return make()
      const version = versionOf(user)
      const person = JSON.stringify(user)
      const found = entries.get(name)
      if (found && found.version === version && found.person === person && now() < found.until && now() >= found.until - LIFE)
        return withSheet(new Response(found.kept.sheet.text, { status: found.status, headers: new Headers(found.headers) }), found.kept)
      const response = await make()
      const made = sheetOf(response)
      const isPlain = response.status === 200 && page.cookies.length === 0 && !response.headers.has('Set-Cookie')
      if (!made?.sheet.text || !isPlain || versionOf(user) !== version || isOutageMet()) return response
      const entry: Entry = {
        version,
        person,
        until: now() + LIFE,
        status: 200,
        headers: [...response.headers],
        kept: { sheet: made.sheet, whenPacked },
      }
      const beside = BESIDE + 2 * (name.length + person.length + [...response.headers].flat().join('').length)
      entries.set(name, entry, { size: beside + 2 * made.sheet.text.length })
      return withSheet(response, entry.kept)

      /** The text is let go: this very browser takes the same form of it again. */
      function whenPacked(packed: NonNullable<Kept['sheet']['packed']>) {
        // A copy: packing cuts its bytes out of a larger piece of memory.
        entry.kept.sheet = { text: null, packed: { ...packed, bytes: new Uint8Array(packed.bytes) } }
        if (entries.peek(name!) !== entry) return
        // The library takes no other size for a value that it holds already.
        entries.delete(name!)
        entries.set(name!, entry, { size: beside + packed.bytes.length })
      }
    },
    bytes: () => entries.calculatedSize,
  }
}
