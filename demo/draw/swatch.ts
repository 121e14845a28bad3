// A cord colour close up: plies of rope lying side by side, and one more thrown across them in a bow.
import type { DemoColor } from '../record.ts'
import type { Picture } from './picture.ts'
import { layer, smooth, stroke } from './shape.ts'
import { cordOf } from './stock.ts'

export function swatch(color: DemoColor): Picture {
  const cord = cordOf(color.id, 40)
  const rows = Array.from({ length: 17 }, (_, i) => {
    const x = (i - 8) * 77
    return stroke([x, -800, x, 0, x, 800], { radius: 40, ramp: cord.ramp })
  })
  const bow = (shift: number) =>
    smooth(
      [-760, -330 + shift, -420, -150 + shift, -150, 60 + shift, 90, 110 + shift, 300, -20 + shift, 520, -190 + shift, 800, -260 + shift],
      14,
    )
  return {
    width: 700,
    height: 700,
    backdrop: { ground: 'linen', color: '#e8dece' },
    camera: { scale: 0.92, x: 0, y: 0, turn: 0.42 },
    layers: [layer(rows), layer([stroke(bow(0), { radius: 46, ramp: cord.ramp })], 34)],
  }
}
