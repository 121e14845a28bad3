/** What the shop promises about its weight; a bench that finds a promise broken ends with exit code 1. Goals stand in goals.ts. */
import { kB } from './figures.ts'
import type { PageVisit } from './first-visit.ts'
import type { PageWeight } from './first-load.ts'
import type { PageAudit } from './lighthouse.ts'

/** `isGoal`: striven for; nothing fails where it is missed. */
export type Check = { name: string; budget: string; found: string; isMet: boolean; isGoal?: true }

const MOST_SCRIPT = 110_000
const MOST_STYLE = 20_000
const MOST_BYTES = 300_000
const MOST_REQUESTS = 20
const MOST_MEMORY = 120_000_000
const LEAST_PERFORMANCE = 99

/** At most 110 kB of JavaScript cross the wire before any public page is alive. */
export function scriptCheck(pages: PageWeight[]): Check {
  const [heaviest] = pages.toSorted((a, b) => b.scripts.sent - a.scripts.sent)
  const sent = heaviest?.scripts.sent ?? 0
  return {
    name: 'JavaScript on the heaviest public page',
    budget: `at most ${kB(MOST_SCRIPT)} kB as sent`,
    found: `${kB(sent)} kB (${heaviest?.path})`,
    isMet: sent > 0 && sent <= MOST_SCRIPT,
  }
}

/** At most 20 kB of styles, packed. */
export function styleCheck(pages: PageWeight[]): Check {
  const [heaviest] = pages.toSorted((a, b) => b.styles.brotli - a.styles.brotli)
  const packed = heaviest?.styles.brotli ?? 0
  return {
    name: 'Styles of the heaviest public page',
    budget: `at most ${kB(MOST_STYLE)} kB packed`,
    found: `${kB(packed)} kB (${heaviest?.path})`,
    isMet: packed > 0 && packed <= MOST_STYLE,
  }
}

/** A first visit on a phone, all that a browser fetches until it is quiet: at most 300 kB in at most 20 requests. */
export function visitCheck(visits: PageVisit[]): Check {
  const [largest] = visits.toSorted((a, b) => b.bytes - a.bytes)
  const [busiest] = visits.toSorted((a, b) => b.requests - a.requests)
  return {
    name: 'A first visit on a phone',
    budget: `at most ${kB(MOST_BYTES)} kB, ${MOST_REQUESTS} requests`,
    found: largest && busiest ? `${kB(largest.bytes)} kB (${largest.path}), ${busiest.requests} requests (${busiest.path})` : 'no page',
    isMet: visits.length > 0 && visits.every(({ bytes, requests }) => bytes <= MOST_BYTES && requests <= MOST_REQUESTS),
  }
}

/** No script or style sheet of the owner's area on any public page. */
export function areaCheck(pages: PageWeight[], ofTheOwner: ReadonlySet<string>): Check {
  const strays = pages.flatMap((page) => page.files.filter((file) => ofTheOwner.has(file)).map((file) => `${file} on ${page.path}`))
  return {
    name: "Files of the owner's area on public pages",
    budget: 'none',
    found: strays.length === 0 ? `none of ${ofTheOwner.size}` : strays.join(', '),
    isMet: strays.length === 0 && ofTheOwner.size > 0,
  }
}

/** Scripts and style sheets cross the wire packed. */
export function sentCheck(pages: PageWeight[]): Check {
  const loose = pages.filter(({ scripts, styles }) => scripts.sent + styles.sent > 1.1 * (scripts.gzip + styles.gzip))
  const [worst] = pages.toSorted((a, b) => b.scripts.sent - a.scripts.sent)
  return {
    name: 'Scripts and style sheets as they are sent',
    budget: 'no more than 1.1 x their gzip size',
    found: loose.length === 0 ? 'within it on every page' : `${kB(worst!.scripts.sent)} kB of JavaScript on ${worst!.path}`,
    isMet: loose.length === 0,
  }
}

/** Less than 120 MB of resident memory at rest. */
export function memoryCheck(bytes: number): Check {
  return {
    name: 'Resident memory at rest',
    budget: `below ${MOST_MEMORY / 1e6} MB`,
    found: `${(bytes / 1e6).toFixed(0)} MB`,
    isMet: bytes > 0 && bytes < MOST_MEMORY,
  }
}

/** Lighthouse finds nothing to better in accessibility, best practices and SEO of any public page. */
export function auditCheck(audits: PageAudit[]): Check {
  const flawed = audits.filter(({ scores }) => scores.accessibility + scores['best-practices'] + scores.seo < 300)
  return {
    name: 'Lighthouse: accessibility, best practices, SEO',
    budget: '100 on every public page',
    found:
      flawed.length === 0 ? `100 on ${audits.length} pages` : flawed.map(({ path, failed }) => `${path} (${failed.join(', ')})`).join('; '),
    isMet: flawed.length === 0 && audits.length > 0,
  }
}

/** Lighthouse's performance on a phone. */
export function paceCheck(audits: PageAudit[]): Check {
  const [slowest] = audits.toSorted((a, b) => a.scores.performance - b.scores.performance)
  return {
    name: 'Lighthouse: performance on a phone',
    budget: `at least ${LEAST_PERFORMANCE} on every public page`,
    found: slowest ? `${slowest.scores.performance} (${slowest.path})` : 'no page',
    isMet: slowest !== undefined && slowest.scores.performance >= LEAST_PERFORMANCE,
  }
}
