/** How much one server gives away: by wrk, which costs little itself, or by autocannon where that is not installed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

const run = promisify(execFile)

export type Load = { perSecond: number; p50: number; p99: number; count: number }
type Asked = { url: string; headers: Record<string, string>; seconds: number; connections: number }

export const hasProgram = async (name: string, ask = '-v'): Promise<boolean> =>
  run(name, [ask]).then(
    () => true,
    (error: { code?: unknown }) => error.code !== 'ENOENT',
  )

/** Fails where an answer was no page. */
export async function fireWith(program: 'wrk' | 'autocannon', { url, headers, seconds, connections }: Asked): Promise<Load> {
  if (program === 'autocannon') {
    const { errors, timeouts, non2xx, requests, latency } = await autocannon({ url, headers, connections, duration: seconds })
    if (errors + timeouts + non2xx > 0) throw new Error(`${url}: not every answer was a page`)
    return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, count: requests.total }
  }
  const named = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const { stdout } = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', ...named, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url}: not every answer was a page\n${stdout}`)
  return {
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]),
    // At the beginning of a line: the table above has percentages of its own.
    p50: milliseconds(/^\s+50%\s+(\S+)/m.exec(stdout)?.[1]),
    p99: milliseconds(/^\s+99%\s+(\S+)/m.exec(stdout)?.[1]),
    count: Number(/(\d+) requests in/.exec(stdout)?.[1]),
  }
}

function milliseconds(text = ''): number {
  const [, number, unit = 'ms'] = /^([\d.]+)(us|ms|s|m)$/.exec(text) ?? []
  return Number(number) * ({ us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit] ?? Number.NaN)
}
