/** When the page's data is loaded anew: at the first signal, one load at a time, and once more if anything was told meanwhile. */

/** Milliseconds between two loads, so that a burst of signals becomes few. */
const SETTLE = 40
/** A load that takes longer hangs on a dead line: the next signal need not wait for it. */
const PATIENCE = 10_000

const pause = (time: number) => new Promise<void>((done) => setTimeout(done, time))

/** 024: signals that come faster than loads end neither hold the next load back nor break off the one under way. */
export function openReloads(load: () => Promise<unknown>, wait: (time: number) => Promise<void> = pause) {
  let latest = 0
  let isRunning = false
  let isStale = false

  async function run() {
    const own = ++latest
    isRunning = true
    do {
      isStale = false
      await Promise.race([load().catch(() => {}), wait(PATIENCE)])
      if (isStale && own === latest) await wait(SETTLE)
      if (own !== latest) return
    } while (isStale)
    isRunning = false
  }

  return {
    told() {
      if (isRunning) isStale = true
      else void run()
    },
    /** Over a new line: what is under way may hang on the old one. */
    toldAnew: () => void run(),
  }
}
