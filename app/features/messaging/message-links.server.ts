/** Links in what people write: found here, so that the browser needs no library and no page can be made to link anywhere else. */
import { LinkifyIt, type Match } from 'linkify-it'
import type { MessageLink } from '#app/features/orders/order.ts'

const finder = new LinkifyIt({ fuzzyLink: true }).add('ftp:', null).add('//', null)
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])
/** Without "https://" before it, only this is taken for an address: "thanks.it" and "1.com" are far more often a missing space. */
const PLAIN_ADDRESS = /^(www\.|[\p{L}\d.-]*\p{L}[\p{L}\d-]*\.(com|net|org|shop|store|art)(?=[/:?#]|$))/iu
/** Marks that nobody sees can make a link look like another one. */
const UNSEEN = /\p{Cf}/u
/** What stands right beside a match that is only a part of a longer address, as in "https://bank.com@evil.com". */
const GOES_ON = /^([@%\\]|:\S)/
const GOES_BEFORE = /[@%\\]/

/** S-165: web and e-mail addresses; everything else stays text. */
export function findLinks(text: string): MessageLink[] {
  return (finder.match(text) ?? []).flatMap((match) => {
    const href = hrefOf(match, text)
    return href === null ? [] : [{ from: match.index, to: match.lastIndex, href }]
  })
}

function hrefOf(match: Match, text: string): string | null {
  if (UNSEEN.test(match.raw) || GOES_ON.test(text.slice(match.lastIndex, match.lastIndex + 2))) return null
  if (match.schema === '' && (GOES_BEFORE.test(text.charAt(match.index - 1)) || !PLAIN_ADDRESS.test(match.raw))) return null
  const url = URL.parse(match.schema === '' ? `https://${match.raw}` : match.url)
  if (!url || !PROTOCOLS.has(url.protocol) || url.username || url.password) return null
  return url.href
}
