import { currentRequestContext } from '#app/lib/telemetry/request-context.server.ts'
import type { RunExclusive } from './resize.server.ts'

/** A task that takes longer than this many milliseconds counts as failed, because native code of libvips can wait forever without an error (sharp issue 4486). */
const MAX_TASK_MS = 60_000

type Waiting = { address: string; go: () => void }[]

/** Runs one image task at a time, so that a CPU core stays free for pages. The owner's uploads (`first`) come before other uploads (`soon`), and background work (`later`) comes last. Among the tasks of one queue, the task of the address whose tasks have taken the least time comes first, so that many slow images of one address do not delay the images of others. [S-412] */
export function createPriorityMutex(maxTaskMs = MAX_TASK_MS) {
  let isTaken = false
  let hasHung = false
  const [first, soon, later]: [Waiting, Waiting, Waiting] = [[], [], []]
  /** the milliseconds that the tasks of each address have taken since no upload was waiting */
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

  const taken = ({ address }: { address: string }) => takenMs.get(address) ?? 0

  function takeNext(waiting: Waiting) {
    const next = waiting.toSorted((one, other) => taken(one) - taken(other))[0]
    return next && waiting.splice(waiting.indexOf(next), 1)[0]
  }

  const queueIn =
    (waiting: Waiting): RunExclusive =>
    async (work) => {
      const address = currentRequestContext()?.address ?? ''
      if (isTaken) await new Promise<void>((go) => waiting.push({ address, go }))
      isTaken = true
      const startedAt = performance.now()
      try {
        return await withTimeout(work)
      } finally {
        if (first.length + soon.length === 0) takenMs.clear()
        else takenMs.set(address, taken({ address }) + performance.now() - startedAt)
        const next = takeNext(first) ?? takeNext(soon) ?? takeNext(later)
        if (next) next.go()
        else isTaken = false
      }
    }
  return {
    first: queueIn(first),
    soon: queueIn(soon),
    later: queueIn(later),
    /** Returns true if a native thread may still be hanging. `process.exit` would then wait for this thread. */
    hasHung: () => hasHung,
  }
}
