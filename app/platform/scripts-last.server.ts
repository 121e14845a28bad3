/**
 * The order in which a page comes: first what is seen, then its scripts. Pages stand and work before these, so on a slow network they
 * wait until the first picture has been painted, but not for long. The router has no setting for it.
 */

import { firstScreen } from './first-screen.server.ts'

/**
 * In the browser: `page` is the router's own script, kept as text. The other pictures of the first screen ask before it.
 */
const start = `(() => {
  const page = document.getElementById('start')
  opened.then(() => setTimeout(() => {
    for (const href of page.dataset.files.split(' ')) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', fetchPriority: 'low', href }))
    page.replaceWith(Object.assign(document.createElement('script'), { type: 'module', nonce: page.nonce, textContent: page.textContent }))
  }))
  document.currentScript.remove()
})()`.replaceAll(/\n\s*/g, '\n')

const END = '</body></html>'

/** `data`: the scripts of the page's data, which come behind all that React has written; it is never searched, nor is what people see. */
export function scriptsLast(html: string, data: string, nonce: string | undefined): string {
  const whole = html.endsWith(END) ? html.slice(0, -END.length) : html
  const end = whole === html ? '' : END
  // Development's tools bring scripts of their own.
  if (nonce === undefined) return whole + (end && data) + end
  const [body, scripts] = [whole.indexOf('</head>'), whole.lastIndexOf('<script nonce="', whole.lastIndexOf(' type="module" async="">'))]
  if (body < 0 || scripts < body) return whole + (end && data) + end
  const files: string[] = []
  const head = whole
    .slice(0, body)
    .replaceAll(/<link rel="modulepreload"[^>]* href="([^"]+)"[^>]*>/g, (link, href: string) => {
      // The router looks for this link and would make another one; for no medium it fetches nothing.
      if (href.startsWith('/assets/entry.client')) return link.replace('<link', '<link media="not all"')
      files.push(href)
      return ''
    })
    .replace(/<meta name="viewport"[^>]*>/, (viewport) => `${viewport}<script nonce="${nonce}">${firstScreen}</script>`)
  const last = whole
    .slice(scripts)
    // It lies in one file with the frame, which the page's script imports before it.
    .replace(/;?import\("\/assets\/entry\.client-[^"]+"\);?/, '')
    .replace(
      /<script nonce="[^"]*" type="module" async="">/,
      () => `<script nonce="${nonce}" type="text/plain" id="start" data-files="${files.join(' ')}">`,
    )
  return `${head}${whole.slice(body, scripts)}${last}${end && `${data}<script nonce="${nonce}">${start}</script>${end}`}`
}
