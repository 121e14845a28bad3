/** The door of the shop on a real port, with a listener that answers when the test says so. */
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { expect } from 'vitest'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { boundConnections, serverOptions } from '#server/connections.ts'
import { openOverload } from '#server/overload.ts'
import { listen } from './listen.ts'

/** However it ends: what is still being sent then fails, and `once` would take that for the end of the test. */
export const closed = (socket: Socket) => new Promise((done) => socket.once('close', done))

type Bounds = Parameters<typeof boundConnections>[1]

export async function openDoor({ patience, ...bounds }: Bounds = {}) {
  const state = { wait: 0 }
  const held: ServerResponse[] = []
  const overload = openOverload({ clientAddressOf: openClientAddress(), publicUrl: null, wait: () => state.wait, longest: 400 })
  const listener = overload.guard((request, response) => {
    if (request.url === '/health') return void response.end('ok')
    held.push(response)
  })
  const server = createServer({ ...serverOptions, connectionsCheckingInterval: 20 }, listener)
  boundConnections(server, { patience, ...bounds })
  const port = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const ask = (who: number, init: RequestInit = {}, path = '/gallery/') => {
    const gone = new AbortController()
    const answer = fetch(origin + path, {
      ...init,
      signal: gone.signal,
      headers: { 'x-forwarded-for': `203.0.113.${who}`, ...init.headers },
    })
    answer.catch(() => {})
    return { answer, leave: () => gone.abort() }
  }
  const customer = { headers: { cookie: 'shop.session_token=x' } }
  /** Until so many are under way. */
  const underWay = (count: number) => expect.poll(overload.underWay).toBe(count)
  return { state, held, overload, port, origin, ask, customer, underWay }
}
