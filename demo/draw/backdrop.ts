// What the pieces lie on or hang before: linen, plaster, painted wall and wooden table, woven out of seeded noise.
import { seeded } from './random.ts'
import { blend, rgb, type Rgb } from './tone.ts'

export type Ground = 'linen' | 'plaster' | 'wood' | 'walnut'

export type Backdrop = { ground: Ground; color: string; window?: boolean }

const tableSize = 4096
const table = Float32Array.from(
  { length: tableSize },
  (
    (random) => () =>
      random.next() * 2 - 1
  )(seeded('backdrop')),
)

const chance = (i: number) => table[i & (tableSize - 1)]!

/** Smooth noise of the plane, about -1 to 1. */
function cloud(x: number, y: number): number {
  const [x0, y0] = [Math.floor(x), Math.floor(y)]
  let [fx, fy] = [x - x0, y - y0]
  fx = fx * fx * (3 - 2 * fx)
  fy = fy * fy * (3 - 2 * fy)
  const [a, b] = [chance(x0 * 57 + y0 * 131), chance(x0 * 57 + 57 + y0 * 131)]
  const [c, d] = [chance(x0 * 57 + y0 * 131 + 131), chance(x0 * 57 + y0 * 131 + 188)]
  return a + (b - a) * fx + (c + (d - c) * fx - a - (b - a) * fx) * fy
}

/** Slow changes are worked out on a grid of 8 pixels and stretched. */
function grid(width: number, height: number, at: (x: number, y: number) => number): (x: number, y: number) => number {
  const columns = Math.ceil(width / 8) + 2
  const rows = Math.ceil(height / 8) + 2
  const values = new Float32Array(columns * rows)
  for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) values[y * columns + x] = at(x * 8, y * 8)
  return (x, y) => {
    const [gx, gy] = [x >> 3, y >> 3]
    const [fx, fy] = [(x & 7) / 8, (y & 7) / 8]
    const i = gy * columns + gx
    const upper = values[i]! + (values[i + 1]! - values[i]!) * fx
    const lower = values[i + columns]! + (values[i + columns + 1]! - values[i + columns]!) * fx
    return upper + (lower - upper) * fy
  }
}

type Texture = (x: number, y: number) => number

const textures: Record<Ground, (width: number, height: number) => Texture> = {
  linen: (width, height) => {
    const slub = grid(width, height, (x, y) => cloud(x / 90, y / 14) * 0.5 + cloud(x / 14 + 40, y / 90 + 9) * 0.5)
    return (x, y) => {
      const warp = chance((x >> 2) * 7 + ((y + chance(x >> 2) * 60) >> 6) * 311)
      const weft = chance((y >> 2) * 11 + 1500 + ((x + chance(y >> 2) * 60) >> 6) * 173)
      const over = ((x >> 2) + (y >> 2)) & 1
      const round = over ? ((x & 3) - 1.5) * ((x & 3) - 1.5) : ((y & 3) - 1.5) * ((y & 3) - 1.5)
      return (over ? warp : weft) * 0.028 - round * 0.012 + slub(x, y) * 0.02
    }
  },
  plaster: (width, height) => {
    const broad = grid(
      width,
      height,
      (x, y) => cloud(x / 260, y / 210) * 0.024 + cloud(x / 70 + 7, y / 60) * 0.014 + cloud(x / 26, y / 12 + 5) * 0.009,
    )
    return (x, y) => broad(x, y) + chance((x * 73 + y * 1579) ^ (y >> 1)) * 0.008
  },
  wood: (width, height) => plank(width, height, 0.05),
  walnut: (width, height) => plank(width, height, 0.09),
}

function plank(width: number, height: number, depth: number): Texture {
  const board = Math.round(height / 4.2)
  const wave = grid(width, height, (x, y) => cloud(x / 300 + Math.floor(y / board) * 17, y / 60) * 3.2)
  return (x, y) => {
    const index = Math.floor(y / board)
    const within = y - index * board
    const line = (y * 0.16 + wave(x, y) * 2.2) % 1
    const ring = Math.abs((line < 0 ? line + 1 : line) - 0.5) * 2
    const pore = chance((y * 37 + ((x + chance(y) * 200) >> 5)) & 4095)
    const gap = within < 3 ? -0.34 + within * 0.08 : within < 6 ? 0.03 : 0
    return (ring - 0.5) * depth + pore * depth * 0.45 + chance(index * 5 + 3) * depth * 0.8 + gap
  }
}

const known = new Map<string, WeakRef<Uint8ClampedArray>>()

/** Light comes from the upper left and fades towards the far corner; `window` lays the bars of a window over it. */
function shine(backdrop: Backdrop, width: number, height: number): Texture {
  const size = Math.max(width, height)
  return grid(width, height, (x, y) => {
    const [px, py] = [x / size, y / size]
    const corner = 0.07 - 0.13 * (px * 0.55 + py * 0.65)
    const [ex, ey] = [x / width - 0.5, y / height - 0.5]
    const vignette = -0.16 * Math.max(0, ex * ex + ey * ey - 0.16)
    return corner + vignette + (backdrop.window ? pane(px, py) : 0)
  })
}

function pane(px: number, py: number): number {
  const across = px - py * 0.32 + 0.05
  const down = py + px * 0.18
  const inside = (value: number, low: number, high: number) =>
    Math.min(1, Math.max(0, (value - low) / 0.03)) * Math.min(1, Math.max(0, (high - value) / 0.03))
  const columns = inside(across, -0.02, 0.24) + inside(across, 0.28, 0.54)
  const rows = inside(down, 0.06, 0.4) + inside(down, 0.44, 0.8)
  return columns * rows * 0.075 - 0.035
}

/** The ground as plain RGB. Each look is woven once and copied for every picture that wants it. */
export function backdropPixels(backdrop: Backdrop, width: number, height: number): Uint8ClampedArray {
  const key = `${backdrop.ground} ${backdrop.color} ${backdrop.window ?? false} ${width} ${height}`
  const ready = known.get(key)?.deref()
  if (ready) return ready.slice()
  const texture = textures[backdrop.ground](width, height)
  const glow = shine(backdrop, width, height)
  const base = rgb(backdrop.color)
  const dark: Rgb = blend(base, [44, 26, 14], 0.9)
  const bright: Rgb = blend(base, [255, 250, 238], 0.9)
  const pixels = new Uint8ClampedArray(width * height * 3)
  // On a dark wall the same light shows far less.
  const answer = 2.2 * (0.25 + (0.75 * (base[0] + base[1] + base[2])) / 700)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = texture(x, y) + glow(x, y)
      const towards = value < 0 ? dark : bright
      const share = value < 0 ? -value * 1.35 : value * answer
      const pixel = (y * width + x) * 3
      for (let c = 0; c < 3; c++) pixels[pixel + c] = base[c]! + (towards[c]! - base[c]!) * share
    }
  }
  // Held weakly, like the canvas: nobody needs them once the demo shop is drawn.
  known.set(key, new WeakRef(pixels))
  return pixels.slice()
}
