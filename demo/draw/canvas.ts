// The canvas: lays strokes and beads on pixels with twisted-rope shading, contact shade and soft cast shadows.
import type { Bead, Camera, Shape, Stroke } from './shape.ts'
import { seeded } from './random.ts'

export type Canvas = {
  width: number
  height: number
  pixels: Uint8ClampedArray
  stamp: Int32Array
  best: Float32Array
  u: Float32Array
  ex: Float32Array
  ey: Float32Array
  segment: Int32Array
  touched: Int32Array
  strokes: number
}

export function canvas(width: number, height: number, pixels: Uint8ClampedArray): Canvas {
  const size = width * height
  return {
    width,
    height,
    pixels,
    stamp: new Int32Array(size),
    best: new Float32Array(size),
    u: new Float32Array(size),
    ex: new Float32Array(size),
    ey: new Float32Array(size),
    segment: new Int32Array(size),
    touched: new Int32Array(size),
    strokes: 0,
  }
}

// Light falls from the upper left, towards the viewer.
const light = { x: -0.45, y: -0.6, z: 0.66 }
const haloReach = 1.75
const haloDepth = 0.34

const grain = Float32Array.from(
  { length: 4096 },
  (
    (random) => () =>
      random.next() * 2 - 1
  )(seeded('grain')),
)
const tableSize = 512
const arcSine = Float32Array.from({ length: tableSize + 1 }, (_, i) => Math.asin((i / tableSize) * 2 - 1))

/** pitch: strand spacing in radii; turn: how far a strand leans across the cord; bump: roundness of a strand; groove: depth between strands */
const twists: Record<'rope' | 'string' | 'fibre', { pitch: number; turn: number; bump: number; groove: number; streak: number }> = {
  rope: { pitch: 1.15, turn: 0.46, bump: 0.75, groove: 0.34, streak: 0.06 },
  string: { pitch: 1.5, turn: 0.6, bump: 0.4, groove: 0.16, streak: 0.09 },
  fibre: { pitch: 9, turn: 0.1, bump: 0.1, groove: 0, streak: 0.12 },
}

export function project(points: number[], camera: Camera, width: number, height: number): Float64Array {
  const [cos, sin] = [Math.cos(camera.turn) * camera.scale, Math.sin(camera.turn) * camera.scale]
  const result = new Float64Array(points.length)
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i]! - camera.x, points[i + 1]! - camera.y]
    result[i] = width / 2 + x * cos - y * sin
    result[i + 1] = height / 2 + x * sin + y * cos
  }
  return result
}

function isOutside(line: Float64Array, reach: number, width: number, height: number): boolean {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
  for (let i = 0; i < line.length; i += 2) {
    left = Math.min(left, line[i]!)
    right = Math.max(right, line[i]!)
    top = Math.min(top, line[i + 1]!)
    bottom = Math.max(bottom, line[i + 1]!)
  }
  return right < -reach || left > width + reach || bottom < -reach || top > height + reach
}

/** Drops points closer than `gap`, and on straight stretches nearly all, so that the cost follows the drawn size and shape. */
function thinned(line: Float64Array, gap: number): Float64Array {
  const kept: number[] = [line[0]!, line[1]!]
  const last = line.length - 2
  for (let i = 2; i < last; i += 2) {
    const dx = line[i]! - kept[kept.length - 2]!
    const dy = line[i + 1]! - kept[kept.length - 1]!
    const size = Math.hypot(dx, dy)
    if (size < gap) continue
    const ex = line[i + 2]! - line[i]!
    const ey = line[i + 3]! - line[i + 1]!
    const bend = Math.abs(dx * ey - dy * ex) / (size * Math.hypot(ex, ey) + 1e-9)
    if (bend > 0.045 || size > gap * 9 || dx * ex + dy * ey < 0) kept.push(line[i]!, line[i + 1]!)
  }
  kept.push(line[last]!, line[last + 1]!)
  return Float64Array.from(kept)
}

