/** The page of last resort, for what never reaches a route or broke on its way: no script, no cause, only the way home. */

export function plainPage(status: number, text: string, headers: Record<string, string> = {}): Response {
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Knots &amp; Love</title><style>
body{margin:0;min-height:100vh;display:grid;place-content:center;gap:1rem;padding:1.5rem;background:#17130f;color:#f4ece1;font:1.1rem/1.5 system-ui,sans-serif;text-align:center}
a{color:inherit;padding:.75rem 1.25rem;justify-self:center;border:1px solid;border-radius:999px;text-decoration:none}
</style></head><body><main id="main"><h1>${text}</h1></main><a href="/">Back to the shop</a></body></html>`
  return new Response(html, { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers } })
}
