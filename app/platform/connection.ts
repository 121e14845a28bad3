/** Whether the shop can be reached, as the browser finds out: by asking. What else says so (the live channel, the device) only makes it ask. */

/** Milliseconds: the pauses between two questions grow; each browser asks at its own pace, so that a restart does not bring all at once. */
const FIRST_PAUSE = 700
const LONGEST_PAUSE = 10_000
const PATIENCE = 5000

let isLost = false
let isAsking = false
/** While the shop was being asked: the answer may be older than the doubt. */
let isDoubted = false
let pause = FIRST_PAUSE
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const waiting = new Set<() => void>()

export const connection = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  isLost: () => isLost,
  isLostOnServer: () => false,
}

function set(next: boolean) {
  if (next === isLost) return
  isLost = next
  for (const listener of listeners) listener()
}

/** Something speaks against the connection; a closed live channel alone may have other reasons. */
export function doubtConnection(): void {
  if (isAsking) isDoubted = true
  else void ask()
}

export function heardFromShop(): void {
  clearTimeout(timer)
  pause = FIRST_PAUSE
  set(false)
  const released = [...waiting]
  waiting.clear()
  for (const go of released) go()
}

export function whenReached(signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    waiting.add(resolve)
    signal?.addEventListener('abort', () => {
      waiting.delete(resolve)
      reject(signal.reason)
    })
    doubtConnection()
  })
}

async function ask() {
  clearTimeout(timer)
  isAsking = true
  isDoubted = false
  // Always asked, whatever the device says: the shop may run on the very same machine.
  const isThere = await fetch('/health', { cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(PATIENCE) }).then(
    ({ ok }) => ok,
    () => false,
  )
  isAsking = false
  if (isThere && isDoubted) return ask()
  if (isThere) return heardFromShop()
  set(true)
  timer = setTimeout(doubtConnection, pause * (0.75 + Math.random() / 2))
  pause = Math.min(pause * 1.6, LONGEST_PAUSE)
}

export function watchConnection(): () => void {
  const comeBack = () => isLost && !document.hidden && doubtConnection()
  for (const name of ['online', 'offline']) window.addEventListener(name, doubtConnection)
  document.addEventListener('visibilitychange', comeBack)
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, doubtConnection)
    document.removeEventListener('visibilitychange', comeBack)
  }
}
