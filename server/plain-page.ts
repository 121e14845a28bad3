/** The page of last resort, for what never reaches a route or broke on its way: no script, no cause, only the ways on. */

type Looks = { theme?: 'dark' | 'light'; headers?: Record<string, string> }

/** The same grounds and texts as in app/ui/tokens.css, which may be out of reach. */
const colors = {
  dark: 'background:#1d1815;color:#f3e9da;--line:#4a3f38;--accent:#d9805f;--on-accent:#1d1310',
  light: 'background:#faf5ec;color:#33281f;--line:#e2d6c4;--accent:#b4532f;--on-accent:#fffaf4',
}
const links = [
  ['Gallery', '/gallery/'],
  ['Testimonials', '/testimonials/'],
  ['Contact', '/contact/'],
  ['About', '/about/'],
]
  .map(([name, path]) => `<a href="${path}">${name}</a>`)
  .join('')

export function plainPage(status: number, text: string, { theme = 'dark', headers = {} }: Looks = {}): Response {
  const html = `<!doctype html><html lang="en" style="color-scheme:${theme}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Knots &amp; Love</title><style>
body{margin:0;min-height:100vh;display:flex;flex-direction:column;${colors[theme]};font:1.05rem/1.5 Figtree,'Segoe UI',Roboto,Helvetica,Arial,sans-serif}
nav{display:flex;flex-wrap:wrap;gap:0 .25rem;padding:.5rem 1rem;border-bottom:1px solid var(--line)}
a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem;color:inherit;text-decoration:none;font-weight:600}
nav a:first-child{margin-right:auto;font-family:Georgia,serif;font-size:1.2rem}
main{flex:1;display:grid;place-content:center;justify-items:center;gap:1.25rem;padding:1.5rem;text-align:center}
h1{margin:0;font:600 1.7rem/1.2 Georgia,serif}
main a{padding:0 1.5rem;border-radius:999px;background:var(--accent);color:var(--on-accent)}
</style></head><body><nav aria-label="Shop"><a href="/">Knots &amp; Love</a>${links}</nav><main id="main"><h1>${text}</h1><a href="/">Back to the shop</a></main></body></html>`
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}
