/** What the shop strives for: a whole run tells which goals it found met. Unlike a broken promise (budgets.ts) a missed goal does not fail the run. */
import type { Check } from './budgets.ts'
import { ms, whole } from './figures.ts'

type Named = { name: string; value: number }

const worst = (found: Named[]) => found.toSorted((one, other) => other.value - one.value)[0]
const least = (found: Named[]) => found.toSorted((one, other) => one.value - other.value)[0]
const goal = (name: string, budget: string, found: string, isMet: boolean): Check => ({ name, budget, found, isMet, isGoal: true })

/** Each of `found` below `most`; the worst is named, and how many are above. None proves nothing. */
function below(name: string, most: number, unit: string, found: Named[]): Check {
  const [last, over] = [worst(found), found.filter(({ value }) => value >= most).length]
  const told = last
    ? `at most ${ms(last.value)}${unit} (${last.name})${over > 0 ? `, above it ${over} of ${found.length}` : ''}`
    : 'nothing'
  return goal(name, `below ${most}${unit}`, told, found.length > 0 && over === 0)
}

/** `share`: of the pages a second that a file server gives away with the same bytes. */
export function readyGoals(rows: { what: string; share: number; p99: number }[]): Check[] {
  const slowest = least(rows.map(({ what, share }) => ({ name: what, value: share })))
  return [
    goal(
      'Public pages beside a file server with the same bytes',
      'at least half of it',
      slowest ? `at least ${slowest.value.toFixed(2)} of it (${slowest.name})` : 'nothing',
      slowest !== undefined && slowest.value >= 0.5,
    ),
    below(
      'Public pages, 16 connections: p99',
      5,
      ' ms',
      rows.map(({ what, p99 }) => ({ name: what, value: p99 })),
    ),
  ]
}

export const signedInGoals = (rows: { what: string; perSecond: number }[]): Check[] =>
  rows.map(({ what, perSecond }) => goal(`Signed in: ${what}`, 'at least 900 a second', whole(perSecond), perSecond >= 900))

export const startGoal = (milliseconds: number): Check =>
  below('Start with an existing shop, to the first answer of /health', 500, ' ms', [{ name: 'the median', value: milliseconds }])

export function paintGoals(audits: { path: string; paint: number; shift: number; blocked: number }[]): Check[] {
  const of = (read: (audit: (typeof audits)[number]) => number) => audits.map((audit) => ({ name: audit.path, value: read(audit) }))
  const shifted = worst(of(({ shift }) => shift))
  return [
    below(
      'Lighthouse: LCP',
      1300,
      ' ms',
      of(({ paint }) => paint),
    ),
    below(
      'Lighthouse: total blocking time',
      50,
      ' ms',
      of(({ blocked }) => blocked),
    ),
    goal(
      'Lighthouse: CLS',
      '0',
      shifted ? `at most ${shifted.value.toFixed(3)} (${shifted.name})` : 'nothing',
      shifted !== undefined && shifted.value < 0.0005,
    ),
  ]
}

export const pressGoal = (found: Named[]): Check => below('Inside, a processor four times slower: INP', 50, ' ms', found)

/** `ratios`: of a shop of a million messages to one of a hundred. */
export function growthGoal(database: string, ratios: Named[], most: number): Check {
  const [last, over] = [worst(ratios), ratios.filter(({ value }) => value > most)]
  return goal(
    `${database}: a page or act in a shop of a million messages`,
    `at most ${most} times a hundred's`,
    last
      ? `${ratios.length - over.length} of ${ratios.length} within it, the worst ${last.value.toFixed(1)} times (${last.name})`
      : 'nothing',
    ratios.length > 0 && over.length === 0,
  )
}

export const tabsGoal = (tabs: number, refused: number): Check =>
  goal(
    'Open tabs in one process that all ask anew after a change',
    '5,000, none refused',
    `${whole(tabs)}, ${refused} refused`,
    tabs >= 5000 && refused === 0,
  )
