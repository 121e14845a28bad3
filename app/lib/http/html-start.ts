const colors = {
  dark: 'background:#1d1815;--ground:#1d1815;color:#f3e9da;--line:#4a3f38;--accent:#d9805f;--on-accent:#1d1310',
  light:
    'background:#faf5ec;--ground:#faf5ec;color:#33281f;--line:#e2d6c4;--accent:#b4532f;--on-accent:#fffaf4',
}

export const minimalStyle = (theme: keyof typeof colors | null = null) =>
  `html{color-scheme:${theme ?? 'dark'}}
body{margin:0;min-height:100vh;${colors[theme ?? 'dark']};font:1.05rem/1.5 Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}`

/** The caller must escape `title` and `style`. */
export const htmlStart = (title: string, style: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>
${style}
</style></head><body>`
