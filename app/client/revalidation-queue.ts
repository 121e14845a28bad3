const SETTLE_MS = 40
const TIMEOUT_MS = 10_000

const pause = (time: number) => new Promise<void>((done) => setTimeout(done, time))

/** A change does not abort the running load, so that constant changes cannot block the page. */
export function createRevalidationQueue(
  load: () => Promise<unknown>,
  wait: (time: number) => Promise<void> = pause,
) {
  let latest = 0
  let isRunning = false
  let isStale = false

  async function run() {
    const turn = ++latest
    isRunning = true
    do {
      isStale = false
      await Promise.race([load().catch(() => {}), wait(TIMEOUT_MS)])
      if (isStale && turn === latest) await wait(SETTLE_MS)
      if (turn !== latest) return
    } while (isStale)
    isRunning = false
  }

  return {
    changed() {
      if (isRunning) isStale = true
      else void run()
    },
    /** Loads immediately, because the running load may be waiting for the lost connection. */
    reloadNow: () => void run(),
  }
}
