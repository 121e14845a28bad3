/** The data of a page as the router's own scripts: written as its `StreamTransfer` would write them, but at once (040). */
import type { EntryContext } from 'react-router'

/** What would end a script, or what JSON may hold and older scripts may not. */
const ESCAPES: Record<string, string> = { '&': '\\u0026', '>': '\\u003e', '<': '\\u003c', '\u2028': '\\u2028', '\u2029': '\\u2029' }
const escaped = (json: string): string => json.replace(/[&><\u2028\u2029]/g, (sign) => ESCAPES[sign] ?? sign)

/** Takes the data out of `entry`, so that React is not given them again. */
export async function dataScripts(entry: EntryContext, nonce: string | undefined): Promise<string> {
  const stream = entry.serverHandoffStream
  delete entry.serverHandoffStream
  if (!stream) return ''
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  const script = (text: string) =>
    `<script${nonce ? ` nonce="${nonce}"` : ''}>window.__reactRouterContext.streamController.${text};</script>`
  let scripts = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return `${scripts}${script('close()')}`
    scripts += script(`enqueue(${escaped(JSON.stringify(decoder.decode(value, { stream: true })))})`)
  }
}