function layStroke(target: Canvas, shape: Stroke, camera: Camera): void {
  const { width, height, stamp, best, u, ex: offX, ey: offY, segment, touched, pixels } = target
  const radius = Math.max(0.7, shape.radius * camera.scale)
  const endRadius = Math.max(0.5, shape.endRadius * camera.scale)
  const widest = Math.max(radius, endRadius)
  const halo = widest * (haloReach - 1) + 1
  const reach = widest + halo
  const projected = project(shape.points, camera, width, height)
  if (isOutside(projected, reach, width, height)) return
  const line = thinned(projected, Math.max(1.2, radius * 0.55))
  const count = line.length / 2 - 1
  const id = ++target.strokes
  let found = 0
  let length = 0
  const directions = new Float64Array(count * 2)
  const reachSquared = reach * reach
  for (let i = 0; i < count; i++) {
    const [ax, ay, bx, by] = [line[i * 2]!, line[i * 2 + 1]!, line[i * 2 + 2]!, line[i * 2 + 3]!]
    const size = Math.hypot(bx - ax, by - ay) || 1e-6
    const tx = (bx - ax) / size
    const ty = (by - ay) / size
    directions[i * 2] = tx
    directions[i * 2 + 1] = ty
    const left = Math.max(0, Math.floor(Math.min(ax, bx) - reach))
    const right = Math.min(width - 1, Math.ceil(Math.max(ax, bx) + reach))
    const top = Math.max(0, Math.floor(Math.min(ay, by) - reach))
    const bottom = Math.min(height - 1, Math.ceil(Math.max(ay, by) + reach))
    for (let y = top; y <= bottom; y++) {
      const py = y + 0.5 - ay
      let from = left
      let to = right
      // A slanted piece fills little of its box: only the span of this row within reach is looked at.
      if (ty > 0.1 || ty < -0.1) {
        const centre = ax + (py * tx) / ty
        const half = reach / Math.abs(ty) + 1
        if (centre - half > from) from = Math.floor(centre - half)
        if (centre + half < to) to = Math.ceil(centre + half)
      }
      for (let x = from; x <= to; x++) {
        const px = x + 0.5 - ax
        let t = px * tx + py * ty
        if (t < 0) t = 0
        else if (t > size) t = size
        const ex = px - t * tx
        const ey = py - t * ty
        const d = ex * ex + ey * ey
        if (d > reachSquared) continue
        const at = y * width + x
        if (stamp[at] !== id) {
          stamp[at] = id
          touched[found++] = at
        } else if (d >= best[at]!) continue
        best[at] = d
        u[at] = length + t
        offX[at] = ex
        offY[at] = ey
        segment[at] = i
      }
    }
    length += size
  }
  const { ramp, tone, material } = shape
  const change = (endRadius - radius) / (length || 1)
  const isTwisted = material === 'rope' || material === 'string' || material === 'fibre'
  const twist = twists[isTwisted ? material : 'rope']
  const step = 1 / (twist.pitch * radius)
  const offset = id * 97
  const depth = haloDepth * (material === 'fibre' ? 0.35 : 1)
  for (let k = 0; k < found; k++) {
    const at = touched[k]!
    const distance = Math.sqrt(best[at]!)
    const here = radius + change * u[at]!
    const cover = here + 0.5 - distance
    const pixel = at * 3
    const tx = directions[segment[at]! * 2]!
    const ty = directions[segment[at]! * 2 + 1]!
    const lateral = offY[at]! * tx - offX[at]! * ty
    const side = lateral < 0 ? -1 : 1
    if (cover < 1) {
      // Contact shade: deeper on the side away from the light.
      const away = (tx * light.y - ty * light.x) * side
      const fall = 1 - Math.max(0, distance - here) / halo
      if (fall > 0) {
        const dim = 1 - depth * fall * fall * (0.75 - 0.55 * away)
        pixels[pixel] = pixels[pixel]! * dim
        pixels[pixel + 1] = pixels[pixel + 1]! * dim
        pixels[pixel + 2] = pixels[pixel + 2]! * dim
      }
      if (cover <= 0) continue
    }
    const nx = offX[at]! / here
    const ny = offY[at]! / here
    const w = Math.max(-0.999, Math.min(0.999, lateral / here))
    const nz = Math.sqrt(Math.max(0, 1 - nx * nx - ny * ny))
    let lum: number
    if (isTwisted) {
      const theta = arcSine[Math.round((w + 1) * 0.5 * tableSize)]!
      const s = u[at]! * step + theta * twist.turn
      const strand = Math.floor(s)
      const f = (s - strand - 0.5) * 2
      const lean = f * twist.bump
      const sx = nx + tx * lean
      const sy = ny + ty * lean
      const diffuse = (sx * light.x + sy * light.y + nz * light.z) / Math.sqrt(1 + lean * lean)
      const f4 = f * f * f * f
      const streak = grain[(((f * 6 + 6) | 0) * 31 + strand * 57 + ((theta * 3 + 9) | 0) * 7 + offset) & 4095]!
      lum = 0.4 + 0.5 * (diffuse > 0 ? diffuse : diffuse * 0.35) - twist.groove * f4 * f4 + streak * twist.streak - (1 - nz) * 0.1
    } else if (material === 'wood') {
      const diffuse = nx * light.x + ny * light.y + nz * light.z
      const row = grain[(((w + 1) * 14) | 0) * 13 + (((u[at]! / radius) * 0.22 + w * 1.3) | 0) * 3 + (offset & 1023)]!
      lum = 0.34 + 0.48 * Math.max(-0.2, diffuse) + row * 0.06
    } else {
      const diffuse = nx * light.x + ny * light.y + nz * light.z
      const shine = Math.max(0, nx * -0.3 + ny * -0.42 + nz * 0.85)
      lum = 0.2 + 0.45 * Math.max(0, diffuse) + 0.55 * shine ** 18 + 0.12 * Math.max(0, -ny) + 0.1 * Math.max(0, ny * 0.9)
    }
    if (shape.isTucked) {
      const end = Math.min(u[at]!, length - u[at]!) / (here * 1.9)
      if (end < 1) lum *= 0.56 + 0.44 * end * (2 - end)
    }
    const index = Math.max(0, Math.min(255, (lum * tone * 255) | 0)) * 3
    if (cover >= 1) {
      pixels[pixel] = ramp[index]!
      pixels[pixel + 1] = ramp[index + 1]!
      pixels[pixel + 2] = ramp[index + 2]!
    } else {
      pixels[pixel] = pixels[pixel]! + (ramp[index]! - pixels[pixel]!) * cover
      pixels[pixel + 1] = pixels[pixel + 1]! + (ramp[index + 1]! - pixels[pixel + 1]!) * cover
      pixels[pixel + 2] = pixels[pixel + 2]! + (ramp[index + 2]! - pixels[pixel + 2]!) * cover
    }
  }
}

