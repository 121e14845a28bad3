/** Measures in real Chromium what a phone downloads on a first visit until the network is idle. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { launchChromium } from '#test/fixtures/browser.ts'
import { openTicket } from '#test/pages/testimonials.ts'
import type { Bench, Found } from './areas.ts'
import { atMost } from './checks.ts'
import { weighPage, weightChecks, type PageWeight } from './first-load.ts'
import { publicPages, shownPath } from './public-pages.ts'
import { kB, stamp, table } from './report.ts'
import { serveShop } from './served-shop.ts'

const MAX_VISIT_BYTES = 400_000
const MAX_REQUESTS = 45

type PageVisit = {
  path: string
  requests: number
  bytes: number
  images: number
  shift: number
  thenRequests: number
  thenBytes: number
}

/** This is the phone that Lighthouse simulates. */
const phone = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  hasTouch: true,
  isMobile: true,
}
/** The network counts as idle after this many milliseconds without a request. */
const QUIET_MS = 2000

export async function measureFirstVisit({ folder, demoShop, say }: Bench): Promise<Found> {
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const ticket = openTicket({ database: join(dataDir, 'shop.db') })
  const shop = await serveShop(dataDir)
  const browser = await launchChromium()
  try {
    const weights: PageWeight[] = []
    const visits: PageVisit[] = []
    for (const { path } of await publicPages(shop.origin, ticket.id)) {
      say(`first visit: ${path}`)
      weights.push(await weighPage(shop.origin, path))
      visits.push(await visitPage(browser, shop.origin, path))
    }
    return written(weights, visits)
  } finally {
    await browser.close()
    await shop.stop()
  }
}

export async function visitPage(
  browser: Browser,
  origin: string,
  path: string,
): Promise<PageVisit> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const wire = await context.newCDPSession(page)
    await wire.send('Network.enable')
    const requested = new Map<string, { isImage: boolean; bytes: number }>()
    wire.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (!request.url.startsWith('data:')) {
        requested.set(requestId, { isImage: request.url.includes('/pictures/'), bytes: 0 })
      }
    })
    wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      const one = requested.get(requestId)
      if (one) one.bytes = encodedDataLength
    })
    await page.addInitScript(watchShifts)
    await page.goto(origin + path, { waitUntil: 'load' })
    const quiet = async () => {
      for (let before = -1; before !== requested.size;) {
        before = requested.size
        await page.waitForTimeout(QUIET_MS)
      }
      const all = [...requested.values()]
      return {
        requests: all.length,
        bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
        images: all.filter(({ isImage }) => isImage).length,
      }
    }
    const first = await quiet()
    const shift = await page.evaluate(() => (window as unknown as { shifted: number }).shifted)
    await page.mouse.move(200, 400)
    const then = await quiet()
    return {
      path,
      ...first,
      shift,
      thenRequests: then.requests - first.requests,
      thenBytes: then.bytes - first.bytes,
    }
  } finally {
    await context.close()
  }
}

function watchShifts() {
  const page = window as unknown as { shifted: number }
  page.shifted = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      page.shifted += (entry as unknown as { value: number }).value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

function written(weights: PageWeight[], visits: PageVisit[]): Found {
  const rows = visits.map((visit, at) => [
    shownPath(visit.path),
    kB(weights[at]!.html.raw),
    kB(weights[at]!.scripts.sent),
    kB(weights[at]!.styles.sent),
    kB(visit.bytes),
    visit.requests,
    visit.images,
    visit.shift.toFixed(3),
    `${visit.thenRequests}, ${kB(visit.thenBytes)} kB`,
  ])
  const of = (read: (visit: PageVisit) => number) =>
    visits.map((visit) => ({ name: shownPath(visit.path), value: read(visit) }))
  const text = `## A first visit on a phone

The table shows what Chromium fetches with the screen of a phone (412 x 823 points, 1.75 pixels each) until it has sent no request for two seconds. The last column shows what it fetches
when the visitor then moves the pointer. HTML is counted uncompressed; JavaScript (what a page needs to hydrate) and style sheets are counted as sent. ${stamp('first-load')}

${table(['page', 'HTML kB', 'JavaScript kB', 'styles kB', 'all kB', 'requests', 'images', 'CLS', 'on pointer move'], rows)}`
  const checks = [
    ...weightChecks(weights),
    atMost(
      'JavaScript of a public page, bytes as sent, target',
      100_000,
      '',
      weights.map(({ path, scripts }) => ({ name: path, value: scripts.sent })),
    ),
    atMost(
      'A first visit on a phone, bytes',
      MAX_VISIT_BYTES,
      '',
      of(({ bytes }) => bytes),
    ),
    atMost(
      'A first visit on a phone, requests',
      MAX_REQUESTS,
      '',
      of(({ requests }) => requests),
    ),
  ]
  return { text, checks }
}
