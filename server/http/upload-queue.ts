/** Limits how many large bodies are read at the same time, because each body stays in memory until the response. Further bodies wait unread. */

/** All addresses together may have this many bodies in memory, at most 192 MB. The owner's bodies are not counted. */
export const MAX_CONCURRENT_UPLOADS = 16
/** An upload waits at most this many milliseconds, which is less than proxies wait for a response (60 s). */
const MAX_WAIT_MS = 30_000

/**
 * An address gets another place only while more places are free than it has: a single address gets 8, because several browsers can share it, a second one
 * gets 4, and only five addresses together can occupy all places.
 */
export function createUploadQueue(maxWaitMs = MAX_WAIT_MS) {
  const activeOf = new Map<string, number>()
  const waiting = new Set<{ address: string; finish: (isTurn: boolean) => void }>()
  let active = 0
  const isFreeFor = (address: string) => MAX_CONCURRENT_UPLOADS - active > (activeOf.get(address) ?? 0)

  function count(address: string, change: 1 | -1) {
    active += change
    const uploads = (activeOf.get(address) ?? 0) + change
    if (uploads === 0) activeOf.delete(address)
    else activeOf.set(address, uploads)
  }

  function waitForTurn(address: string, giveUp: AbortSignal): Promise<boolean> {
    return new Promise<boolean>((resolve) => {
      // If the signal was aborted earlier, it fires no event any more.
      if (giveUp.aborted) return resolve(false)
      const upload = {
        address,
        finish(isTurn: boolean) {
          if (waiting.delete(upload) && isTurn) count(address, 1)
          resolve(isTurn)
        },
      }
      waiting.add(upload)
      giveUp.addEventListener('abort', () => upload.finish(false))
    })
  }

  return {
    /** Runs `work` when it is the request's turn. Returns null if the request waited too long, or if `signal` reports that the client has disconnected. */
    async run<Result>(address: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null> {
      if (isFreeFor(address)) count(address, 1)
      else if (!(await waitForTurn(address, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])))) return null
      try {
        return await work()
      } finally {
        count(address, -1)
        for (const upload of waiting) if (isFreeFor(upload.address)) upload.finish(true)
      }
    },
  }
}
