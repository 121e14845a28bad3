import { Resolver } from 'node:dns/promises'
import { domainToASCII } from 'node:url'

const TIMEOUT_MS = 3000

export type ReadMailExchangers = (domain: string) => Promise<string[]>

/** The names of the servers that receive emails for a domain, or none without an answer in time. */
export async function readMailExchangers(domain: string, dnsServers?: readonly string[]) {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  if (dnsServers) resolver.setServers(dnsServers)
  // The resolver's own limit counts for each DNS server.
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
