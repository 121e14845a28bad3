/** Runs the page's loaders again when the server reports a change. Changes that arrive during a run of the loaders cause only one more run. */

/** The pause in milliseconds between two runs of the page's loaders, so that many changes in a short time cause only a few runs. */
const SETTLE_MS = 40
/** If a run of the page's loaders takes longer than this many milliseconds, this run is probably waiting for a lost connection. The next run then starts without waiting for the current run. */
const TIMEOUT_MS = 10_000

const pause = (time: number) => new Promise<void>((done) => setTimeout(done, time))

/** A change during a run of the loaders does not abort this run, so that the page gets new data even while changes arrive constantly. */
export function createRevalidationQueue(
  load: () => Promise<unknown>,
  wait: (time: number) => Promise<void> = pause,
) {
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
    /** Runs the page's loaders immediately after a reconnect, because the current run may be waiting for the old connection. */
    reconnected: () => void run(),
  }
}
