// Colours as numbers: mixing, and ramps from deepest shade to brightest light that the shading looks up.

export type Rgb = [number, number, number]

/** 256 colours in a row, three bytes each: index 0 lies in deep shade, 255 in full light. */
export type Ramp = Uint8Array

export function rgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function hex([r, g, b]: Rgb): string {
  return (
    '#' +
    [r, g, b]
      .map((part) =>
        Math.round(Math.min(255, Math.max(0, part)))
          .toString(16)
          .padStart(2, '0'),
      )
      .join('')
  )
}

export function blend(from: Rgb, to: Rgb, share: number): Rgb {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share, from[2] + (to[2] - from[2]) * share]
}

export function mixed(from: string, to: string, share: number): string {
  return hex(blend(rgb(from), rgb(to), share))
}

const ramps = new Map<string, Ramp>()

export function ramp(base: string, shade: string, shine = 0.45): Ramp {
  const key = base + shade + shine
  const known = ramps.get(key)
  if (known) return known
  const lit = rgb(base)
  const shaded = rgb(shade)
  const stops: [number, Rgb][] = [
    [0, blend(shaded, [20, 12, 8], 0.72)],
    [0.22, blend(shaded, [20, 12, 8], 0.25)],
    [0.42, blend(shaded, lit, 0.5)],
    [0.68, lit],
    [1, blend(lit, [255, 252, 244], shine)],
  ]
  const result = new Uint8Array(256 * 3)
  for (let i = 0; i < 256; i++) {
    const at = i / 255
    const upper = Math.max(
      1,
      stops.findIndex(([place]) => place >= at),
    )
    const [start, from] = stops[upper - 1]!
    const [end, to] = stops[upper]!
    result.set(
      blend(from, to, (at - start) / (end - start)).map((part) => Math.round(part)),
      i * 3,
    )
  }
  ramps.set(key, result)
  return result
}
