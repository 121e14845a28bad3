import { createServer, type Server } from 'node:http'
import { flushCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { countPendingWork } from '#app/features/admin/system-status/status.server.ts'
import { createClientAddress, createProxyTrust } from '#app/lib/http/client-address.server.ts'
import { readEnv, type Env } from '#app/lib/config/env.server.ts'
import { checkProductionConfig, throwIfInvalid } from '#app/lib/config/production-checks.server.ts'
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
await exitOnError(env, () => throwIfInvalid(checkProductionConfig(env, process.env)))
const { services, owner, watchers, close } = await exitOnError(env, () =>
  createServices(env, (line) => console.log(line)),
)

const shutdown = createShutdown(env.drainSeconds)
const failures = createReadinessCheck({
  db: services.db,
  dataDir: env.dataDir,
  isStopping: shutdown.isStopping,
  log: services.log,
})
const handler = createRequestHandler(services, 'production', watchers)
const cdn = env.cdn && createCdn({ settings: env.cdn, services })
const pageCache = createPageCache({
  handler,
  services,
  cdn,
  maxBytes: env.readyPagesMb * 1024 * 1024,
})
const clientAddressOf = createClientAddress(env.trustedProxies, warnUntrustedProxy())
const shedder = createLoadShedder({ publicUrl: env.publicUrl, maxDelayMs: env.longestWait })
const telemetry = await createTelemetry({
  env,
  services,
  sources: {
    liveConnections: () => webSockets.count(),
    work: () => countPendingWork(services.db),
    caches: { pages: pageCache.stats, overload: shedder.stats },
  },
})

const app = createHttpApp({
  handler,
  clientFolder: fileURLToPath(new URL('../client', import.meta.url)),
  services,
  clientAddressOf,
  isReady: async () => (await failures()).length === 0,
  closeConnection: shutdown.closeConnection,
  shedLoad: shedder.middleware,
  pageCache,
  telemetry,
})
const server = createServer(serverOptions, app)
limitConnections(server, { isTrusted: createProxyTrust(env.trustedProxies) })
const webSockets = createWebSocketServer(server, services, { clientAddressOf })
const port = await exitOnError(env, () => listen(server, env))
captureConsole(services.log)

// After Ctrl+C the process gets the signal twice: from the terminal and from npm.
process.on('SIGTERM', stop)
process.on('SIGINT', stop)

const address =
  env.publicUrl ??
  `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(env.host) ? 'localhost' : env.host}:${port}`
console.log(
  `Knots & Love is open at ${address}/\nThe owner logs in at ${address}/login/ as ${owner.email}${owner.hint}`,
)
// The compile cache is written at startup instead of at exit, because the process may be killed.
setImmediate(flushCompileCache)

/** Stops the shop. Open tabs later reconnect to another process, or to this shop after its next start. */
function stop() {
  if (shutdown.isStopping()) return
  webSockets.close()
  cdn?.close()
  // `process.exit` would wait forever for a thread of libvips that hangs. Killing the process is safe, because all data is stored by then.
  const exit = () =>
    services.images.hasHung() ? process.kill(process.pid, 'SIGKILL') : process.exit(0)
  shutdown.stop(server, () => void close().then(exit))
}

/** Logs one warning if requests come through a proxy that is not configured as trusted, because then all visitors count as one address. */
function warnUntrustedProxy() {
  let isWarned = false
  return (remote: string) => {
    if (isWarned) return
    isWarned = true
    services.log.info(
      `${remote} sent X-Forwarded-For and is not a trusted proxy; if it is your proxy, add it to TRUSTED_PROXIES`,
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

async function exitOnError<Result>(
  settings: Env | undefined,
  attempt: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    for (const reason of describeStartupErrors(error, settings))
      console.error(`The shop cannot start: ${reason}`)
    process.exit(1)
  }
}
