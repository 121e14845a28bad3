/** Runs the built shop as a separate process with its own data folder. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { memoryEnvironment, memoryOptions } from '../scripts/memory-limits.mjs'

export type ServedShop = {
  origin: string
  pid: number
  /** milliseconds from the start of the process to the first successful response of /health */
  startedIn: number
  stop: (how?: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** The owner of a measured shop has the same email address and password as in the e2e tests. */
export const OWNER = { email: 'owner@example.com', password: 'owner-password' }
/**
 * These settings are empty unless the caller sets them, so that the environment of the benchmark
 * does not change the shop.
 */
export const clearedEnvironment = {
  PUBLIC_URL: '',
  DATABASE_URL: '',
  STORAGE_URL: '',
  SMTP_URL: '',
  SHOP_TIME_ZONE: '',
}
const root = new URL('..', import.meta.url).pathname

/**
 * Starts `node build/server/index.js` on the port `fixedPort`, or on a free port if `fixedPort` is
 * 0. Throws an error with the output of the shop if the shop does not start.
 */
export async function serveShop(
  dataDir: string,
  fixedPort = 0,
  settings: Record<string, string> = {},
): Promise<ServedShop> {
  const own = {
    PORT: String(fixedPort),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    OWNER_EMAIL: OWNER.email,
    OWNER_PASSWORD: OWNER.password,
    DEMO: '0',
  }
  const begun = performance.now()
  const child = spawn(process.execPath, [...memoryOptions, 'build/server/index.js'], {
    cwd: root,
    env: {
      ...process.env,
      ...memoryEnvironment,
      ...clearedEnvironment,
      ...own,
      ...settings,
      NODE_ENV: 'production',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const port = await portOf(child)
  const origin = `http://127.0.0.1:${port}`
  const health = await fetch(`${origin}/health`)
  if (!health.ok) throw new Error(`/health answers ${health.status}`)
  return {
    origin,
    pid: child.pid!,
    startedIn: performance.now() - begun,
    stop: (how) => stop(child, how),
  }
}

async function portOf(child: ChildProcess): Promise<string> {
  const said: string[] = []
  child.stderr!.on('data', (text) => said.push(String(text)))
  for await (const line of createInterface({ input: child.stdout! })) {
    said.push(line)
    const port = /is open at http:\/\/[^/]*:(\d+)\//.exec(line)?.[1]
    if (port) {
      child.stdout!.resume()
      return port
    }
  }
  throw new Error(`The shop did not open:\n${said.join('\n')}`)
}

async function stop(child: ChildProcess, how: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(how)
  await ended
}

/** Returns the resident memory of a process in bytes, as the operating system counts it (VmRSS). */
export async function residentMemory(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}
