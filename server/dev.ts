/** Development: Vite in middleware mode in front of the same shop function. */
import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createServer as createVite } from 'vite'
import { readEnv } from '../app/platform/env.server.ts'
import { openLiveSocket } from './live-socket.ts'

const env = readEnv(process.env)
const server = createServer()
const vite = await createVite({ server: { middlewareMode: true, hmr: { server } }, appType: 'custom' })
const load = () => vite.ssrLoadModule('./server/app.ts') as Promise<typeof import('./app.ts')>
const { openShop, findUserOf, endedSessions } = await load()
const { shop, owner } = await openShop(env, (line) => console.log(line))
const listener = getRequestListener(async (request) => (await load()).createApp(shop, 'development')(request))
server.on('request', (request, response) => vite.middlewares(request, response, () => void listener(request, response)))
openLiveSocket(server, shop, { findUserOf, endedSessions })
server.listen(env.port, env.host, () => {
  console.log(`Knots & Love (development) is open at http://localhost:${env.port}/`)
  console.log(`The owner signs in as ${owner.email}${owner.hint}`)
})
