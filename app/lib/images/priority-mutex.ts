import { currentRequestContext } from '../telemetry/request-context.server.ts'
import type { RunExclusive } from './resize.server.ts'

/** libvips can wait forever without an error (sharp issue 4486). */
const MAX_TASK_MS = 60_000

type WaitingTask = { address: string; go: () => void }

const uploader = () => currentRequestContext()?.address ?? ''

/** One task at a time leaves a core free for pages. [S-412] */
export function createPriorityMutex(maxTaskMs = MAX_TASK_MS) {
  let isTaken = false
  let hasHung = false
  const first: WaitingTask[] = []
  const soon: WaitingTask[] = []
  const later: WaitingTask[] = []
  const timeByAddress = new Map<string, number>()

  async function withTimeout<Result>(work: () => Promise<Result>) {
    const { promise: timeout, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      hasHung = true
      reject(new Error(`an image task did not end within ${maxTaskMs} ms`))
    }, maxTaskMs)
    try {
      return await Promise.race([work(), timeout])
    } finally {
      clearTimeout(timer)
    }
  }

  const usedMs = (address: string) => timeByAddress.get(address) ?? 0
  const takeNext = (waiting: WaitingTask[]) =>
    waiting.sort((left, right) => usedMs(left.address) - usedMs(right.address)).shift()

  const queueIn =
    (waiting: WaitingTask[], addressOfTask: () => string): RunExclusive =>
    async (work) => {
      const address = addressOfTask()
      if (isTaken) await new Promise<void>((go) => waiting.push({ address, go }))
      isTaken = true
      const startedAt = performance.now()
      try {
        return await withTimeout(work)
      } finally {
        if (first.length + soon.length === 0) timeByAddress.clear()
        else timeByAddress.set(address, usedMs(address) + performance.now() - startedAt)
        const next = takeNext(first) ?? takeNext(soon) ?? takeNext(later)
        if (next) next.go()
        else isTaken = false
      }
    }
  return {
    first: queueIn(first, uploader),
    soon: queueIn(soon, uploader),
    later: queueIn(later, () => ''),
    /** If true, `process.exit` would wait for a hung thread. */
    hasHung: () => hasHung,
  }
}
