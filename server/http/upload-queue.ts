/** Large bodies are in memory until they are answered: of one address only a few are read at a time, the others wait unread (decision 050). */

/** A browser sends two pictures at a time, and makes most of them smaller before. */
export const MAX_CONCURRENT_UPLOADS_PER_IP = 8
/** Shorter than proxies wait for a response (60 s). */
const MAX_WAIT_MS = 30_000

export type UploadQueue = ReturnType<typeof createUploadQueue>

export function createUploadQueue(maxWaitMs = MAX_WAIT_MS) {
  const active = new Map<string, number>()
  const waiting = new Map<string, Set<() => void>>()

  function release(address: string) {
    const [next] = waiting.get(address) ?? []
    if (next) return next()
    const left = active.get(address)! - 1
    if (left === 0) active.delete(address)
    else active.set(address, left)
  }

  /** Whether it is this upload's turn; false when that took too long, or the client has left (`signal`). */
  function waitForTurn(address: string, signal: AbortSignal): boolean | Promise<boolean> {
    const count = active.get(address) ?? 0
    if (count < MAX_CONCURRENT_UPLOADS_PER_IP) {
      active.set(address, count + 1)
      return true
    }
    const queue = waiting.get(address) ?? new Set()
    waiting.set(address, queue)
    return new Promise((resolve) => {
      const finish = (isTurn: boolean) => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        queue.delete(start)
        if (queue.size === 0) waiting.delete(address)
        resolve(isTurn)
      }
      const start = () => finish(true)
      const leave = () => finish(false)
      const timer = setTimeout(leave, maxWaitMs)
      signal.addEventListener('abort', leave)
      queue.add(start)
    })
  }

  return {
    async run<Result>(address: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null> {
      if (!(await waitForTurn(address, signal))) return null
      try {
        return await work()
      } finally {
        release(address)
      }
    },
  }
}
