import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'

const TIMEOUT_MS = 3000

export type ReadMailExchangers = (domain: string) => Promise<string[]>

/** Returns the servers that receive emails for the domain, or [] if none answers in time. */
export async function readMailExchangers(domain: string, dnsServers?: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (dnsServers) resolver.setServers(dnsServers)
  // The resolver's own timeout applies to each DNS server separately.
  const timer = setTimeout(() => resolver.cancel(), TIMEOUT_MS)
  try {
    const records = await resolver.resolveMx(domainToASCII(domain))
    return records.toSorted((a, b) => a.priority - b.priority).map(({ exchange }) => exchange)
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
