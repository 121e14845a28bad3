type Accent = { accent: string; strong: string; onAccent: string }

export const DEFAULT_ACCENT = 'terracotta'

/** The default accent must have the colors of app/ui/tokens.css. */
export const accents = {
  terracotta: {
    dark: { accent: '#d9805f', strong: '#e39a7d', onAccent: '#1d1310' },
    light: { accent: '#b4532f', strong: '#98431f', onAccent: '#fffaf4' },
  },
  rose: {
    dark: { accent: '#d98a9b', strong: '#e5a5b3', onAccent: '#1d1013' },
    light: { accent: '#a8405a', strong: '#8c2f47', onAccent: '#fff8f8' },
  },
  plum: {
    dark: { accent: '#b894c9', strong: '#cbb0d8', onAccent: '#170f1c' },
    light: { accent: '#7a4a8f', strong: '#643a78', onAccent: '#fdf8ff' },
  },
  blue: {
    dark: { accent: '#8aa6d6', strong: '#a7bde2', onAccent: '#0e1420' },
    light: { accent: '#3f5f9a', strong: '#2f4c82', onAccent: '#f8faff' },
  },
  teal: {
    dark: { accent: '#6fb3ae', strong: '#8fc7c3', onAccent: '#0c1817' },
    light: { accent: '#1f6b68', strong: '#155653', onAccent: '#f5fffe' },
  },
  moss: {
    dark: { accent: '#97b37a', strong: '#b0c797', onAccent: '#12180c' },
    light: { accent: '#4d6a2f', strong: '#3d5723', onAccent: '#fbfff5' },
  },
  ochre: {
    dark: { accent: '#d9a441', strong: '#e5bb6c', onAccent: '#1d1508' },
    light: { accent: '#8a5f10', strong: '#704b05', onAccent: '#fffaf0' },
  },
} satisfies Record<string, { dark: Accent; light: Accent }>

export type AccentName = keyof typeof accents
export const accentNames = Object.keys(accents) as [AccentName, ...AccentName[]]

export const accentCss = (name: AccentName) =>
  (['dark', 'light'] as const)
    .map((theme) => {
      const { accent, strong, onAccent } = accents[name][theme]
      const attribute = `[data-theme=${theme}]`
      return `html${attribute},html ${attribute}{--accent:${accent};--accent-strong:${strong};--on-accent:${onAccent}}`
    })
    .join('')
