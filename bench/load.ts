/**
 * Sends HTTP load with wrk, a program in C: a load generator on Node would use a whole core and
 * send only as many requests as one Node server answers.
 */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export type LoadResult = { perSecond: number; p50: number; p99: number }
type LoadOptions = {
  origin: string
  path: string
  headers: Record<string, string>
  /**
   * session cookies, which the requests use in rotation; without cookies, the requests come from
   * visitors
   */
  cookies?: string[]
  /**
   * if true, the requests seem to come from many IP addresses (X-Forwarded-For), so that no rate
   * limit refuses them
   */
  hasManyClients?: boolean
  connections: number
  seconds: number
  /** the folder in which `sendLoad` writes a script for wrk */
  folder: string
}

/**
 * Sends load, and returns requests per second and durations in milliseconds. Throws if wrk is not
 * installed, or a response was not successful.
 */
export async function sendLoad(options: LoadOptions): Promise<LoadResult> {
  const {
    origin,
    path,
    headers,
    cookies = [],
    hasManyClients = false,
    connections,
    seconds,
    folder,
  } = options
  const script = join(folder, 'wrk.lua')
  await writeFile(script, luaScript(path, headers, cookies, hasManyClients))
  const { stdout } = await runWrk([
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    script,
    origin,
  ])
  const [perSecond, p50, p99, failed] = (/^result (.*)$/m.exec(stdout)?.[1] ?? '')
    .split(' ')
    .map(Number)
  if (failed !== 0) throw new Error(`${path}: not every response was a success\n${stdout}`)
  return { perSecond: perSecond!, p50: p50!, p99: p99! }
}

const runWrk = (options: string[]) =>
  run('wrk', options).catch((error: { code?: unknown }) => {
    throw error.code === 'ENOENT'
      ? new Error('wrk is not installed (Debian: apt-get install wrk)')
      : error
  })

const luaScript = (
  path: string,
  headers: Record<string, string>,
  cookies: string[],
  hasManyClients: boolean,
) => `
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
