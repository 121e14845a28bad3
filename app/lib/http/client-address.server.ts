import { BlockList, isIP, isIPv4 } from 'node:net'

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

export function parseTrustedProxies(setting: string): BlockList | string {
  const trusted = new BlockList()
  const parts = setting.split(/[\s,]+/).filter((part) => part !== '')
  for (const range of parts.flatMap((part) => namedNetworks[part.toLowerCase()] ?? [part])) {
    const [address = '', bits, ...rest] = range.split('/')
    const longest = isIPv4(address) ? 32 : 128
    const typedLength = bits !== undefined && /^\d{1,3}$/.test(bits) ? Number(bits) : -1
    const length = bits === undefined ? longest : typedLength
    if (!isIP(address) || length < 0 || length > longest || rest.length > 0) {
      return 'must be addresses or networks such as 10.0.0.0/8, loopback, private, or none'
    }
    trusted.addSubnet(address, length, familyOf(address))
  }
  return trusted
}

const familyOf = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

export function createProxyTrust(setting = 'loopback'): (remote: string) => boolean {
  const trusted = parseTrustedProxies(setting)
  if (typeof trusted === 'string') throw new Error(`TRUSTED_PROXIES ${trusted}`)
  return (remote) => {
    const address = normalizeAddress(remote)
    return address !== null && trusted.check(address, familyOf(address))
  }
}

export type ClientAddressOf = (
  remote: string | undefined,
  forwardedFor: string | undefined,
) => string

const MAX_HOPS = 20

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

function normalizeAddress(address: string) {
  const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
  return isIP(plain) ? plain : null
}

function rateLimitAddress(plain: string) {
  if (isIPv4(plain)) return plain
  const [before = '', after] = plain.split('::')
  const [head, tail] = [before, after ?? ''].map((part) => (part === '' ? [] : part.split(':')))
  const length = head!.length + tail!.length + (plain.includes('.') ? 1 : 0)
  const groups =
    after === undefined ? head! : [...head!, ...Array<string>(8 - length).fill('0'), ...tail!]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return network.every((group) => group === '0') ? plain : `${network.join(':')}::`
}
