import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '#test/fixtures/network.ts'
import { newDataDir, openProcess, startAndFail } from '#test/fixtures/processes.ts'

async function takenPort() {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return String((other.address() as AddressInfo).port)
}

type Given = { dataDir: string; taken: string }

test.each<[setting: string, env: (given: Given) => Record<string, string>, line: RegExp]>([
  ['a PORT that is no number', () => ({ PORT: 'abc' }), /PORT must be a number$/],
  [
    'a DATA_DIR below a file',
    ({ dataDir }) => ({ DATA_DIR: `${dataDir}/file/data` }),
    /DATA_DIR .*file\/data cannot be used \(ENOTDIR\)$/,
  ],
  [
    'a DATABASE_URL without a server',
    () => ({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' }),
    /DATABASE_URL .*ECONNREFUSED\)$/,
  ],
  [
    'a HOST of another machine',
    () => ({ HOST: '192.0.2.1' }),
    /HOST 192\.0\.2\.1 is not an address of this machine/,
  ],
  [
    'a HOST without an address',
    () => ({ HOST: 'nowhere.invalid' }),
    /HOST nowhere\.invalid is not an address of this machine/,
  ],
  ['a PORT that is taken', ({ taken }) => ({ PORT: taken }), /Another program uses PORT \d+/],
])(
  'the shop refuses to start with %s, prints one line without a password and exits with code 1',
  async (_, env, line) => {
    const dataDir = await newDataDir()
    await writeFile(join(dataDir, 'file'), '')
    const { code, lines } = await startAndFail({
      DATA_DIR: dataDir,
      ...env({ dataDir, taken: await takenPort() }),
    })
    expect(code).toBe(1)
    expect(lines.filter((one) => one !== 'Database brought up to date.')).toEqual([
      expect.stringMatching(line),
    ])
    expect(lines.at(-1)).toMatch(/^The shop cannot start: /)
    expect(lines.join()).not.toContain('hunter2')
  },
)

test('the shop refuses to start if its database file is not a database, and does not change the file', async () => {
  const dataDir = await newDataDir()
  const text = 'this is a text, not a database '.repeat(100)
  await writeFile(join(dataDir, 'shop.db'), text)
  const { code, lines } = await startAndFail({ DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(lines).toEqual([
    expect.stringMatching(/^The shop cannot start: DATA_DIR .*not a database/),
  ])
  expect(await readFile(join(dataDir, 'shop.db'), 'utf8')).toBe(text)
})

test('after the first start was killed at ten different moments, the next start creates one owner and private secrets', async () => {
  const dataDir = await newDataDir()
  for (const pause of [40, 90, 140, 190, 240, 300, 360, 420, 500, 600]) {
    const killed = openProcess({ DATA_DIR: dataDir })
    await new Promise((done) => setTimeout(done, pause))
    await killed.stop('SIGKILL')
  }
  const shop = openProcess({ DATA_DIR: dataDir })
  const url = await shop.opened()
  const password = await readFile(join(dataDir, 'secrets', 'owner-password'), 'utf8')
  const response = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ intent: 'login', email: 'owner@example.com', password }),
    headers: { origin: url },
    redirect: 'manual',
  })
  expect(response.status).toBe(302)
  for (const secret of await readdir(join(dataDir, 'secrets'))) {
    const { mode } = await stat(join(dataDir, 'secrets', secret))
    expect(mode & 0o777, secret).toBe(0o600)
  }
})

test('the shop accepts no connection before it is ready, and then answers /health with 200', async () => {
  const port = await freePort()
  // This test uses the default of OVERLOAD_MAX_WAIT_MS, which real shops use. Other tests allow a
  // longer wait.
  const shop = openProcess({
    DATA_DIR: await newDataDir(),
    PORT: String(port),
    OVERLOAD_MAX_WAIT_MS: '2000',
  })
  let first: number | undefined
  while (first === undefined) {
    first = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status,
      () => new Promise<undefined>((done) => setImmediate(() => done(undefined))),
    )
  }
  expect(first).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/login`)).status).toBe(200)
  await shop.opened()
})

test('on SIGTERM, the shop closes WebSockets and idle connections, finishes pending responses, and exits within seconds', async () => {
  const shop = openProcess({ DATA_DIR: await newDataDir() })
  const url = await shop.opened()
  const { host, port, hostname } = new URL(url)
  const tabs = [1, 2, 3].map(() => new WebSocket(`ws://${host}/live`, { origin: url }))
  await Promise.all(tabs.map((tab) => once(tab, 'open')))
  tabs[2]!.pause()
  const codes = tabs.slice(0, 2).map((tab) => once(tab, 'close').then(([code]) => code))
  const idle = connect(Number(port), hostname)
  idle.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(idle, 'data')
  // The client sends the first bytes of the body before SIGTERM, and the remaining bytes after
  // SIGTERM.
  const body = 'theme=light&back=/about'
  const head = `Host: ${host}\r\nOrigin: ${url}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}`
  const underWay = connect(Number(port), hostname)
  underWay.write(`POST /theme HTTP/1.1\r\n${head}\r\n\r\n${body.slice(0, 8)}`)
  await fetch(`${url}/health`)

  const ended = shop.stop()
  expect(await Promise.all(codes)).toEqual([1001, 1001])
  // Five seconds after SIGTERM, the shop would close all connections, also the one in progress.
  await once(idle, 'close')
  underWay.write(body.slice(8))
  const [answer] = await once(underWay, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/about/i)
  // The third tab reads nothing. If the shop waited for it, it would wait for 30 seconds.
  expect(await Promise.race([ended, sleep(29_000)])).toEqual({ code: 0, signal: null })
  tabs[2]!.terminate()
})
