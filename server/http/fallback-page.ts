import { htmlStart, minimalStyle } from '#lib/http/html-start.ts'

const knot = [
  'M4 44C40 44 54 12 86 12s38 44 8 46-44-32-22-42',
  'M72 16c18-8 34 4 46 18s22 10 38 10',
]
  .map(
    (d) =>
      `<path d="${d}" stroke="var(--accent)" stroke-width="8" stroke-linecap="round"/><path d="${d}" stroke="var(--ground)" stroke-width="5" stroke-linecap="round"/>`,
  )
  .join('')
const links = [
  ['Gallery', '/gallery/'],
  ['Testimonials', '/testimonials/'],
  ['Contact', '/contact/'],
  ['About', '/about/'],
]
  .map(([name, path]) => `<a href="${path}">${name}</a>`)
  .join('')

export function fallbackPage(
  status: number,
  text: string,
  {
    theme,
    headers,
    offerRetry,
  }: {
    theme?: 'dark' | 'light' | null
    headers?: Record<string, string>
    offerRetry?: boolean
  } = {},
) {
  const [, said = text, advice] = /^(.+?[.:]) (.+)$/s.exec(text) ?? []
  const again = offerRetry ? '<a href="">Try again</a>' : ''
  const style = `${minimalStyle(theme)}
body{display:flex;flex-direction:column}
nav{display:flex;flex-wrap:wrap;gap:0 .25rem;padding:.5rem 1rem;border-bottom:1px solid var(--line)}
a{display:inline-flex;align-items:center;min-height:2.75rem;padding:0 .75rem;color:inherit;text-decoration:none;font-weight:600}
nav a:first-child{margin-right:auto;font-family:Georgia,serif;font-size:1.2rem}
main{flex:1;display:grid;place-content:center;justify-items:center;gap:1.25rem;padding:1.5rem;text-align:center}
h1{margin:0;max-width:24ch;font:600 1.7rem/1.25 Georgia,serif;text-wrap:balance}
p{margin:0}
.ways{display:flex;flex-wrap:wrap;justify-content:center;gap:.75rem}
.ways a{justify-content:center;padding:0 1.5rem;border:1px solid var(--accent);border-radius:999px}
.ways a:first-child{background:var(--accent);color:var(--on-accent)}
@media(max-width:30rem){.ways{display:grid}nav{justify-content:space-between}nav a{padding:0 .4rem;font-size:.95rem}nav a:first-child{width:100%;font-size:1.2rem}}`
  const body = `<nav aria-label="Shop"><a href="/">Knots &amp; Love</a>${links}</nav><main id="main"><svg viewBox="0 0 160 72" width="160" height="72" aria-hidden="true" fill="none">${knot}</svg><h1>${said}</h1>${advice ? `<p>${advice}</p>` : ''}<div class="ways">${again}<a href="/">Back to the shop</a></div></main>`
  return new Response(`${htmlStart('Knots &amp; Love', style)}${body}</body></html>`, {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
  })
}
