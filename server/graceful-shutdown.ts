/** Shuts down without losing requests: the process finishes requests in progress, and still responds to requests that a proxy has already sent. */
import type { Server, ServerResponse } from 'node:http'

/** Responses in progress may take at most this many milliseconds. */
const DRAIN_TIMEOUT_MS = 5000
/** During this many milliseconds, a proxy may still send a last request on an idle connection. */
const KEEP_ALIVE_GRACE_MS = 1500

/** After a stop signal, /ready fails for `drainSeconds` while the process still accepts requests. In this time, a load balancer switches to other processes. */
export function createShutdown(drainSeconds: number) {
  let isStopping = false
  return {
    isStopping: () => isStopping,
    /** During shutdown, each response closes its connection. */
    closeConnection(outgoing: ServerResponse) {
      if (isStopping) outgoing.setHeader('Connection', 'close')
    },
    stop(server: Server, end: () => void) {
      if (isStopping) return
      isStopping = true
      const delay = drainSeconds * 1000 + KEEP_ALIVE_GRACE_MS
      setTimeout(() => server.close(end), delay)
      setTimeout(() => server.closeAllConnections(), delay - KEEP_ALIVE_GRACE_MS + DRAIN_TIMEOUT_MS)
    },
  }
}
