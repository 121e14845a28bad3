/** The built shop as a process of its own on a free port, for journeys: with its own data folder, empty or a copy of the demo shop. */
import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { compiled, patientShop } from '../open-process.ts'

export const OWNER = { email: 'owner@example.com', password: 'owner-password' }

export type ServedShop = {
  url: string
  dataDir: string
  /** what the process has printed so far */
  output: () => string
  /** SIGKILL and a new process on the same data folder and port */
  kill: () => Promise<void>
  start: () => Promise<void>
  stop: () => Promise<void>
}

/** `demo`: a copy of the demo shop (demo-data.ts) or of the given data folder; otherwise an empty shop. */
export async function openServedShop({ demo = false as boolean | string, env = {} as Record<string, string> } = {}): Promise<ServedShop> {
  const dataDir = await mkdtemp(join(tmpdir(), 'served-shop-'))
  if (demo) await cp(demo === true ? process.env.DEMO_DATA! : demo, dataDir, { recursive: true })
  const port = await freePort()
  const url = `http://localhost:${port}`
  let process_: ChildProcess
  let printed = ''
  const ended = () =>
    new Promise<void>((done) => (process_.exitCode === null && process_.signalCode === null ? process_.once('exit', () => done()) : done()))

  async function start() {
    process_ = spawn(process.execPath, ['build/server/index.js'], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        NODE_COMPILE_CACHE: compiled,
        PORT: String(port),
        DATA_DIR: dataDir,
        DEMO: '0',
        OWNER_EMAIL: OWNER.email,
        OWNER_PASSWORD: OWNER.password,
        SHOP_TIME_ZONE: 'America/New_York',
        ...patientShop,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const opened = new Promise<void>((done, fail) => {
      const note = (chunk: Buffer) => {
        printed += chunk
        if (String(chunk).includes('is open at')) done()
      }
      process_.stdout!.on('data', note)
      process_.stderr!.on('data', note)
      process_.once('exit', (code) => fail(new Error(`the shop ended with ${code}:\n${printed}`)))
    })
    await opened
  }
  await start()
  return {
    url,
    dataDir,
    output: () => printed,
    start,
    async kill() {
      process_.kill('SIGKILL')
      await ended()
    },
    async stop() {
      process_.kill('SIGTERM')
      await ended()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
