import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { accentNames, accents, DEFAULT_ACCENT } from './accents.ts'

/**
 * Computes the relative luminance of a color as
 * https://www.w3.org/TR/WCAG22/#dfn-relative-luminance defines it.
 */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((start) => {
    const part = parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(left: string, right: string): number {
  const [light, dark] = [luminance(left), luminance(right)].toSorted((a, b) => b - a) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}

const themes = ['dark', 'light'] as const

async function readTokens(theme: (typeof themes)[number]): Promise<Record<string, string>> {
  const css = await readFile('app/ui/tokens.css', 'utf8')
  const block = new RegExp(`\\[data-theme='${theme}'\\] \\{([^}]*)\\}`).exec(css)![1]!
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  )
}

test('the contrast of black on white is 21:1', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test.each(accentNames)(
  'the accent color %s meets WCAG AA on buttons and on every background of both themes [OWN-24]',
  async (name) => {
    for (const theme of themes) {
      const tokens = await readTokens(theme)
      const { accent, strong, onAccent } = accents[name][theme]
      for (const background of [accent, strong]) {
        expect(contrast(onAccent, background), theme).toBeGreaterThanOrEqual(4.5)
      }
      for (const background of ['ground', 'raised', 'raised-2']) {
        const ratio = contrast(strong, tokens[background]!)
        expect(ratio, `${theme} ${background}`).toBeGreaterThanOrEqual(4.5)
      }
      expect(contrast(accent, tokens.ground!), theme).toBeGreaterThanOrEqual(4.5)
      // On the background `raised-2`, only graphics such as icons have the accent color. For
      // graphics, WCAG 1.4.11 requires a contrast of only 3:1.
      expect(contrast(accent, tokens['raised-2']!), theme).toBeGreaterThan(3)
    }
  },
)

test('the default accent has the same colors as tokens.css [OWN-24]', async () => {
  for (const theme of themes) {
    const tokens = await readTokens(theme)
    const { accent, strong, onAccent } = accents[DEFAULT_ACCENT][theme]
    expect(tokens).toMatchObject({ accent, 'accent-strong': strong, 'on-accent': onAccent })
  }
})
