/** Finds links in messages. The server finds them, so that browsers do not need to load linkify-it. */
import { type Match, LinkifyIt } from 'linkify-it'
import type { MessageLink } from '#app/features/orders/order.ts'

/** `fuzzyLink` is off, because linkify-it would need 150 ms to find the URLs without "https://" in some messages. `findPlainAddresses` finds them. [S-417] */
const linkFinder = new LinkifyIt({ fuzzyLink: false }).add('ftp:', null).add('//', null)
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])
/** Matches a host name that is not a part of a longer URL or of an email address. */
const HOST = /(?<![\p{L}\d.:/_@%\\-])[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d-]+)+/gu
const MAX_HOST_LENGTH = 253
/** Matches a host name that begins with "www." or has a common ending. Does not match a text such as "thanks.it", which only lacks a space. */
const PLAIN_HOST =
  /^(www\..+\.\p{L}{2,}$|[\p{L}\d.-]*\p{L}[\p{L}\d-]*\.(com|net|org|shop|store|art)$)/iu
/** Invisible characters can disguise a link. */
const INVISIBLE = /\p{Cf}/u
/** If one of these characters follows a found link, the link is only a part of a longer URL, such as "https://bank.com@evil.com". */
const CONTINUES_AFTER = /^([@%\\]|:\S)/

/** A message full of links would make the page of the conversation slow. */
export const MAX_LINKS = 20

type Found = Pick<Match, 'index' | 'lastIndex' | 'url'>

/** Finds the first URLs and email addresses in a text. [S-165] */
export function findLinks(text: string): MessageLink[] {
  const found = [...(linkFinder.match(text) ?? []), ...findPlainAddresses(text)].sort(
    (one, other) => one.index - other.index,
  )
  const separate: Found[] = []
  for (const match of found)
    if (match.index >= (separate.at(-1)?.lastIndex ?? 0)) separate.push(match)
  return separate.slice(0, MAX_LINKS).flatMap((match) => {
    const href = hrefOf(match, text)
    return href === null ? [] : [{ from: match.index, to: match.lastIndex, href }]
  })
}

/** Finds the first URLs without "https://". */
function findPlainAddresses(text: string): Found[] {
  const found: Found[] = []
  for (const { 0: host, index } of text.matchAll(HOST)) {
    if (found.length === MAX_LINKS) break
    if (
      index < (found.at(-1)?.lastIndex ?? 0) ||
      host.length > MAX_HOST_LENGTH ||
      !PLAIN_HOST.test(host)
    )
      continue
    const rest = text.slice(index)
    const hasPath = /^[:/?#]/.test(rest.slice(host.length))
    const length = hasPath
      ? Math.max(host.length, linkFinder.testSchemaAt(`//${rest}`, 'http:', 0) - 2)
      : host.length
    found.push({ index, lastIndex: index + length, url: `https://${rest.slice(0, length)}` })
  }
  return found
}

function hrefOf({ index, lastIndex, url: typed }: Found, text: string): string | null {
  if (
    INVISIBLE.test(text.slice(index, lastIndex)) ||
    CONTINUES_AFTER.test(text.slice(lastIndex, lastIndex + 2))
  )
    return null
  const url = URL.parse(typed)
  if (!url || !PROTOCOLS.has(url.protocol) || url.username || url.password) return null
  return url.href
}
