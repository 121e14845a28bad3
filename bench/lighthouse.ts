/**
 * Runs Lighthouse on the public pages, with its default settings for a phone on a slow network, in
 * headless Chromium.
 */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import lighthouse from 'lighthouse'
import { launchChromium } from '#test/fixtures/browser.ts'
import { openTicket } from '#test/pages/testimonials.ts'
import { freePort } from '#test/fixtures/network.ts'
import type { Bench, Found } from './areas.ts'
import { atLeast, atMost, none } from './checks.ts'
import { publicPages, shownPath, type PublicPage } from './public-pages.ts'
import { kB, stamp, table, formatInteger } from './report.ts'
import { serveShop } from './served-shop.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
type Category = (typeof categories)[number]

type LighthouseResult = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

type PageAudit = PublicPage & {
  /** the scores of the page, from 0 to 100 */
  scores: Record<Category, number>
  lcpMs: number
  cls: number
  tbtMs: number
  bytes: number
  requests: number
  /** failed audits of all categories except performance */
  failed: string[]
}

const RUNS = 3

export async function measureLighthouse({
  folder,
  demoShop,
  say,
  pages: asked,
}: Bench): Promise<Found> {
  const dataDir = join(folder, 'shop')
  await cp(demoShop, dataDir, { recursive: true })
  const ticket = openTicket({ database: join(dataDir, 'shop.db') })
  const shop = await serveShop(dataDir)
  const port = await freePort()
  const browser = await launchChromium([`--remote-debugging-port=${port}`])
  try {
    const isAsked = ({ path }: PublicPage) =>
      !asked ||
      asked.some((start) =>
        start.endsWith('*') ? path.startsWith(start.slice(0, -1)) : path === start,
      )
    const audits: PageAudit[] = []
    for (const page of (await publicPages(shop.origin, ticket.id)).filter(isAsked)) {
      say(`Lighthouse: ${page.path}`)
      const runs: PageAudit[] = []
      for (let run = 0; run < RUNS; run++) runs.push(await auditOnce(shop.origin, page, port))
      audits.push(
        runs.toSorted((a, b) => a.scores.performance - b.scores.performance)[Math.floor(RUNS / 2)]!,
      )
    }
    return written(audits)
  } finally {
    await browser.close()
    await shop.stop()
  }
}

export async function auditOnce(
  origin: string,
  page: PublicPage,
  port: number,
): Promise<PageAudit> {
  const { audits, categories: found } = await recordOnce(origin, page, port)
  const value = (id: string) => audits[id]?.numericValue ?? 0
  const requests = audits['network-requests']?.details
  const isRequest = ({ url }: { url?: unknown }) => !String(url).startsWith('data:')
  return {
    ...page,
    scores: Object.fromEntries(
      categories.map((id) => [id, Math.round(100 * (found[id]?.score ?? 0))]),
    ) as Record<Category, number>,
    lcpMs: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbtMs: value('total-blocking-time'),
    bytes: value('total-byte-weight'),
    requests: requests && 'items' in requests ? requests.items.filter(isRequest).length : 0,
    failed: categories
      .filter((id) => id !== 'performance')
      .flatMap((id) => found[id]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  }
}

const ATTEMPTS = 3

/**
 * Runs Lighthouse again if it could not record the page load, as Lighthouse's own error message
 * asks. Throws an error if no attempt succeeds.
 */
async function recordOnce(
  origin: string,
  { path, isHidden }: PublicPage,
  port: number,
): Promise<LighthouseResult> {
  const flags = {
    port,
    output: 'json' as const,
    logLevel: 'error' as const,
    onlyCategories: [...categories],
  }
  let message = ''
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const result = await lighthouse(origin + path, {
      ...flags,
      ...(isHidden && { skipAudits: ['is-crawlable'] }),
    })
    if (result && !result.lhr.runtimeError) return result.lhr
    message = result?.lhr.runtimeError?.message ?? 'Lighthouse gave no result'
  }
  throw new Error(`${path}: ${message}`)
}

function written(audits: PageAudit[]): Found {
  const text = `## Lighthouse

Lighthouse opens each public page as a phone does at the first visit. With its default settings it simulates a slow 4G network and a processor four times slower
from a run in headless Chromium. The table shows the run with the median performance of ${RUNS}. (1): the shop hides this page from search engines, so the audit
that checks whether they may list it is omitted. The kB are more than those of a first visit, because Lighthouse's window also fetches images further down (on / 27 instead of 14). ${stamp('lighthouse')}

${table(
  [
    'page',
    'performance',
    'accessibility',
    'best practices',
    'SEO',
    'LCP ms',
    'CLS',
    'TBT ms',
    'kB',
    'requests',
  ],
  audits.map(({ path, isHidden, scores, lcpMs, cls, tbtMs, bytes, requests }) => [
    shownPath(path) + (isHidden ? ' (1)' : ''),
    ...categories.map((id) => scores[id]),
    ...[formatInteger(lcpMs), cls.toFixed(3), formatInteger(tbtMs), kB(bytes), requests],
  ]),
)}`
  const of = (read: (audit: PageAudit) => number) =>
    audits.map((audit) => ({ name: audit.path, value: read(audit) }))
  const performance = of(({ scores }) => scores.performance)
  const hasLargeImage = ({ name }: { name: string }) => /^\/(?:$|gallery|item|about)/.test(name)
  const checks = [
    atLeast('Lighthouse on a phone: performance, limit', 93, '', performance),
    atLeast(
      'Lighthouse on a phone: performance of pages with a large image, target',
      95,
      '',
      performance.filter((page) => hasLargeImage(page)),
    ),
    atLeast(
      'Lighthouse on a phone: performance of text pages, target',
      97,
      '',
      performance.filter((page) => !hasLargeImage(page)),
    ),
    none(
      'Lighthouse: accessibility, best practices and SEO below 100',
      audits.flatMap(({ path, failed }) => failed.map((id) => `${path}: ${id}`)),
    ),
    atMost(
      'Lighthouse: CLS',
      0,
      '',
      of(({ cls }) => Math.round(cls * 1000) / 1000),
    ),
  ]
  return { text, checks }
}
