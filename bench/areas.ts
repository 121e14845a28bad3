/**
 * Lists the areas that `npm run bench -- --only <area>` measures. Each area has a section in
 * the file of results.
 */
import type { Check } from './checks.ts'

export type Bench = {
  /** An empty folder for this area, which is deleted at the end. */
  folder: string
  /** The data folder of a demo shop. An area measures a copy of this shop. */
  demoShop: string
  say: (line: string) => void
  /** How long the area `soak` runs. */
  minutes: number
  /** The paths that Lighthouse measures, or undefined for all public pages. */
  pages?: string[] | undefined
}

/**
 * The result of one measured area. `text` is its section of the file of results, as Markdown.
 * `checks` says for each goal whether it was met.
 */
export type Found = { text: string; checks: Check[] }

/** An area with `isLong` is measured only by its name or with `--all`. */
type Area = {
  isLong?: true
  measure: (bench: Bench) => Promise<Found>
}

/** The module of an area is loaded only when this area is measured. */
export const areas: Record<string, Area> = {
  pages: {
    measure: async (bench) => (await import('./pages.ts')).measurePages(bench),
  },
  'signed-in': {
    measure: async (bench) => (await import('./pages.ts')).measureSignedIn(bench),
  },
  start: {
    measure: async (bench) => (await import('./start.ts')).measureStart(bench),
  },
  'first-load': {
    measure: async (bench) => (await import('./first-visit.ts')).measureFirstVisit(bench),
  },
  lighthouse: {
    measure: async (bench) => (await import('./lighthouse.ts')).measureLighthouse(bench),
  },
  messages: {
    measure: async (bench) => (await import('./messages.ts')).measureMessages(bench),
  },
  offers: {
    measure: async (bench) => (await import('./offers.ts')).measureOffers(bench),
  },
  peers: {
    isLong: true,
    measure: async (bench) => (await import('./peers.ts')).measurePeers(bench),
  },
  soak: {
    isLong: true,
    measure: async (bench) => (await import('./soak.ts')).measureSoak(bench),
  },
  reports: {
    measure: async (bench) => (await import('./reports.ts')).measureReports(bench),
  },
  growth: {
    measure: async (bench) => (await import('./growth.ts')).measureGrowth(bench),
  },
  many: {
    measure: async (bench) => (await import('./many.ts')).measureProcesses(bench),
  },
}
