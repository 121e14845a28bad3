import { createServer, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { countWork } from '#app/features/admin/system-status/status.server.ts'
import { openClientAddress, openTrust } from '#app/platform/client-address.server.ts'
import { readEnv, type Env } from '#app/platform/env.server.ts'
import { productionRefusals, refuseIfAny } from '#app/platform/production.server.ts'
import { createServices } from './bootstrap.ts'
import { createCdn } from './cache/cdn.ts'
import { createPageCache } from './cache/page-cache.ts'
import { createShutdown } from './graceful-shutdown.ts'
import { createHttpApp } from './http/app.ts'
import { createLoadShedder, limitConnections, serverOptions } from './http/load-shedding.ts'
import { createWebSocketServer } from './realtime/websocket-server.ts'
import { createRequestHandler } from './request-handler.ts'
import { describeStartupErrors } from './startup-errors.ts'
import { captureConsole, createTelemetry } from './telemetry/index.ts'
import { createReadinessCheck } from './telemetry/readiness.ts'

const env = await exitOnError(undefined, () => readEnv(process.env))
await exitOnError(env, () => refuseIfAny(productionRefusals(env, process.env)))
const { shop, owner, watchers, close } = await exitOnError(env, () => createServices(env, (line) => console.log(line)))

const shutdown = createShutdown(env.drainSeconds)
const failures = createReadinessCheck({ db: shop.db, dataDir: env.dataDir, isStopping: shutdown.isStopping, log: shop.log })
const handler = createRequestHandler(shop, 'production', watchers)
const cdn = env.cdn && createCdn({ settings: env.cdn, shop })
const pageCache = createPageCache({ handler, shop, cdn, maxBytes: env.readyPagesMb * 1024 * 1024 })
const clientAddressOf = openClientAddress(env.trustedProxies, warnUntrustedProxy())
const shedder = createLoadShedder({ publicUrl: env.publicUrl, maxDelayMs: env.longestWait })
const telemetry = await createTelemetry({
  env,
  shop,
  sources: {
    liveConnections: () => webSockets.count(),
    work: () => countWork(shop.db),
    caches: { pages: pageCache.stats, overload: shedder.stats },
  },
})

const app = createHttpApp({
  handler,
  // Beside the folder of this bundle.
  clientFolder: fileURLToPath(new URL('../client', import.meta.url)),
  shop,
  clientAddressOf,
  isReady: async () => (await failures()).length === 0,
  closeConnection: shutdown.closeConnection,
  shedLoad: shedder.middleware,
  pageCache,
  telemetry,
})
const server = createServer(serverOptions, app)
limitConnections(server, { isTrusted: openTrust(env.trustedProxies) })
const webSockets = createWebSocketServer(server, shop, { clientAddressOf })
const port = await exitOnError(env, () => listen(server, env))
captureConsole(shop.log)

// A terminal's Ctrl+C arrives twice, once through npm: the second signal must not end what the first has begun.
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const address = env.publicUrl ?? `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(env.host) ? 'localhost' : env.host}:${port}`
console.log(`Knots & Love is open at ${address}/\nThe owner signs in at ${address}/login/ as ${owner.email}${owner.hint}`)

/** Open tabs are told to come back, each at its own pace, and are answered by another process or by the next one. */
function stop() {
  if (shutdown.isStopping()) return
  webSockets.close()
  cdn?.close()
  shutdown.stop(server, () => void close().then(() => process.exit(0)))
}

/** Behind a proxy that is not named in TRUSTED_PROXIES all visitors count as one address: the log says so once. */
function warnUntrustedProxy() {
  let isWarned = false
  return (remote: string) => {
    if (isWarned) return
    isWarned = true
    shop.log.info(
      `${remote} tells of other addresses in X-Forwarded-For and is not believed; if it is your proxy, name it in TRUSTED_PROXIES`,
    )
  }
}

function listen(server: Server, { port, host }: Env): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const bound = server.address()
      resolve(bound && typeof bound === 'object' ? bound.port : port)
    })
  })
}

async function exitOnError<Result>(settings: Env | undefined, attempt: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    for (const reason of describeStartupErrors(error, settings)) console.error(`The shop cannot start: ${reason}`)
    process.exit(1)
  }
}
