/** Finds the address by which rate limits count a client: the browser's address, as trusted proxies report it. [S-239] */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

const namedNetworks: Record<string, string[]> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: [
    '10.0.0.0/8',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '169.254.0.0/16',
    'fc00::/7',
    'fe80::/10',
  ],
  none: [],
}

/** Parses a list of trusted proxies: addresses, CIDR networks, `loopback`, `private` or `none`, separated by commas. Returns an error text if an entry is invalid. */
export function parseTrustedProxies(setting: string): BlockList | string {
  const trusted = new BlockList()
  const parts = setting.split(/[\s,]+/).filter((part) => part !== '')
  for (const range of parts.flatMap((part) => namedNetworks[part.toLowerCase()] ?? [part])) {
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

export function createProxyTrust(setting = 'loopback'): (remote: string) => boolean {
  const trusted = parseTrustedProxies(setting)
  if (typeof trusted === 'string') throw new Error(`TRUSTED_PROXIES ${trusted}`)
  return (remote) => {
    const address = normalizeAddress(remote)
    return address !== null && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }
}

export type ClientAddressOf = (
  remote: string | undefined,
  forwardedFor: string | undefined,
) => string

/** Only this many addresses of X-Forwarded-For are read, because no real chain of proxies is longer. */
const MAX_HOPS = 20

/** Reads X-Forwarded-For from right to left, up to the first address that is not a trusted proxy. Calls `untrusted` if an untrusted sender has set the header. */
export function createClientAddress(
  setting = 'loopback',
  untrusted: (remote: string) => void = () => {},
): ClientAddressOf {
  const isTrusted = createProxyTrust(setting)
  return (remote, forwardedFor) => {
    let address = normalizeAddress(remote ?? '') ?? '127.0.0.1'
    const addresses = forwardedFor?.split(',').slice(-MAX_HOPS) ?? []
    if (addresses.length > 0 && !isTrusted(address)) untrusted(address)
    while (addresses.length > 0 && isTrusted(address)) {
      const next = normalizeAddress(withoutPort(addresses.pop()!.trim()))
      if (!next) break
      address = next
    }
    return rateLimitAddress(address)
  }
}

const withoutPort = (address: string) =>
  /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address.replace(/^([\d.]+):\d+$/, '$1')

/** Removes the zone of an IPv6 address, such as `%eth0`, and converts an IPv4 address inside IPv6 to IPv4. Returns null if the text is not an address. */
function normalizeAddress(address: string): string | null {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  return familyOf(plain) ? plain : null
}

/** Returns an IPv4 address unchanged. Reduces an IPv6 address to its network, because one visitor may have 2^64 IPv6 addresses. */
function rateLimitAddress(plain: string): string {
  if (isIPv4(plain)) return plain
  const [before = '', after] = plain.split('::')
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  // An IPv4 address at the end, as in ::127.0.0.1, stands for two groups of an IPv6 address.
  const length = head!.length + tail!.length + (plain.includes('.') ? 1 : 0)
  const groups =
    after === undefined ? head! : [...head!, ...Array<string>(8 - length).fill('0'), ...tail!]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return network.every((group) => group === '0') ? plain : `${network.join(':')}::`
}
