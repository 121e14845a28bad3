/** Sends HTTP load from another process: by wrk, which uses little processor time, or by autocannon if wrk is not installed. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const run = promisify(execFile)

export type LoadProgram = 'wrk' | 'autocannon'
export type LoadResult = { perSecond: number; p50: number; p99: number }
type LoadOptions = {
  origin: string
  path: string
  headers: Record<string, string>
  /** session cookies, which the requests use in rotation; without cookies, the requests come from visitors */
  cookies?: string[]
  /** if true, the requests seem to come from many IP addresses (X-Forwarded-For), so that no rate limit refuses them */
  hasManyClients?: boolean
  connections: number
  seconds: number
  /** the folder in which `sendLoad` writes the script for wrk */
  folder: string
}

export const findLoadProgram = (): Promise<LoadProgram> =>
  run('wrk', ['-v']).then(
    () => 'wrk',
    (error: { code?: unknown }) => (error.code === 'ENOENT' ? 'autocannon' : 'wrk'),
  )

/** Sends load, and returns requests per second and durations in milliseconds. Throws if a response was not successful. */
export async function sendLoad(program: LoadProgram, options: LoadOptions): Promise<LoadResult> {
  const { origin, path, headers, cookies = [], hasManyClients = false, connections, seconds, folder } = options
  if (program === 'autocannon') {
    const clients = hasManyClients ? Array.from({ length: 1000 }, (_, at) => ({ 'x-forwarded-for': `10.0.${at >> 8}.${at & 255}` })) : [{}]
    const senders = cookies.length > 0 ? cookies.map((cookie) => ({ cookie })) : clients
    const requests = senders.map((sender) => ({ path, headers: { ...headers, ...sender } }))
    const result = await autocannon({ url: origin, connections, duration: seconds, requests })
    if (result.errors + result.timeouts + result.non2xx > 0) throw new Error(`${path}: not every response was a success`)
    return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 }
  }
  const script = join(folder, 'wrk.lua')
  await writeFile(script, luaScript(path, headers, cookies, hasManyClients))
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script, origin])
  const [perSecond, p50, p99, failed] = (/^result (.*)$/m.exec(stdout)?.[1] ?? '').split(' ').map(Number)
  if (failed !== 0) throw new Error(`${path}: not every response was a success\n${stdout}`)
  return { perSecond: perSecond!, p50: p50!, p99: p99! }
}

const luaScript = (path: string, headers: Record<string, string>, cookies: string[], hasManyClients: boolean) => `
local cookies = {${cookies.map((cookie) => JSON.stringify(cookie)).join(',')}}
local number = 0
local headers = {${Object.entries(headers)
  .map(([name, value]) => `[${JSON.stringify(name)}] = ${JSON.stringify(value)}`)
  .join(', ')}}
request = function()
  number = number + 1
  if #cookies > 0 then headers["Cookie"] = cookies[number % #cookies + 1] end
  if ${hasManyClients} then headers["X-Forwarded-For"] = string.format("10.%d.%d.%d", number / 65536 % 256, number / 256 % 256, number % 256) end
  return wrk.format("GET", ${JSON.stringify(path)}, headers)
end
done = function(summary, latency)
  local failed = summary.errors.status + summary.errors.read + summary.errors.connect + summary.errors.timeout
  print(string.format("result %f %f %f %d", summary.requests / summary.duration * 1e6, latency:percentile(50) / 1000, latency:percentile(99) / 1000, failed))
end
`
