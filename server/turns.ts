/** Does something for each of many, some hundred at a time, so that pages are answered in between. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Takes a few milliseconds. */
const AT_ONCE = 250

/** What is begun later comes later for each of them. The first are done before it returns, unless something is still under way. */
export function openTurns(): <One>(all: () => readonly One[], act: (one: One) => void) => Promise<void> {
  let last: Promise<void> | undefined
  return (all, act) => {
    const run = async () => {
      const those = all()
      for (let start = 0; start < those.length; start += AT_ONCE) {
        if (start > 0) await nextTurn()
        for (const one of those.slice(start, start + AT_ONCE)) act(one)
      }
    }
    const mine: Promise<void> = (last ? last.then(run) : run()).finally(() => {
      if (last === mine) last = undefined
    })
    last = mine
    return mine
  }
}
