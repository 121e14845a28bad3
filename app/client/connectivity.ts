import { createStore, useStore } from './store.ts'

/** Each pause before a retry is longer, and random, so that browsers do not retry all at once. */
const FIRST_RETRY_MS = 700
const MAX_RETRY_MS = 10_000
const REQUEST_TIMEOUT_MS = 5000

const offline = createStore(false)
let isChecking = false
let needsAnotherCheck = false
let retryMs = FIRST_RETRY_MS
let timer: ReturnType<typeof setTimeout> | undefined
const onlineCallbacks = new Set<() => void>()

export const connectivity = { subscribe: offline.subscribe, isLost: offline.read }

export const useIsShopLost = () => useStore(offline, false)

function setOffline(isOffline: boolean) {
  if (isOffline !== offline.read()) offline.write(isOffline)
}

export function checkConnectivity() {
  if (isChecking) needsAnotherCheck = true
  else void requestHealth()
}

export function markOnline() {
  clearTimeout(timer)
  retryMs = FIRST_RETRY_MS
  setOffline(false)
  const released = [...onlineCallbacks]
  onlineCallbacks.clear()
  for (const go of released) go()
}

export function whenOnline(signal?: AbortSignal | null) {
  return new Promise<void>((resolve, reject) => {
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
  // `navigator.onLine` is also false without a network if the shop runs on the same computer.
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

export function watchConnectivity() {
  const watch = new AbortController()
  const { signal } = watch
  const comeBack = () => offline.read() && !document.hidden && checkConnectivity()
  window.addEventListener('online', checkConnectivity, { signal })
  window.addEventListener('offline', checkConnectivity, { signal })
  document.addEventListener('visibilitychange', comeBack, { signal })
  return () => watch.abort()
}
