/** The limits of the server on a real port, with an application that answers when the test says so. */
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { expect } from 'vitest'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import type { Environment } from '#server/http/environment.ts'
import { createLoadShedder, limitConnections, serverOptions } from '#server/http/load-shedding.ts'
import { listen } from './listen.ts'

/** However it ends: what is still being sent then fails, and `once` would take that for the end of the test. */
export const closed = (socket: Socket) => new Promise((done) => socket.once('close', done))

export async function openDoor(limits: Parameters<typeof limitConnections>[1] = {}) {
  const state = { delay: 0 }
  const held: ServerResponse[] = []
  const shedder = createLoadShedder({ publicUrl: null, maxDelayMs: 400, delay: () => state.delay })
  const clientAddressOf = openClientAddress()
  const app = new Hono<Environment>()
  app.get('/health', () => new Response('ok'))
  app.use(async (c, next) => {
    const { socket, headers } = c.env.incoming
    c.set('visit', { address: clientAddressOf(socket.remoteAddress, headers['x-forwarded-for']?.toString()) })
    return next()
  })
  app.use(shedder.middleware)
  app.all('*', ({ env: { outgoing } }) => {
    held.push(outgoing)
    return new Promise<Response>((done) => outgoing.once('close', () => done(RESPONSE_ALREADY_SENT)))
  })
  const server = createServer({ ...serverOptions, connectionsCheckingInterval: 20 }, getRequestListener(app.fetch))
  limitConnections(server, limits)
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
  const refused = () => shedder.stats().refused
  /** Until so many are under way. */
  const underWay = (count: number) => expect.poll(() => shedder.stats().inFlight).toBe(count)
  return { state, held, refused, port, origin, ask, customer, underWay }
}
