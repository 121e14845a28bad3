/** Production: the built shop on Node's HTTP server. Opens, says where, and stops gracefully. */
import { createServer } from 'node:http'
import { sql } from 'kysely'
import { openClientAddress } from '../app/platform/client-address.server.ts'
import { readEnv, type Env } from '../app/platform/env.server.ts'
import { openLiveSocket } from './live-socket.ts'
import { reasonOf } from './start-failure.ts'
import { openWeb } from './web.ts'

/** How long answers under way may take once the shop is told to stop. */
const PATIENCE = 5000

const env = await orGiveUp(undefined, () => readEnv(process.env))
const { createApp, openShop, findUserOf, endedSessions } = (await import(
  new URL('../build/server/index.js', import.meta.url).href
)) as typeof import('./app.ts')
const { shop, owner, close } = await orGiveUp(env, () => openShop(env, (line) => console.log(line)))

let isStopping = false
const isWell = () =>
  isStopping
    ? Promise.resolve(false)
    : sql`select 1`.execute(shop.db).then(
        () => true,
        () => false,
      )
const client = new URL('../build/client', import.meta.url).pathname
let isWarned = false
const clientAddressOf = openClientAddress(env.trustedProxies, warnOnce)
const server = createServer(openWeb({ app: createApp(shop), client, publicUrl: env.publicUrl, clientAddressOf, isWell }))
const live = openLiveSocket(server, shop, { findUserOf, endedSessions }, { clientAddressOf })
const port = await orGiveUp(env, listen)

// A terminal's Ctrl+C arrives twice, once through npm: the second must not end what the first has begun.
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const address = env.publicUrl ?? `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(env.host) ? 'localhost' : env.host}:${port}`
console.log(`Knots & Love is open at ${address}/\nThe owner signs in at ${address}/login/ as ${owner.email}${owner.hint}`)

/** A proxy that nobody named makes all visitors one, whose tries count together: whoever runs the shop should know. */
function warnOnce(remote: string) {
  if (isWarned) return
  isWarned = true
  shop.log.info(
    `${remote} tells of other addresses in X-Forwarded-For and is not believed; if it is your proxy, name it in TRUSTED_PROXIES`,
  )
}

function listen(): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(env.port, env.host, () => {
      server.off('error', fail)
      const bound = server.address()
      done(bound && typeof bound === 'object' ? bound.port : env.port)
    })
  })
}

/** No new connection is taken; answers under way go out; a download that never ends does not keep the shop from stopping. */
function stop() {
  if (isStopping) return
  isStopping = true
  live.close()
  server.close(() => void close().then(() => process.exit(0)))
  // Connections that fall idle after their last answer would otherwise be kept for the next one.
  setInterval(() => server.closeIdleConnections(), 50)
  setTimeout(() => server.closeAllConnections(), PATIENCE)
}

/** One line that says what is wrong, and no stack. */
async function orGiveUp<Result>(settings: Env | undefined, attempt: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    console.error(`The shop cannot start: ${reasonOf(error, settings)}`)
    process.exit(1)
  }
}
