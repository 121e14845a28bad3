export function createSemaphore(places: number) {
  const waiting: (() => void)[] = []
  let free = places
  return {
    take(): Promise<void> | undefined {
      if (free === 0) return new Promise((go) => waiting.push(go))
      free -= 1
      return undefined
    },
    release() {
      const next = waiting.shift()
      if (next) next()
      else free += 1
    },
  }
}
