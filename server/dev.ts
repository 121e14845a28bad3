import { createServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { createServer as createVite } from 'vite'
import { readEnv } from '#lib/config/env.server.ts'

const env = readEnv(process.env)
const server = createServer()
const vite = await createVite({
  server: { middlewareMode: true, hmr: { server } },
  appType: 'custom',
})
const load = <Module>(path: string) => vite.ssrLoadModule(path) as Promise<Module>
const loadHandler = () => load<typeof import('./request-handler.ts')>('./server/request-handler.ts')
const { createServices } = await load<typeof import('./bootstrap.ts')>('./server/bootstrap.ts')
const { createWebSocketServer } = await load<typeof import('./realtime/websocket-server.ts')>(
  './server/realtime/websocket-server.ts',
)
const { services, owner } = await createServices(env, console.log)
const listener = getRequestListener(async (request) =>
  (await loadHandler()).createRequestHandler(services, 'development')(request),
)
server.on('request', (request, response) => {
  if (request.url === '/health') return void response.end('ok')
  vite.middlewares(request, response, () => void listener(request, response))
})
createWebSocketServer(server, services)
server.listen(env.port, env.host, () => {
  console.log(`Knots & Love (development) is open at http://localhost:${env.port}/`)
  console.log(`The owner logs in as ${owner.email}${owner.hint}`)
})
