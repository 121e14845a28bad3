/** The browser finds out whether the shop can be reached by requesting /health. Other signs, such as a closed WebSocket, only trigger that request. */

/** Pauses between requests grow, and each browser has its own, so that a restart does not bring all browsers back at the same time. */
const FIRST_RETRY_MS = 700
const MAX_RETRY_MS = 10_000
const REQUEST_TIMEOUT_MS = 5000

let isOffline = false
let isChecking = false
/** Set while a request is in progress whose response may be older than the newest sign of trouble. */
let needsAnotherCheck = false
let retryMs = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const onlineCallbacks = new Set<() => void>()

export const connectivity = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  isLost: () => isOffline,
  isLostOnServer: () => false,
}

function setOffline(next: boolean) {
  if (next === isOffline) return
  isOffline = next
  for (const listener of listeners) listener()
}

/** Called when something suggests that the connection is lost; a closed WebSocket alone may have other reasons. */
export function checkConnectivity(): void {
  if (isChecking) needsAnotherCheck = true
  else void requestHealth()
}

export function markOnline(): void {
  clearTimeout(timer)
  retryMs = FIRST_RETRY_MS
  setOffline(false)
  const released = [...onlineCallbacks]
  onlineCallbacks.clear()
  for (const go of released) go()
}

export function whenOnline(signal?: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    onlineCallbacks.add(resolve)
    signal?.addEventListener('abort', () => {
      onlineCallbacks.delete(resolve)
      reject(signal.reason)
    })
    checkConnectivity()
  })
}

async function requestHealth() {
  clearTimeout(timer)
  isChecking = true
  needsAnotherCheck = false
  // Ignores `navigator.onLine`: the shop may run on the same machine.
  const isThere = await fetch('/health', { cache: 'no-store', redirect: 'error', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }).then(
    ({ ok }) => ok,
    () => false,
  )
  isChecking = false
  if (isThere && needsAnotherCheck) return requestHealth()
  if (isThere) return markOnline()
  setOffline(true)
  timer = setTimeout(checkConnectivity, retryMs * (0.75 + Math.random() / 2))
  retryMs = Math.min(retryMs * 1.6, MAX_RETRY_MS)
}

export function watchConnectivity(): () => void {
  const comeBack = () => isOffline && !document.hidden && checkConnectivity()
  for (const name of ['online', 'offline']) window.addEventListener(name, checkConnectivity)
  document.addEventListener('visibilitychange', comeBack)
  return () => {
    for (const name of ['online', 'offline']) window.removeEventListener(name, checkConnectivity)
    document.removeEventListener('visibilitychange', comeBack)
  }
}
