export function mixCategories<T extends { categoryId: string }>(
  newest: readonly T[],
  count: number,
) {
  const firsts = newest.filter(
    (item, index) => newest.findIndex(({ categoryId }) => categoryId === item.categoryId) === index,
  )
  const mixed = new Set([...new Set([...firsts, ...newest])].slice(0, count))
  return newest.filter((item) => mixed.has(item))
}

export const evenDeg = (index: number, count: number) => Math.round((index * 360) / count)

const MIN_DEGREES = 20

const degreesBetween = (from: number, to: number) => ((((to - from) % 360) + 540) % 360) - 180

/**
 * Returns the angles of the circles in degrees. If two circles would overlap, all are spread
 * evenly. [S-020]
 */
export function spreadOnRing(circles: readonly { deg: number }[]) {
  const degs = circles.map(({ deg }) => ((deg % 360) + 360) % 360)
  const isCrowded = degs.some((deg, index) =>
    degs.slice(index + 1).some((later) => Math.abs(degreesBetween(deg, later)) < MIN_DEGREES),
  )
  return isCrowded ? circles.map((_, index) => evenDeg(index, circles.length)) : degs
}

export const turnTo = (turn: number, deg: number) => turn + degreesBetween(turn, deg)
