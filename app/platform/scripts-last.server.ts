/**
 * The order in which a page comes: first what is seen, then its scripts. Pages stand and work before these, so on a slow network they
 * wait until the first picture has been painted, but not for long. The router has no setting for it.
 */

/** In the browser: `page` is the router's own script, kept as text. In a tab that nobody looks at nothing is painted. */
const start = `(() => {
  const page = document.getElementById('start')
  const picture = document.querySelector('img[fetchpriority=high]')
  let isDone = false
  const go = () => {
    if (isDone) return
    isDone = true
    for (const href of page.dataset.files.split(' ')) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }))
    page.replaceWith(Object.assign(document.createElement('script'), { type: 'module', nonce: page.nonce, textContent: page.textContent }))
  }
  const painted = () => (document.hidden ? go() : requestAnimationFrame(() => setTimeout(go)))
  if (picture) picture.decode().then(painted, painted)
  else painted()
  setTimeout(go, 2000)
  document.currentScript.remove()
})()`.replaceAll(/\n\s*/g, '\n')

export function scriptsLast(html: string, nonce: string): string {
  const files: string[] = []
  return html
    .replaceAll(/<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g, (_link, href: string) => {
      files.push(href)
      return ''
    })
    .replace(
      /<script nonce="[^"]*" type="module" async="">/,
      () => `<script nonce="${nonce}" type="text/plain" id="start" data-files="${files.join(' ')}">`,
    )
    .replace(/<\/body><\/html>$/, () => `<script nonce="${nonce}">${start}</script></body></html>`)
}