function layBead(target: Canvas, shape: Bead, camera: Camera): void {
  const { width, height, pixels } = target
  const centre = project([shape.x, shape.y], camera, width, height)
  const [cx, cy] = [centre[0]!, centre[1]!]
  const rx = shape.radius * camera.scale
  const ry = rx * shape.stretch
  const reach = 1.35
  const seed = Math.round(shape.x * 13 + shape.y * 7)
  for (let y = Math.max(0, Math.floor(cy - ry * reach)); y <= Math.min(height - 1, cy + ry * reach); y++) {
    for (let x = Math.max(0, Math.floor(cx - rx * reach)); x <= Math.min(width - 1, cx + rx * reach); x++) {
      const nx = (x + 0.5 - cx) / rx
      const ny = (y + 0.5 - cy) / ry
      const d = Math.sqrt(nx * nx + ny * ny)
      if (d > reach) continue
      const pixel = (y * width + x) * 3
      const cover = Math.min(1, (1 - d) * rx + 0.5)
      if (cover < 1) {
        const fall = 1 - Math.max(0, d - 1) / (reach - 1)
        const dim = 1 - 0.4 * fall * fall * (0.7 + 0.3 * (nx + ny))
        for (let c = 0; c < 3; c++) pixels[pixel + c] = pixels[pixel + c]! * dim
        if (cover <= 0) continue
      }
      const nz = Math.sqrt(Math.max(0, 1 - d * d))
      const diffuse = nx * light.x + ny * light.y + nz * light.z
      const shine = Math.max(0, nx * -0.28 + ny * -0.4 + nz * 0.87) ** 40
      const ring = grain[(Math.floor((ny + nx * nx * 0.35) * 7 + 20) * 19 + seed) & 4095]! * 0.06
      const index = Math.max(0, Math.min(255, ((0.36 + 0.46 * Math.max(-0.25, diffuse) + shine * 0.3 + ring) * 255) | 0)) * 3
      for (let c = 0; c < 3; c++) pixels[pixel + c] = pixels[pixel + c]! + (shape.ramp[index + c]! - pixels[pixel + c]!) * cover
    }
  }
}

export function lay(target: Canvas, shapes: Shape[], camera: Camera): void {
  for (const shape of shapes) {
    if (shape.kind === 'bead') layBead(target, shape, camera)
    else layStroke(target, shape, camera)
  }
}
