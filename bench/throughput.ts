/** How many pages a second the shop renders, beside a server that only sends the same bytes. */
import autocannon from 'autocannon'
import { serveBare } from './bare.ts'
import { fetchRaw } from './raw.ts'

export type PageRate = {
  path: string
  who: string
  perSecond: number
  p50: number
  p99: number
  bytes: number
  /** the bare server's pages per second with the same bytes */
  bare: number
}

type Load = { seconds: number; connections: number }

export async function measurePage(origin: string, path: string, who: string, cookie: string, load: Load): Promise<PageRate> {
  const headers = { 'accept-encoding': 'gzip', accept: 'text/html', ...(cookie && { cookie }) }
  const page = await fetchRaw(origin + path, headers)
  if (page.status !== 200) throw new Error(`${path} answers ${page.status}`)
  await fire(origin + path, headers, { ...load, seconds: 1 }) // the code that every page runs gets compiled before the clock starts
  const shop = await fire(origin + path, headers, load)
  const server = await serveBare(page.body)
  const bare = await fire(server.origin + path, headers, load).finally(server.stop)
  return {
    path,
    who,
    perSecond: shop.requests.average,
    p50: shop.latency.p50,
    p99: shop.latency.p99,
    bytes: page.body.length,
    bare: bare.requests.average,
  }
}

async function fire(url: string, headers: Record<string, string>, { seconds, connections }: Load) {
  const result = await autocannon({ url, headers, connections, duration: seconds })
  const broken = result.errors + result.timeouts + result.non2xx
  if (broken > 0) throw new Error(`${url}: ${broken} of ${result.requests.total} answers were no page`)
  return result
}
