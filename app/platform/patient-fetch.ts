/** The router's own requests, made patient: what only reads waits for the connection, what writes says at once that it did not go out. */
import { doubtConnection, whenReached } from './connection.ts'
import { someoneIsThere } from './someone.ts'
import { warmScripts } from './warm-scripts.ts'

/** The shop could not be asked; whether a form arrived is not known. */
export class Unreachable extends Error {
  override name = 'Unreachable'
  /** Seconds after which a shop that is too busy wants to be asked again (047). */
  after = 0
}

/** A server in front of the shop says so while the shop is away. */
const AWAY = [502, 503, 504]
/** Times that one request may fail although the shop can be reached. */
const MOST_TRIES = 5
/** What the router asks for: the data of pages and the list of addresses. */
const isRouters = ({ origin, pathname }: URL) => origin === location.origin && (pathname.endsWith('.data') || pathname === '/__manifest')

export function patient(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const address = input instanceof Request ? input.url : input
    const url = new URL(address, location.href)
    if (!isRouters(url)) return fetch(input, init)
    // Asked in advance for the links of a page (a navigation's own question has a signal): nobody follows one before somebody is there.
    const isAhead = url.pathname === '/__manifest' && !init?.signal
    if (isAhead) await someoneIsThere()
    for (let tries = 1; ; tries++) {
      try {
        const answer = await whole(await fetch(input, init))
        // What the list adds comes ahead as well: the page's own turn was over before.
        if (isAhead) warmScripts()
        return answer
      } catch (error) {
        if (init?.signal?.aborted) throw error
        doubtConnection()
        if ((init?.method ?? 'GET') !== 'GET' || tries === MOST_TRIES) throw new Unreachable()
        await whenReached(init?.signal)
        if (error instanceof Unreachable) await new Promise((done) => setTimeout(done, error.after * 1000))
      }
    }
  }
}

/** Read to its end, so that an answer which breaks off is noticed here as well. */
async function whole(response: Response): Promise<Response> {
  if (AWAY.includes(response.status) && !response.headers.has('X-Remix-Response'))
    throw Object.assign(new Unreachable(), { after: Number(response.headers.get('Retry-After')) || 0 })
  return response.body ? new Response(await response.arrayBuffer(), response) : response
}
