import { MARKET_PATH, OFFLINE_COPY_HEADER } from './direct-sale.ts'
import { hasUnsentSales } from './sale-queue.ts'
import { deleteSalesOfDay } from './sales-of-day.ts'

const WORKER_URL = `${MARKET_PATH}sw.js`
const CACHE_NAME = 'market-stall'
/** The files at these URLs never change, so a stored copy is current. */
const isFile = (path: string) => /^\/(?:assets|pictures)\//.test(path)

export async function startOfflineMode(images: readonly string[]) {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false
  await navigator.serviceWorker.register(WORKER_URL, { scope: MARKET_PATH })
  await storePage(images)
  new PerformanceObserver(
    (list) => void storeFiles(list.getEntries().map(({ name }) => name)).catch(() => {}),
  ).observe({
    type: 'resource',
    buffered: true,
  })
  await navigator.serviceWorker.ready
  // Asks the browser to keep unsent sales even if space runs low.
  void navigator.storage?.persist?.().catch(() => {})
  return true
}

/** Stores the page after its files, so that the stored copy is complete. */
export async function storePage(images: readonly string[]) {
  const headers = { [OFFLINE_COPY_HEADER]: '1' }
  const response = await fetch(MARKET_PATH, { redirect: 'manual', headers })
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

/** While there are unsent sales, the stored page stays, because it says how many there are. */
export async function deleteOfflineData() {
  await deleteSalesOfDay()
  if ('caches' in window && !(await hasUnsentSales())) await caches.delete(CACHE_NAME)
}

async function storeFiles(urls: readonly string[]) {
  const all = urls
    .map((url) => new URL(url, location.href))
    .filter(({ origin, pathname }) => origin === location.origin && isFile(pathname))
  const paths = new Set(all.map(({ pathname }) => pathname))
  const cache = await caches.open(CACHE_NAME)
  const store = async (path: string) => {
    if (!(await cache.match(path, { ignoreVary: true }))) await cache.add(path)
  }
  const isStored = await Promise.allSettled([...paths].map(store))
  const missing = [...paths].filter(
    (path, at) => isStored[at]!.status === 'rejected' && path.startsWith('/assets/'),
  )
  if (missing.length > 0) throw new Error(`not stored: ${missing.join()}`)
  return paths
}
