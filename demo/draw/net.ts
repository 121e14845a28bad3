// An open net of alternating square knots, filling any outline: wall hangings, bags, bunting.
import { squareKnot, type Cord } from './knot.ts'
import { smooth, stroke, type Shape } from './shape.ts'

export type NetPlan = {
  top: number
  rows: number
  columns: number
  /** height of a mesh */
  drop: number
  left: (y: number) => number
  right: (y: number) => number
  cord: Cord
  /** how far the rows sag in the middle */
  sag?: number
  spread?: number
}

/** Row r has its knots between those of row r - 1; each knot takes two pairs of cords from above and sends two below. */
export function net({ top, rows, columns, drop, left, right, cord, sag = 0, spread = 2.1 }: NetPlan): Shape[] {
  const shapes: Shape[] = []
  const r = cord.radius
  const place = (row: number, column: number): [number, number] => {
    const flat = top + row * drop
    const share = (column + (row % 2 === 0 ? 0.5 : 1)) / columns
    const y = flat + sag * Math.sin(Math.PI * share) * (row / rows)
    return [left(y) + (right(y) - left(y)) * share, y]
  }
  const count = (row: number) => (row % 2 === 0 ? columns : columns - 1)
  for (let row = 0; row < rows - 1; row++) {
    for (let column = 0; column < count(row); column++) {
      const [x, y] = place(row, column)
      const first = row % 2 === 0 ? column - 1 : column
      for (const [next, side] of [
        [first, -1],
        [first + 1, 1],
      ] as const) {
        const isEdge = next < 0 || next >= count(row + 1)
        // A cord without a knot in the next row runs down the edge to the row after it.
        if (isEdge && row + 2 >= rows) continue
        const [nx, ny] = isEdge ? place(row + 2, column) : place(row + 1, next)
        const bulge = isEdge ? side * (drop * 0.28) : 0
        for (const apart of [-0.95, 0.95]) {
          const [from, to] = [x + side * r * 1.1 + apart * r, nx - (isEdge ? -side : side) * r * 1.1 + apart * r]
          const line = [
            from,
            y + r * 3,
            from + (to - from) * 0.25 + bulge * 0.8,
            y + (ny - y) * 0.42,
            to - (to - from) * 0.25 + bulge * 0.8,
            y + (ny - y) * 0.72,
            to,
            ny + r * 0.6,
          ]
          shapes.push(stroke(smooth(line, 6), { radius: r, ramp: cord.ramp, tone: 0.97 }))
        }
      }
    }
  }
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < count(row); column++) shapes.push(...squareKnot(...place(row, column), cord, spread))
  return shapes
}
