/** Another service over HTTP, for the shop to call: keeps what came in, and answers as a test wants it. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { STAYS } from './listen.ts'

export type Arrived = { method: string; path: string; token: string; body: string }

/** `manner`: how it answers the next calls; unset: 204 at once. */
export async function openEndpoint() {
  const arrived: Arrived[] = []
  const endpoint = {
    url: '',
    arrived,
    manner: (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(204).end(),
    async close() {
      server.closeAllConnections()
      if (server.listening) await new Promise((done) => server.close(done))
    },
  }
  const server = createServer({ keepAliveTimeout: STAYS }, async (request, response) => {
    const body = (await request.toArray()).join('')
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    arrived.push({ method: request.method!, path: request.url!, token, body })
    endpoint.manner(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/session`
  onTestFinished(() => endpoint.close())
  return endpoint
}
