/**
 * The policy of a page that many get (039). A nonce is for one answer: shared, it could be read and used by whoever gets something into a
 * page. So the scripts that carried the nonce of their making, and no others, are named by what they say.
 */
import { createHash } from 'node:crypto'

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g

/** null: the page is not as it should be, and must not be shared. */
export function withHashes(html: string, policy: string): { html: string; policy: string } | null {
  const nonce = /'nonce-([A-Za-z0-9+/=]{16,})'/.exec(policy)?.[1]
  if (nonce === undefined) return null
  const mark = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  for (const [, attributes = '', text = ''] of html.matchAll(SCRIPT))
    if (attributes.includes(mark) && !/\ssrc=/.test(attributes))
      hashes.add(`'sha256-${createHash('sha256').update(text).digest('base64')}'`)
  const bare = html.replaceAll(mark, '')
  if (bare.includes(nonce)) return null
  return { html: bare, policy: policy.replaceAll(`'nonce-${nonce}'`, [...hashes].join(' ')) }
}
