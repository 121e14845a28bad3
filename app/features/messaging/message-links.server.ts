import { type Match, LinkifyIt } from 'linkify-it'

/** `fuzzyLink` takes 150 ms for some messages; `findPlainAddresses` replaces it. */
const linkFinder = new LinkifyIt({ fuzzyLink: false }).add('ftp:', null).add('//', null)
const PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])
const HOST = /(?<![\p{L}\d.:/_@%\\-])[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d-]+)+/gu
const MAX_HOST_LENGTH = 253
/** Only common endings form a link, because in "thanks.it" only a space is missing. */
const PLAIN_HOST =
  /^(www\..+\.\p{L}{2,}$|[\p{L}\d.-]*\p{L}[\p{L}\d-]*\.(com|net|org|shop|store|art)$)/iu
const INVISIBLE = /\p{Cf}/u
/** Matches after a link that is only a part of a URL, such as "https://bank.com@evil.com". */
const CONTINUES_AFTER = /^([@%\\]|:\S)/

export const MAX_LINKS = 20

type Address = Pick<Match, 'index' | 'lastIndex' | 'url'>

export function findLinks(text: string) {
  const matches = [...(linkFinder.match(text) ?? []), ...findPlainAddresses(text)].sort(
    (left, right) => left.index - right.index,
  )
  const separate: Address[] = []
  for (const match of matches) {
    if (match.index >= (separate.at(-1)?.lastIndex ?? 0)) separate.push(match)
  }
  return separate.slice(0, MAX_LINKS).flatMap((match) => {
    const href = hrefOf(match, text)
    return href === null ? [] : [{ from: match.index, to: match.lastIndex, href }]
  })
}

function findPlainAddresses(text: string) {
  const addresses: Address[] = []
  for (const { 0: host, index } of text.matchAll(HOST)) {
    if (addresses.length === MAX_LINKS) break
    if (
      index < (addresses.at(-1)?.lastIndex ?? 0) ||
      host.length > MAX_HOST_LENGTH ||
      !PLAIN_HOST.test(host)
    ) {
      continue
    }
    const rest = text.slice(index)
    const hasPath = /^[:/?#]/.test(rest.slice(host.length))
    const length = hasPath
      ? Math.max(host.length, linkFinder.testSchemaAt(`//${rest}`, 'http:', 0) - 2)
      : host.length
    addresses.push({ index, lastIndex: index + length, url: `https://${rest.slice(0, length)}` })
  }
  return addresses
}

function hrefOf({ index, lastIndex, url: typed }: Address, text: string) {
  if (
    INVISIBLE.test(text.slice(index, lastIndex)) ||
    CONTINUES_AFTER.test(text.slice(lastIndex, lastIndex + 2))
  ) {
    return null
  }
  const url = URL.parse(typed)
  if (!url || !PROTOCOLS.has(url.protocol) || url.username || url.password) return null
  return url.href
}
