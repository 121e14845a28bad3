/** How the process ends (decision 043): nobody who was let in is sent away, and a proxy in front loses no request. */
import type { Server, ServerResponse } from 'node:http'

/** How long responses under way may take once the process is told to stop. */
const DRAIN_TIMEOUT_MS = 5000
/** A proxy may be sending over a connection that was idle a moment ago: each connection gets so long for one last request. */
const KEEP_ALIVE_GRACE_MS = 1500

/** `drainSeconds`: how long the process says that it is not ready and still takes everything, for a balancer that asks only now and then. */
export function createShutdown(drainSeconds: number) {
  let isStopping = false
  return {
    isStopping: () => isStopping,
    /** Once the process stops, each response says that it is the last of its connection. */
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
