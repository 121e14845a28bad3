// A cord colour close up: plies of rope lying side by side, one cord knotted across them.
import type { DemoColor } from '../record.ts'
import { squareKnot } from './knot.ts'
import type { Picture } from './picture.ts'
import { layer, moved, smooth, stroke } from './shape.ts'
import { cordOf } from './stock.ts'

export function swatch(color: DemoColor): Picture {
  const cord = cordOf(color.id, 40)
  const rows = Array.from({ length: 17 }, (_, i) => {
    const x = (i - 8) * 77
    return stroke([x, -800, x, 0, x, 800], { radius: 40, ramp: cord.ramp })
  })
  const worker = { ...cord, radius: 44 }
  const ends = [-1, 1].map((side) =>
    stroke(smooth([side * 800, -420, side * 470, -300, side * 250, -170, side * 90, -70]), { radius: 44, ramp: cord.ramp }),
  )
  const tails = [-1, 1].map((side) =>
    stroke(smooth([side * 90, 130, side * 240, 200, side * 430, 330, side * 800, 560]), { radius: 44, ramp: cord.ramp }),
  )
  return {
    width: 700,
    height: 700,
    backdrop: { ground: 'linen', color: '#e8dece' },
    camera: { scale: 0.92, x: 0, y: 0, turn: 0.42 },
    layers: [layer(rows), layer([...ends, ...tails], 26), layer(moved(squareKnot(0, -90, worker, 3.1), 0, 0), 14)],
  }
}
