/** The router's own requests, made patient: what only reads waits for the connection, what writes says at once that it did not go out. */
import { doubtConnection, whenReached } from './connection.ts'

/** The shop could not be asked; whether a form arrived is not known. */
export class Unreachable extends Error {
  override name = 'Unreachable'
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
    if (!isRouters(new URL(address, location.href))) return fetch(input, init)
    for (let tries = 1; ; tries++) {
      try {
        return await whole(await fetch(input, init))
      } catch (error) {
        if (init?.signal?.aborted) throw error
        doubtConnection()
        if ((init?.method ?? 'GET') !== 'GET' || tries === MOST_TRIES) throw new Unreachable()
        await whenReached(init?.signal)
      }
    }
  }
}

/** Read to its end, so that an answer which breaks off is noticed here as well. */
async function whole(response: Response): Promise<Response> {
  if (AWAY.includes(response.status) && !response.headers.has('X-Remix-Response')) throw new Unreachable()
  return response.body ? new Response(await response.arrayBuffer(), response) : response
}
