/** What `npm run bench -- --only <area>` measures, and which document tells of it; a whole run measures all of them, one after the other. */
import type { Check } from './budgets.ts'
import type { Bench } from './workshop.ts'

/** Markdown: what was measured, how, and a table of what was found; and the budgets that were held against it, if there are any. */
export type Found = string | { text: string; checks: Check[] }

export type Area = {
  /** docs/{document}.md, in which the text stands between `<!-- bench:{name} -->` and `<!-- /bench:{name} -->` */
  document: 'performance' | 'reliability' | 'scaling'
  /** Opens its own shops, and closes them. */
  measure: (bench: Bench) => Promise<Found>
}

/** Each is loaded when it is asked for. */
export const areas: Record<string, () => Promise<Area>> = {
  pages: async () => (await import('./pages.ts')).pages,
  'signed-in': async () => (await import('./signed-in.ts')).signedIn,
  start: async () => (await import('./start.ts')).start,
  'first-load': async () => (await import('./first-visit.ts')).firstLoad,
  lighthouse: async () => (await import('./lighthouse-area.ts')).lighthouseArea,
  navigation: async () => (await import('./navigation.ts')).navigation,
  live: async () => (await import('./live-area.ts')).liveArea,
  crowd: async () => (await import('./crowd.ts')).crowd,
  workshop: async () => (await import('./workshop.ts')).workshop,
  conversations: async () => (await import('./workshop.ts')).conversations,
  growth: async () => (await import('./growth.ts')).growth,
  backups: async () => (await import('./backups.ts')).backups,
  many: async () => (await import('./many.ts')).many,
}
