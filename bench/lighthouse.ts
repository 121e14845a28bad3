/** Lighthouse's audit of public pages, on its own settings for a phone on a slow network, in the Chromium of the journeys. */
import lighthouse from 'lighthouse'
import { launchChromium } from '../test/chromium.ts'
import type { PublicPage } from './public-pages.ts'
import { freePort } from '../test/free-port.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const
export type Category = (typeof categories)[number]

export type PageAudit = PublicPage & {
  /** 0 to 100 */
  scores: Record<Category, number>
  /** milliseconds, but for the shift of the layout, which has no unit */
  paint: number
  shift: number
  blocked: number
  bytes: number
  requests: number
  /** audits outside of performance that found something */
  failed: string[]
}

/** A page that scores at least this needs no second opinion; below it the middle one of three runs counts. */
const BEYOND_DOUBT = 99

export async function auditPages(origin: string, pages: PublicPage[], say: (line: string) => void): Promise<PageAudit[]> {
  const port = await freePort()
  const browser = await launchChromium([`--remote-debugging-port=${port}`])
  try {
    const audits = []
    for (const page of pages) {
      say(`Lighthouse: ${page.path}`)
      audits.push(await auditPage(origin, page, port))
    }
    return audits
  } finally {
    await browser.close()
  }
}

async function auditPage(origin: string, page: PublicPage, port: number): Promise<PageAudit> {
  const runs = [await runOnce(origin, page, port)]
  if (runs[0]!.scores.performance < BEYOND_DOUBT) runs.push(await runOnce(origin, page, port), await runOnce(origin, page, port))
  return runs.toSorted((a, b) => a.scores.performance - b.scores.performance)[Math.floor(runs.length / 2)]!
}

async function runOnce(origin: string, page: PublicPage, port: number): Promise<PageAudit> {
  const flags = { port, output: 'json' as const, logLevel: 'error' as const, onlyCategories: [...categories] }
  const result = await lighthouse(origin + page.path, { ...flags, ...(page.isHidden && { skipAudits: ['is-crawlable'] }) })
  if (!result || result.lhr.runtimeError)
    throw new Error(`${page.path}: ${result?.lhr.runtimeError?.message ?? 'Lighthouse gave no answer'}`)
  const { audits, categories: found } = result.lhr
  const figure = (id: string) => audits[id]?.numericValue ?? 0
  const requests = audits['network-requests']?.details
  return {
    ...page,
    scores: Object.fromEntries(categories.map((id) => [id, Math.round(100 * (found[id]?.score ?? 0))])) as Record<Category, number>,
    paint: figure('largest-contentful-paint'),
    shift: figure('cumulative-layout-shift'),
    blocked: figure('total-blocking-time'),
    bytes: figure('total-byte-weight'),
    requests:
      requests && 'items' in requests
        ? requests.items.filter((item: { url?: unknown }) => !String(item.url).startsWith('data:')).length
        : 0,
    failed: categories
      .filter((id) => id !== 'performance')
      .flatMap((id) => found[id]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  }
}
