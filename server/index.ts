import { createServer, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { countPendingWork } from '#admin/status/status.server.ts'
import { createClientAddress, createProxyTrust } from '#lib/http/client-address.server.ts'
import { readEnv, type Env } from '#lib/config/env.server.ts'
import { checkProductionConfig, throwIfInvalid } from '#lib/config/production-checks.server.ts'
import { createServices } from './bootstrap.ts'
import { createPageCache } from './cache/page-cache.ts'
import { createHttpApp } from './http/app.ts'
import { createLoadShedder, limitConnections, serverOptions } from './http/load-shedding.ts'
import { createWebSocketServer } from './realtime/websocket-server.ts'
import { createRequestHandler } from './request-handler.ts'
import { describeStartupErrors } from './startup-errors.ts'
import { captureConsole, createTelemetry } from './telemetry/index.ts'
import { createReadinessCheck } from './telemetry/readiness.ts'

const DRAIN_TIMEOUT_MS = 5000
/** A proxy may still send a last request on an idle connection. */
const KEEP_ALIVE_GRACE_MS = 1500

let isStopping = false
const env = await exitOnError(undefined, () => readEnv(process.env))
await exitOnError(env, () => throwIfInvalid(checkProductionConfig(env, process.env)))
const { services, owner, close } = await exitOnError(env, () => createServices(env, console.log))
const { db, log } = services

const findFailures = createReadinessCheck({
  db,
  dataDir: env.dataDir,
  isStopping: () => isStopping,
  log,
})
const handler = createRequestHandler(services)
const pageCache = createPageCache({
  handler,
  services,
  maxBytes: env.readyPagesMb * 1024 * 1024,
})
const clientAddressOf = createClientAddress(env.trustedProxies, warnUntrustedProxy())
const shedder = createLoadShedder({ publicUrl: env.publicUrl, maxDelayMs: env.longestWait })
const telemetry = await createTelemetry({
  env,
  services,
  sources: {
    liveConnections: () => webSockets.count(),
    work: () => countPendingWork(db),
    caches: { pages: pageCache.stats, overload: shedder.stats },
  },
})

const app = createHttpApp({
  handler,
  clientFolder: fileURLToPath(new URL('../client', import.meta.url)),
  services,
  clientAddressOf,
  isReady: async () => (await findFailures()).length === 0,
  closeConnection(outgoing) {
    if (isStopping) outgoing.setHeader('Connection', 'close')
  },
  shedLoad: shedder.middleware,
  pageCache,
  telemetry,
})
const server = createServer(serverOptions, app)
limitConnections(server, { isTrusted: createProxyTrust(env.trustedProxies) })
const webSockets = createWebSocketServer(server, services, { clientAddressOf })
const port = await exitOnError(env, () => listen(server, env))
captureConsole(log)

process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const address =
  env.publicUrl ??
  `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(env.host) ? 'localhost' : env.host}:${port}`
console.log(
  `Knots & Love is open at ${address}/\nThe owner logs in at ${address}/login/ as ${owner.email}${owner.hint}`,
)
setImmediate(flushCompileCache)

function stop() {
  if (isStopping) return
  isStopping = true
  webSockets.close()
  // `process.exit` would wait for a hung thread of libvips. When `exit` runs, all data is stored.
  const exit = () =>
    services.images.hasHung() ? process.kill(process.pid, 'SIGKILL') : process.exit(0)
  const drainMs = env.drainSeconds * 1000
  setTimeout(() => server.close(() => void close().then(exit)), drainMs + KEEP_ALIVE_GRACE_MS)
  setTimeout(() => server.closeAllConnections(), drainMs + DRAIN_TIMEOUT_MS)
}

function warnUntrustedProxy() {
  let isWarned = false
  return (remote: string) => {
    if (isWarned) return
    isWarned = true
    log.info(
      `${remote} sent X-Forwarded-For and is not a trusted proxy; if it is your proxy, add it to TRUSTED_PROXIES`,
    )
  }
}

function listen(server: Server, { port, host }: Env) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const bound = server.address()
      resolve(bound && typeof bound === 'object' ? bound.port : port)
    })
  })
}

async function exitOnError<Result>(
  settings: Env | undefined,
  attempt: () => Result | Promise<Result>,
) {
  try {
    return await attempt()
  } catch (error) {
    for (const reason of describeStartupErrors(error, settings)) {
      console.error(`The shop cannot start: ${reason}`)
    }
    process.exit(1)
  }
}
