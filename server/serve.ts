/** Production: Hono on Node in front of the built shop. Static files, pages, live socket, graceful stop. */
import { serve } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { compress } from 'hono/compress'
import type { Server } from 'node:http'
import { readEnv } from '../app/platform/env.server.ts'
import { openLiveSocket } from './live-socket.ts'

const env = readSettings()
const { createApp, openShop, findUserOf } = (await import(
  new URL('../build/server/index.js', import.meta.url).href
)) as typeof import('./app.ts')
const { shop, generatedPassword, close } = await openShop(env, (line) => console.log(line))
const app = createApp(shop)

const web = new Hono()
const client = new URL('../build/client', import.meta.url).pathname
web.get('/health', (c) => c.text('ok'))
web.use('/assets/*', serveStatic({ root: client, onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=31536000, immutable') }))
web.use('*', serveStatic({ root: client, onFound: (_path, c) => c.header('Cache-Control', 'public, max-age=3600') }))
web.use(compress())
web.all('*', (c) => app(c.req.raw, { address: getConnInfo(c).remote.address ?? '127.0.0.1' }))

const server = serve({ fetch: web.fetch, port: env.port, hostname: env.host }, ({ port }) => {
  const address = env.publicUrl ?? `http://${env.host === '127.0.0.1' || env.host === '0.0.0.0' ? 'localhost' : env.host}:${port}`
  console.log(`Knots & Love is open at ${address}/`)
  console.log(
    generatedPassword
      ? `The owner signs in at ${address}/login/ as ${env.ownerEmail} with the password ${generatedPassword} (kept in ${env.dataDir}/secrets/owner-password)`
      : `The owner signs in at ${address}/login/ as ${env.ownerEmail}`,
  )
}) as Server
const live = openLiveSocket(server, shop, findUserOf)
const mailRound = setInterval(() => void shop.mail.deliverDue().catch((error) => shop.log.error('the mail round failed', error)), 30_000)

function stop() {
  clearInterval(mailRound)
  live.close()
  server.close(() => void close().then(() => process.exit(0)))
  server.closeIdleConnections()
  // A download that never ends must not keep the shop from stopping.
  setTimeout(() => server.closeAllConnections(), 3000).unref()
}
process.once('SIGTERM', stop)
process.once('SIGINT', stop)

function readSettings() {
  try {
    return readEnv(process.env)
  } catch (error) {
    console.error(`The shop cannot start: ${(error as Error).message}`)
    process.exit(1)
  }
}
