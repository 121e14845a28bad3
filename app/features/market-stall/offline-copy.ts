/** Stores a copy of the market-stall page in the browser. Without a connection, the service worker returns this copy. */

export const MARKET_PATH = '/manage/market/'
const WORKER_URL = `${MARKET_PATH}sw.js`
const CACHE_NAME = 'market-stall'
/** Files below these paths never change, so a stored copy of them is always current. */
const isFile = (path: string) => /^\/(?:assets|pictures)\//.test(path)

/** Installs the service worker and stores the market-stall page. Returns whether the browser can now open the page without a connection. */
export async function startOfflineMode(images: readonly string[]): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false
  await navigator.serviceWorker.register(WORKER_URL, { scope: MARKET_PATH })
  await storePage(images)
  // The page loads more code later. Stores this code when the page loads it.
  new PerformanceObserver(
    (list) => void storeFiles(list.getEntries().map(({ name }) => name)).catch(() => {}),
  ).observe({
    type: 'resource',
    buffered: true,
  })
  await navigator.serviceWorker.ready
  // Asks the browser to keep the unsent sales even if the device has little space left.
  void navigator.storage?.persist?.().catch(() => {})
  return true
}

/** Stores the current page after its files, so that a stored page is always complete. */
export async function storePage(images: readonly string[]): Promise<void> {
  const response = await fetch(MARKET_PATH, { redirect: 'manual' })
  if (!response.ok) throw new Error(String(response.status))
  const html = await response.clone().text()
  const loaded = performance.getEntriesByType('resource').map(({ name }) => name)
  const needed = await storeFiles([
    ...(html.match(/\/assets\/[\w.-]+/g) ?? []),
    ...loaded,
    ...images,
  ])
  const cache = await caches.open(CACHE_NAME)
  await cache.put(MARKET_PATH, response)
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (isFile(pathname) && !needed.has(pathname)) await cache.delete(url)
  }
}

/** Stores files, and returns the paths of the files that are now stored. */
async function storeFiles(urls: readonly string[]): Promise<Set<string>> {
  const all = urls
    .map((url) => new URL(url, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && isFile(pathname))
  const paths = new Set(all.map(({ pathname }) => pathname))
  const cache = await caches.open(CACHE_NAME)
  const store = async (path: string) => {
    if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path)
  }
  // The page works without an image, too. So only a missing file below /assets/ causes an error.
  const isStored = await Promise.allSettled([...paths].map(store))
  const missing = [...paths].filter(
    (path, at) => isStored[at]!.status === 'rejected' && path.startsWith('/assets/'),
  )
  if (missing.length > 0) throw new Error(`not stored: ${missing.join()}`)
  return paths
}
