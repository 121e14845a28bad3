import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

type Three = [number, number, number]
const channels = (hex: string): Three =>
  [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Three
const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const times = (matrix: Three[], v: Three) =>
  matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]) as Three

/**
 * These matrices of the CSS Color 4 specification convert linear sRGB to the color space LMS and
 * back.
 */
const toLms: Three[] = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const toRgb: Three[] = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]
/**
 * Returns the cube roots of a color's LMS values. Mixing these roots has the same result as mixing
 * the colors in Oklab.
 */
const roots = (hex: string) =>
  times(toLms, channels(hex).map(linear) as Three).map(Math.cbrt) as Three
function mixed(tint: string, ground: string, part: number): number {
  const a = roots(tint)
  const b = roots(ground)
  const rgb = times(toRgb, a.map((root, at) => (root * part + b[at]! * (1 - part)) ** 3) as Three)
  return luminance(rgb.map((part) => Math.min(1, Math.max(0, part))) as Three)
}
const luminance = ([r, g, b]: Three) => 0.2126 * r + 0.7152 * g + 0.0722 * b
const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)

const steps = ['00', '40', '80', 'c0', 'ff']
const everyColor = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)))

test.for(['catalog/gallery-page', 'categories/category-row'])(
  'the text on a banner in any category color has enough contrast in the light and the dark theme (%s)',
  async (file) => {
    const [css, tokens] = await Promise.all([
      readFile(`app/features/${file}.module.css`, 'utf8'),
      readFile('app/ui/tokens.css', 'utf8'),
    ])
    const parts = [...css.matchAll(/var\(--tint\) (\d+)%, var\(--raised\)/g)].map(
      ([, percent]) => Number(percent) / 100,
    )
    const values = (name: string) =>
      [...tokens.matchAll(new RegExp(`--${name}: (#[0-9a-f]{6});`, 'g'))].map(([, hex]) => hex!)
    const grounds = values('raised')
    const words = values('text')
    for (const list of [parts, grounds, words]) expect(list).toHaveLength(2)
    for (const [theme, ground] of grounds.entries()) {
      for (const tint of everyColor) {
        for (const part of parts) {
          const reached = contrast(
            mixed(tint, ground, part),
            luminance(channels(words[theme]!).map(linear) as Three),
          )
          expect(reached, `${tint} on ${ground}`).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  },
)
