// Soft cast shadows: the outline of a layer, at a quarter of the size, shifted away from the light, blurred and taken from what lies below.
import { project, type Canvas } from './canvas.ts'
import type { Camera, Shape } from './shape.ts'

const part = 4

export type Mask = { width: number; height: number; values: Float32Array }

function mask(target: Canvas): Mask {
  const [width, height] = [Math.ceil(target.width / part), Math.ceil(target.height / part)]
  return { width, height, values: new Float32Array(width * height) }
}

/** The outline of shapes as the shadow sees it: coarse discs along every line. */
export function shapeMask(target: Canvas, shapes: Shape[], camera: Camera): Mask {
  const result = mask(target)
  const { width, height, values } = result
  const disc = (cx: number, cy: number, radius: number) => {
    const top = Math.max(0, Math.floor(cy - radius))
    const bottom = Math.min(height - 1, Math.ceil(cy + radius))
    for (let y = top; y <= bottom; y++) {
      const reach = radius * radius - (y - cy) * (y - cy)
      if (reach < 0 && radius > 1) continue
      const half = Math.max(0.6, Math.sqrt(Math.max(0, reach)))
      const from = Math.max(0, Math.round(cx - half))
      const to = Math.min(width - 1, Math.round(cx + half) - 1)
      for (let x = from; x <= to; x++) values[y * width + x] = 1
    }
  }
  for (const shape of shapes) {
    const line = project(shape.kind === 'bead' ? [shape.x, shape.y] : shape.points, camera, target.width, target.height)
    const radius = (shape.radius * camera.scale) / part
    let [lastX, lastY] = [-1e9, -1e9]
    for (let i = 0; i < line.length; i += 2) {
      const [x, y] = [line[i]! / part, line[i + 1]! / part]
      const gap = Math.hypot(x - lastX, y - lastY)
      if (gap < radius * 0.4) continue
      const pieces = lastX < -1e8 ? 1 : Math.max(1, Math.ceil(gap / Math.max(0.8, radius * 0.7)))
      for (let p = 1; p <= pieces; p++) {
        disc(pieces === 1 ? x : lastX + ((x - lastX) * p) / pieces, pieces === 1 ? y : lastY + ((y - lastY) * p) / pieces, radius)
      }
      lastX = x
      lastY = y
    }
  }
  return result
}

/** The outline of a drawn picture with alpha. */
export function alphaMask(target: Canvas, rgba: Uint8Array): Mask {
  const result = mask(target)
  for (let y = 0; y < result.height; y++) {
    for (let x = 0; x < result.width; x++) {
      const at = Math.min(target.height - 1, y * part + 2) * target.width + Math.min(target.width - 1, x * part + 2)
      result.values[y * result.width + x] = rgba[at * 4 + 3]! / 255
    }
  }
  return result
}

function blurRows(from: Float32Array, to: Float32Array, width: number, height: number, reach: number): void {
  const share = 1 / (reach * 2 + 1)
  for (let y = 0; y < height; y++) {
    const row = y * width
    let sum = 0
    for (let x = -reach; x <= reach; x++) sum += from[row + Math.min(width - 1, Math.max(0, x))]!
    for (let x = 0; x < width; x++) {
      // Written turned by a quarter, so that the second pass blurs columns.
      to[x * height + y] = sum * share
      sum += from[row + Math.min(width - 1, x + reach + 1)]! - from[row + Math.max(0, x - reach)]!
    }
  }
}

export function blur({ width, height, values }: Mask, reach: number): Mask {
  const other = new Float32Array(values.length)
  const result = Float32Array.from(values)
  for (let pass = 0; pass < 2; pass++) {
    blurRows(result, other, width, height, reach)
    blurRows(other, result, height, width, reach)
  }
  return { width, height, values: result }
}

function bounds(values: Float32Array, width: number, height: number) {
  let [top, bottom, left, right] = [height, 0, width, 0]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (values[y * width + x]! < 0.008) continue
      if (y < top) top = y
      bottom = y
      if (x < left) left = x
      if (x > right) right = x
    }
  }
  return { top, bottom, left, right }
}

/** `lift` in pixels of the canvas; `depth` 0 to 1 is the darkness at the heart of the shadow. */
export function cast(target: Canvas, outline: Mask, lift: number, depth = 0.5): void {
  const { width, height, values } = blur(outline, Math.max(1, Math.round((lift * 0.55) / part)))
  const shiftX = (lift * 0.62) / part
  const shiftY = (lift * 0.85) / part
  const { pixels } = target
  const { top, bottom, left, right } = bounds(values, width, height)
  const until = Math.min(target.height, Math.ceil((bottom + 2 + shiftY) * part))
  const end = Math.min(target.width, Math.ceil((right + 2 + shiftX) * part))
  // What touches the upper or left border goes on beyond it, and so does its shadow.
  const begin = top === 0 ? 0 : Math.max(0, Math.floor((top - 1 + shiftY) * part))
  const start = left === 0 ? 0 : Math.max(0, Math.floor((left - 1 + shiftX) * part))
  for (let y = begin; y < until; y++) {
    const sy = Math.min(height - 1.001, Math.max(0, (y + 0.5) / part - 0.5 - shiftY))
    const y0 = Math.floor(sy)
    const fy = sy - y0
    const row = y0 * width
    const below = Math.min(height - 1, y0 + 1) * width
    for (let x = start; x < end; x++) {
      const sx = Math.min(width - 1.001, Math.max(0, (x + 0.5) / part - 0.5 - shiftX))
      const x0 = Math.floor(sx)
      const a = values[row + x0]! + (values[below + x0]! - values[row + x0]!) * fy
      const b = values[row + x0 + 1]! + (values[below + x0 + 1]! - values[row + x0 + 1]!) * fy
      const shade = (a + (b - a) * (sx - x0)) * depth
      if (shade < 0.004) continue
      const pixel = (y * target.width + x) * 3
      // Shadows stay a little warm: blue leaves first.
      pixels[pixel] = pixels[pixel]! * (1 - shade * 0.9)
      pixels[pixel + 1] = pixels[pixel + 1]! * (1 - shade * 0.97)
      pixels[pixel + 2] = pixels[pixel + 2]! * (1 - shade)
    }
  }
}
