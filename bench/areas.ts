/** The areas of `npm run bench -- --only <area>`, and the document that contains the section of each. */
import type { Check } from './checks.ts'

export type Bench = {
  /** An empty folder for this area, deleted at the end. */
  folder: string
  /** The data folder of a demo shop, which areas copy. */
  demoShop: string
  say: (line: string) => void
  /** paths for Lighthouse; undefined: all public pages */
  pages?: string[] | undefined
}

/** The section as Markdown, and the goals with which the values were compared. */
export type Found = { text: string; checks: Check[] }

type Area = { document: 'performance' | 'scaling'; measure: (bench: Bench) => Promise<Found> }

/** Each module is loaded when its area is measured. */
export const areas: Record<string, Area> = {
  pages: { document: 'performance', measure: async (bench) => (await import('./pages.ts')).measurePages(bench) },
  'signed-in': { document: 'performance', measure: async (bench) => (await import('./pages.ts')).measureSignedIn(bench) },
  start: { document: 'performance', measure: async (bench) => (await import('./start.ts')).measureStart(bench) },
  'first-load': { document: 'performance', measure: async (bench) => (await import('./first-visit.ts')).measureFirstVisit(bench) },
  lighthouse: { document: 'performance', measure: async (bench) => (await import('./lighthouse.ts')).measureLighthouse(bench) },
  messages: { document: 'performance', measure: async (bench) => (await import('./messages.ts')).measureMessages(bench) },
  reports: { document: 'performance', measure: async (bench) => (await import('./reports.ts')).measureReports(bench) },
  growth: { document: 'scaling', measure: async (bench) => (await import('./growth.ts')).measureGrowth(bench) },
  many: { document: 'scaling', measure: async (bench) => (await import('./many.ts')).measureProcesses(bench) },
}
