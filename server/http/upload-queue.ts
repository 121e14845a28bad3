/** Large bodies are in memory until they are answered: of one address only a few are read at a time, the others wait unread (decision 050). */

/** A browser sends two pictures at a time, and makes most of them smaller before. */
export const MAX_CONCURRENT_UPLOADS_PER_IP = 8
/** Shorter than proxies wait for a response (60 s). */
const MAX_WAIT_MS = 30_000

type Queue = { active: number; waiting: Set<(isTurn: boolean) => void> }

export function createUploadQueue(maxWaitMs = MAX_WAIT_MS) {
  const queues = new Map<string, Queue>()
  return {
    /** null: the upload did not get its turn; that took too long, or the client has left (`signal`). */
    async run<Result>(address: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null> {
      const queue = queues.get(address) ?? { active: 0, waiting: new Set() }
      queues.set(address, queue)
      if (queue.active < MAX_CONCURRENT_UPLOADS_PER_IP) queue.active += 1
      else if (!(await waitForTurn(queue, AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])))) return null
      try {
        return await work()
      } finally {
        const [next] = queue.waiting
        if (next) next(true)
        else queue.active -= 1
        if (queue.active === 0) queues.delete(address)
      }
    },
  }
}

function waitForTurn({ waiting }: Queue, over: AbortSignal): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const finish = (isTurn: boolean) => {
      waiting.delete(finish)
      resolve(isTurn)
    }
    // A signal that has already been aborted fires no event.
    if (over.aborted) return resolve(false)
    waiting.add(finish)
    over.addEventListener('abort', () => finish(false))
  })
}
