/** Production: the built shop on Node's HTTP server. Opens, says where, and stops gracefully. */
import { createServer } from 'node:http'
import { openClientAddress, openTrust } from '../app/platform/client-address.server.ts'
import { readEnv, type Env } from '../app/platform/env.server.ts'
import { productionRefusals, refuseIfAny } from '../app/platform/production.server.ts'
import { restBetween } from './at-rest.ts'
import { openCdn } from './cdn.ts'
import { boundConnections, serverOptions } from './connections.ts'
import { takeLibrariesLines } from './console-lines.ts'
import { openDoorWait } from './door-wait.ts'
import { openLiveSocket } from './live-socket.ts'
import { openOverload } from './overload.ts'
import { openReadyFiles } from './ready-files.ts'
import { openReadyPages } from './ready-pages.ts'
import { openReadyPictures } from './ready-pictures.ts'
import { reasonsOf } from './start-failure.ts'
import { openStopping } from './stopping.ts'
import { openWatch } from './watch.ts'
import { openWeb } from './web.ts'

const env = await orGiveUp(undefined, () => readEnv(process.env))
await orGiveUp(env, () => refuseIfAny(productionRefusals(env, process.env)))
const { createApp, openShop, openReady, countWork, routeWatcher, findUserOf, endedSessions, readRanking } = (await import(
  new URL('../build/server/index.js', import.meta.url).href
)) as typeof import('./app.ts')
const { shop, owner, watchers, close } = await orGiveUp(env, () => openShop(env, (line) => console.log(line)))

const stopping = openStopping(env.drainSeconds)
const faults = openReady({ db: shop.db, dataDir: env.dataDir, isStopping: stopping.isStopping, log: shop.log })
const isWell = async () => (await faults()).length === 0
const client = new URL('../build/client', import.meta.url).pathname
let isWarned = false
const clientAddressOf = openClientAddress(env.trustedProxies, warnOnce)
const { publicUrl } = env
const app = createApp(shop, 'production', [routeWatcher, ...watchers])
const cdn = env.cdn && openCdn({ settings: env.cdn, shop })
const ready = openReadyPages({ app, shop, readRanking: () => readRanking(shop), cdn, mostBytes: env.readyPagesMb * 1024 * 1024 })
const pictures = openReadyPictures({ files: shop.files, publicUrl })
const overload = openOverload({ clientAddressOf, publicUrl, wait: () => door.wait(), longest: env.longestWait })
const caches = {
  pages: ready.stats,
  pictures: pictures.stats,
  overload: () => ({ refused: overload.refused(), underWay: overload.underWay(), unsentBytes: overload.unsent() }),
}
const { wrap, ...watch } = await openWatch({
  env,
  shop,
  sources: { liveConnections: () => live.count(), work: () => countWork(shop.db), caches },
})
const web = openWeb({ app, client, publicUrl, clientAddressOf, isWell, ...watch })
const files = openReadyFiles({ client, publicUrl })
const answer = files(pictures.kept(ready.listener(pictures.read(web), overload.guard)))
const server = createServer(serverOptions, wrap(stopping.saysGoodbye(answer)))
const door = openDoorWait(server)
boundConnections(server, { isTrusted: openTrust(env.trustedProxies) })
const live = openLiveSocket(server, shop, { findUserOf, endedSessions }, { clientAddressOf })
const port = await orGiveUp(env, listen)

restBetween(server)
takeLibrariesLines(shop.log)

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

/** Open tabs are told to come back, each at its own pace, and are answered by another process or by the next one. */
function stop() {
  if (stopping.isStopping()) return
  live.close()
  cdn?.close()
  stopping.stop(server, () => void close().then(() => process.exit(0)))
}

/** A line for each thing that is wrong, and no stack. */
async function orGiveUp<Result>(settings: Env | undefined, attempt: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await attempt()
  } catch (error) {
    for (const reason of reasonsOf(error, settings)) console.error(`The shop cannot start: ${reason}`)
    process.exit(1)
  }
}
