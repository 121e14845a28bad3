/**
 * The result of comparing measured values with a goal. `found` describes the worst value. If
 * `isMet` is false, the table of the report shows "no".
 */
export type Check = { name: string; goal: string; found: string; isMet: boolean }
export type Named = { name: string; value: number }

const number = (value: number) =>
  Number.isInteger(value) ? value.toLocaleString('en-US') : value.toFixed(2)

function check(
  name: string,
  goal: string,
  unit: string,
  worst: Named | undefined,
  missed: number,
  count: number,
): Check {
  const others = missed > 1 ? `, missed by ${missed} of ${count}` : ''
  const found = worst
    ? `${number(worst.value)}${unit} (${worst.name})${others}`
    : 'nothing was measured'
  return { name, goal, found, isMet: count > 0 && missed === 0 }
}

/** Checks that every value is below `limit`. If nothing was measured, the goal counts as missed. */
export function below(name: string, limit: number, unit: string, found: Named[]): Check {
  const worst = found.toSorted((a, b) => b.value - a.value)[0]
  return check(
    name,
    `below ${number(limit)}${unit}`,
    unit,
    worst,
    found.filter(({ value }) => !(value < limit)).length,
    found.length,
  )
}

export function atMost(name: string, limit: number, unit: string, found: Named[]): Check {
  const worst = found.toSorted((a, b) => b.value - a.value)[0]
  return check(
    name,
    `at most ${number(limit)}${unit}`,
    unit,
    worst,
    found.filter(({ value }) => !(value <= limit)).length,
    found.length,
  )
}

export function atLeast(name: string, limit: number, unit: string, found: Named[]): Check {
  const worst = found.toSorted((a, b) => a.value - b.value)[0]
  return check(
    name,
    `at least ${number(limit)}${unit}`,
    unit,
    worst,
    found.filter(({ value }) => !(value >= limit)).length,
    found.length,
  )
}

/** Checks that `found`, a list of problems, is empty. */
export const none = (name: string, found: string[]): Check => ({
  name,
  goal: 'none',
  found: found.length === 0 ? 'none' : found.join(', '),
  isMet: found.length === 0,
})
