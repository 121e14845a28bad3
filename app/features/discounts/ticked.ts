/** Which of the found items the owner has ticked: single ones, or all that the search finds but some. */

/** `ids`: the ticked ones, or with `isAll` those that are taken out again. */
export type Ticked = { isAll: boolean; ids: ReadonlySet<string> }

export const nothingTicked: Ticked = { isAll: false, ids: new Set() }
export const allTicked: Ticked = { isAll: true, ids: new Set() }

export const isTicked = ({ isAll, ids }: Ticked, id: string): boolean => ids.has(id) !== isAll

export function tick({ isAll, ids }: Ticked, id: string, isOn: boolean): Ticked {
  const next = new Set(ids)
  if (isOn === isAll) next.delete(id)
  else next.add(id)
  return { isAll, ids: next }
}

/** What another tab has deleted meanwhile counts no longer: neither as ticked nor as taken out. */
export function stillThere({ isAll, ids }: Ticked, shown: readonly { id: string }[]): Ticked {
  const there = new Set(shown.map(({ id }) => id))
  return { isAll, ids: new Set([...ids].filter((id) => there.has(id))) }
}

export const countTicked = ({ isAll, ids }: Ticked, total: number): number => (isAll ? total - ids.size : ids.size)
