/** Large bodies are held in memory until they are answered: of one address a few at a time are read, the others wait on their line (025). */

/** A browser sends two pictures at a time, and makes most of them smaller than what counts as large. */
export const LARGE_AT_ONCE = 4

export type InTurn = <Done>(address: string, work: () => Promise<Done>) => Promise<Done>

export function openLargeBodies(): InTurn {
  const lines = new Map<string, { taken: number; waiting: (() => void)[] }>()
  return async (address, work) => {
    const line = lines.get(address) ?? { taken: 0, waiting: [] }
    lines.set(address, line)
    if (line.taken < LARGE_AT_ONCE) line.taken++
    else await new Promise<void>((go) => line.waiting.push(go))
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      // Its place goes to the next one.
      if (next) next()
      else if (--line.taken === 0) lines.delete(address)
    }
  }
}
