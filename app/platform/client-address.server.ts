/** Whose limits count: the address of the browser, as told by proxies that are trusted (TRUSTED_PROXIES, S-239). */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const named: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
  none: [],
}

/** Addresses, networks in CIDR, `loopback`, `private` or `none`, between commas; a text: what is wrong with it. */
export function readTrustedProxies(setting: string): BlockList | string {
  const trusted = new BlockList()
  const parts = setting.split(/[\s,]+/).filter((part) => part !== '')
  for (const range of parts.flatMap((part) => named[part.toLowerCase()] ?? [part])) {
    const [address = '', bits, ...rest] = range.split('/')
    const family = familyOf(address)
    const longest = family === 'ipv4' ? 32 : 128
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    if (!family || length < 0 || length > longest || rest.length > 0)
      return 'must be addresses or networks such as 10.0.0.0/8, loopback, private, or none'
    trusted.addSubnet(address, length, family)
  }
  return trusted
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : null)

export function openTrust(setting = 'loopback'): (remote: string) => boolean {
  const trusted = readTrustedProxies(setting)
  if (typeof trusted === 'string') throw new Error(`TRUSTED_PROXIES ${trusted}`)
  return (remote) => {
    const address = plainAddress(remote)
    return address !== null && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

export type ClientAddressOf = (remote: string | undefined, forwardedFor: string | undefined) => string

/** More hops than any chain of proxies has; what is sent is as long as somebody likes. */
const MOST_HOPS = 20

/** Walks X-Forwarded-For back from the connection: the first address that is no trusted proxy is the visitor's. `untrusted` hears of others. */
export function openClientAddress(setting = 'loopback', untrusted: (remote: string) => void = () => {}): ClientAddressOf {
  const isTrusted = openTrust(setting)
  return (remote, forwardedFor) => {
    let address = plainAddress(remote ?? '') ?? '127.0.0.1'
    const told = forwardedFor?.split(',').slice(-MOST_HOPS) ?? []
    if (told.length > 0 && !isTrusted(address)) untrusted(address)
    while (told.length > 0 && isTrusted(address)) {
      const next = plainAddress(withoutPort(told.pop()!.trim()))
      if (!next) break
      address = next
    }
    return countedAddress(address)
  }
}

const withoutPort = (told: string) => /^\[(.+)\](?::\d+)?$/.exec(told)?.[1] ?? told.replace(/^([\d.]+):\d+$/, '$1')

/** IPv4 written as IPv6, or with a zone, as what it is; null: no address at all. */
function plainAddress(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  return familyOf(plain) ? plain : null
}

/** Whom limits count as one: an IPv4 address; of IPv6 the network, since one visitor has 2^64 addresses of it to go through. */
function countedAddress(plain: string): string {
  if (isIPv4(plain)) return plain
  const [before = '', after] = plain.split('::')
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  // A dotted end stands for two groups.
  const length = head!.length + tail!.length + (plain.includes('.') ? 1 : 0)
  const groups = after === undefined ? head! : [...head!, ...Array<string>(8 - length).fill('0'), ...tail!]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return network.every((group) => group === '0') ? plain : `${network.join(':')}::`
}
