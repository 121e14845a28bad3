/** Whoever works on pictures takes a turn: one at a time, so that a core is left for the pages; somebody who waits goes before the background. */

export type Turn = <T>(work: () => Promise<T>) => Promise<T>

export function openTurns(): { soon: Turn; later: Turn } {
  let isTaken = false
  const soon: (() => void)[] = []
  const later: (() => void)[] = []
  const turn =
    (waiting: (() => void)[]): Turn =>
    async (work) => {
      if (isTaken) await new Promise<void>((go) => waiting.push(go))
      isTaken = true
      try {
        return await work()
      } finally {
        const next = soon.shift() ?? later.shift()
        if (next) next()
        else isTaken = false
      }
    }
  return { soon: turn(soon), later: turn(later) }
}
