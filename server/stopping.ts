/** How the process ends (043): nobody who was let in is sent away, and whoever stands before the shop loses no request. */
import { Server as NetServer } from 'node:net'
import type { RequestListener, Server } from 'node:http'

/** How long answers under way may take once the shop is told to stop. */
const PATIENCE = 5000
/** A proxy may be sending over a connection that was idle a moment ago: so long those are kept, each for one last answer. */
const LINGER = 1500

type Stopping = {
  isStopping: () => boolean
  /** Around what answers: once the shop stops, each answer says that it was the last of its connection. */
  saysGoodbye: (listener: RequestListener) => RequestListener
  stop: (server: Server, end: () => void) => void
}

/** `drain`: seconds in which the shop says that it is not ready and still takes everything, for a balancer that only asks now and then. */
export function openStopping(drain: number): Stopping {
  let isStopping = false

  /** No new connection is taken; a download that never ends does not keep the shop from stopping. */
  function close(server: Server, end: () => void) {
    // Not the one of node:http, which ends idle connections at once.
    NetServer.prototype.close.call(server, end)
    setTimeout(() => setInterval(() => server.closeIdleConnections(), 50), LINGER)
    setTimeout(() => server.closeAllConnections(), PATIENCE)
  }
  return {
    isStopping: () => isStopping,
    saysGoodbye: (listener) => (request, response) => {
      if (isStopping) response.shouldKeepAlive = false
      listener(request, response)
    },
    stop(server, end) {
      if (isStopping) return
      isStopping = true
      if (drain === 0) close(server, end)
      else setTimeout(() => close(server, end), drain * 1000)
    },
  }
}
