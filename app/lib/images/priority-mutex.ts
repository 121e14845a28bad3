import type { RunExclusive } from './resize.server.ts'

/** A task that takes longer than this many milliseconds counts as failed, because native code of libvips can wait forever without an error (sharp issue 4486). */
const MAX_TASK_MS = 60_000

/** Runs one image task at a time, so that a CPU core stays free for pages. The owner's uploads (`first`) come before other uploads (`soon`), and background work (`later`) comes last. */
export function createPriorityMutex(maxTaskMs = MAX_TASK_MS) {
  let isTaken = false
  let hasHung = false
  const first: (() => void)[] = []
  const soon: (() => void)[] = []
  const later: (() => void)[] = []

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

  const queueIn =
    (waiting: (() => void)[]): RunExclusive =>
    async (work) => {
      if (isTaken) await new Promise<void>((go) => waiting.push(go))
      isTaken = true
      try {
        return await withTimeout(work)
      } finally {
        const next = first.shift() ?? soon.shift() ?? later.shift()
        if (next) next()
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
