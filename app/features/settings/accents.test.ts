import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { accentNames, accents, DEFAULT_ACCENT } from './accents.ts'

/** Computes the relative luminance of a color as https://www.w3.org/TR/WCAG22/#dfn-relative-luminance defines it. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [
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

test.each(accentNames)(
  'the accent color %s meets WCAG AA on buttons and on every background of both themes [OWN-24]',
  async (name) => {
    expect(Math.round(contrast('#000000', '#ffffff'))).toBe(21)
    for (const theme of themes) {
      const tokens = await readTokens(theme)
      const { accent, strong, onAccent } = accents[name][theme]
      for (const background of [accent, strong])
        expect([theme, contrast(onAccent, background)]).toEqual([
          theme,
          expect.toSatisfy(isReadable),
        ])
      for (const background of ['ground', 'raised', 'raised-2'])
        expect([theme, background, contrast(strong, tokens[background]!)]).toEqual([
          theme,
          background,
          expect.toSatisfy(isReadable),
        ])
      expect([theme, contrast(accent, tokens.ground!)]).toEqual([
        theme,
        expect.toSatisfy(isReadable),
      ])
      // On the background `raised-2`, only graphics such as icons have the accent color. For graphics, WCAG 1.4.11 requires a contrast of only 3:1.
      expect(contrast(accent, tokens['raised-2']!)).toBeGreaterThan(3)
    }
  },
)
const isReadable = (ratio: number) => ratio >= 4.5

test('the default accent has the same colors as tokens.css [OWN-24]', async () => {
  for (const theme of themes) {
    const tokens = await readTokens(theme)
    const { accent, strong, onAccent } = accents[DEFAULT_ACCENT][theme]
    expect([accent, strong, onAccent]).toEqual([
      tokens.accent,
      tokens['accent-strong'],
      tokens['on-accent'],
    ])
  }
})
