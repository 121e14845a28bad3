/** Limits how many large bodies are read at the same time, because each body stays in memory until the response. Further bodies wait unread. */

/** Several browsers can share an address, because each browser sends only two images at the same time. */
export const MAX_CONCURRENT_UPLOADS_PER_IP = 8
/** The limit for all addresses together. They occupy at most 192 MB. */
export const MAX_CONCURRENT_UPLOADS = 16
/** An upload waits at most this many milliseconds, which is less than proxies wait for a response (60 s). */
const MAX_WAIT_MS = 30_000

type Queue = { limit: number; active: number; waiting: Set<(isTurn: boolean) => void> }
const newQueue = (limit: number): Queue => ({ limit, active: 0, waiting: new Set() })

export function createUploadQueue(maxWaitMs = MAX_WAIT_MS) {
  const queues = new Map<string, Queue>()
  const all = newQueue(MAX_CONCURRENT_UPLOADS)
  return {
    /** Runs `work` when it is the request's turn. Returns null if the request waited too long, or if `signal` reports that the client has disconnected. */
    async run<Result>(address: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result | null> {
      const ofAddress = queues.get(address) ?? newQueue(MAX_CONCURRENT_UPLOADS_PER_IP)
      queues.set(address, ofAddress)
      const end = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)])
      return inTurn(ofAddress, end, () => inTurn(all, end, work)).finally(() => {
        if (ofAddress.active === 0) queues.delete(address)
      })
    },
  }
}

async function inTurn<Result>(queue: Queue, end: AbortSignal, work: () => Promise<Result>): Promise<Result | null> {
  if (queue.active < queue.limit) queue.active += 1
  else if (!(await waitForTurn(queue, end))) return null
  try {
    return await work()
  } finally {
    const [next] = queue.waiting
    if (next) next(true)
    else queue.active -= 1
  }
}

function waitForTurn({ waiting }: Queue, requestEnd: AbortSignal): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const finish = (isTurn: boolean) => {
      waiting.delete(finish)
      resolve(isTurn)
    }
    // If the signal was aborted earlier, it fires no event any more.
    if (requestEnd.aborted) return resolve(false)
    waiting.add(finish)
    requestEnd.addEventListener('abort', () => finish(false))
  })
}
