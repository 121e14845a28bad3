/** Opens the market-stall page without a connection. offline-copy.ts fills the cache. No other page is affected. [AGREE-76] */
const PAGE = '/manage/market/'
const CACHE_NAME = 'market-stall'
/** With a very slow connection, the stored page opens after this number of milliseconds. */
const PATIENCE_MS = 4000

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate' && pathname === PAGE) event.respondWith(openPage(request))
  else if (/^\/(assets|pictures)\//.test(pathname)) event.respondWith(openFile(request))
})

const stored = async (path) => (await caches.open(CACHE_NAME)).match(path, { ignoreVary: true })

/** Prefers the page of the shop. A redirect means that the owner is logged out. The stored page then shows her unsent sales. */
async function openPage(request) {
  const fetched = fetch(request).catch(() => null)
  const response = await Promise.race([
    fetched,
    new Promise((done) => setTimeout(done, PATIENCE_MS)),
  ])
  if (response?.ok) return response
  return (await stored(PAGE)) ?? (await fetched) ?? Response.error()
}

async function openFile(request) {
  return (await stored(new URL(request.url).pathname)) ?? fetch(request)
}
