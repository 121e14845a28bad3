/** The browser requests /health to check whether it can reach the shop. Only a failed check counts as a lost connection, not a closed WebSocket or a failed HTTP request to a different URL. */

/** The pause in milliseconds before the browser checks again whether it can reach the shop. The pauses grow up to `MAX_RETRY_MS` and are partly random, so that not all browsers reconnect at the same time after a restart of the shop. */
const FIRST_RETRY_MS = 700
const MAX_RETRY_MS = 10_000
const REQUEST_TIMEOUT_MS = 5000

let isOffline = false
let isChecking = false
/** Is true if `checkConnectivity` was called during a check. A second check then follows, because the connection may have been lost after the first check began. */
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

/** Call this function when a closed WebSocket or a failed request suggests that the connection may be lost. */
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
  // The browser requests /health instead of reading `navigator.onLine`, because a shop on the same computer is reachable even without a network.
  const isThere = await fetch('/health', {
    cache: 'no-store',
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  }).then(
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
