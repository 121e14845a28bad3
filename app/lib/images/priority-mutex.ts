import { currentRequestContext } from '#app/lib/telemetry/request-context.server.ts'
import type { RunExclusive } from './resize.server.ts'

/** A task that takes longer than this many milliseconds counts as failed, because native code of libvips can wait forever without an error (sharp issue 4486). */
const MAX_TASK_MS = 60_000

type WaitingTask = { address: string; go: () => void }

const uploader = () => currentRequestContext()?.address ?? ''

/** Runs one image task at a time, so that a CPU core stays free for pages. The owner's uploads (`first`) come before other uploads (`soon`), and background work (`later`) comes last. Among uploads, the upload of the address whose uploads have taken the least time comes first, so that many slow images of one address do not delay the images of others. [S-412] */
export function createPriorityMutex(maxTaskMs = MAX_TASK_MS) {
  let isTaken = false
  let hasHung = false
  const [first, soon, later]: [WaitingTask[], WaitingTask[], WaitingTask[]] = [[], [], []]
  /** How many milliseconds the uploads of each address took. The map is cleared when no upload is waiting. */
  const takenMs = new Map<string, number>()

  async function withTimeout<Result>(work: () => Promise<Result>): Promise<Result> {
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

  const taken = (address: string) => takenMs.get(address) ?? 0
  const takeNext = (waiting: WaitingTask[]) =>
    waiting.sort((one, other) => taken(one.address) - taken(other.address)).shift()

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
        if (first.length + soon.length === 0) takenMs.clear()
        else takenMs.set(address, taken(address) + performance.now() - startedAt)
        const next = takeNext(first) ?? takeNext(soon) ?? takeNext(later)
        if (next) next.go()
        else isTaken = false
      }
    }
  return {
    first: queueIn(first, uploader),
    soon: queueIn(soon, uploader),
    // Background work belongs to no address, although the request of an uploader may have started it.
    later: queueIn(later, () => ''),
    /** Returns true if a native thread may still be hanging. `process.exit` would then wait for this thread. */
    hasHung: () => hasHung,
  }
}
