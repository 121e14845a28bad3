/** Runs the page's loaders again when the server reports a change: one run at a time, and another one if the server reported a change during the run. */

/** Milliseconds between two runs, so that a burst of changes causes few of them. */
const SETTLE_MS = 40
/** A run that takes longer probably waits on a dead connection; the next change does not wait for it. */
const TIMEOUT_MS = 10_000

const pause = (time: number) => new Promise<void>((done) => setTimeout(done, time))

/** Changes that arrive faster than loaders finish neither delay the next run nor abort the current one. */
export function createRevalidationQueue(load: () => Promise<unknown>, wait: (time: number) => Promise<void> = pause) {
  let latest = 0
  let isRunning = false
  let isStale = false

  async function run() {
    const own = ++latest
    isRunning = true
    do {
      isStale = false
      await Promise.race([load().catch(() => {}), wait(TIMEOUT_MS)])
      if (isStale && own === latest) await wait(SETTLE_MS)
      if (own !== latest) return
    } while (isStale)
    isRunning = false
  }

  return {
    changed() {
      if (isRunning) isStale = true
      else void run()
    },
    /** After a reconnect, the current run may be waiting on the old connection, so a new one starts. */
    reconnected: () => void run(),
  }
}
