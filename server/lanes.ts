/** Work that takes memory or a disk, a few at a time on each lane; whoever comes later waits in line. */

export type InTurn = <Done>(lane: string, work: () => Promise<Done>) => Promise<Done>

export function openLanes(atOnce: number): InTurn {
  const lanes = new Map<string, { taken: number; waiting: (() => void)[] }>()
  return async (name, work) => {
    const lane = lanes.get(name) ?? { taken: 0, waiting: [] }
    lanes.set(name, lane)
    if (lane.taken < atOnce) lane.taken++
    else await new Promise<void>((go) => lane.waiting.push(go))
    try {
      return await work()
    } finally {
      const next = lane.waiting.shift()
      // Its place goes to the next one.
      if (next) next()
      else if (--lane.taken === 0) lanes.delete(name)
    }
  }
}
