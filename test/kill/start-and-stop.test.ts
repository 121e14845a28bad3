/** The process itself: what keeps it from starting, what a killed start leaves, and how it stops. */
import { once } from 'node:events'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { freePort } from '../free-port.ts'
import { newDataDir, openProcess } from '../open-process.ts'

async function failedStart(env: Record<string, string>) {
  const shop = openProcess(env)
  shop.opened.catch(() => {})
  const { code } = await shop.ended
  return { code, printed: shop.output().trim().split('\n') }
}

test('what keeps the shop from starting is said in one line that names the setting, with exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => void taken.close())
  const { port } = taken.address() as AddressInfo
  const dataDir = await newDataDir()
  const file = join(dataDir, 'file')
  await writeFile(file, '')
  const wrong: [env: Record<string, string>, line: RegExp][] = [
    [{ PORT: 'abc' }, /^The shop cannot start: PORT must be a number$/],
    [{ DATA_DIR: join(file, 'data') }, /^The shop cannot start: DATA_DIR .*file\/data cannot be used \(ENOTDIR\)$/],
    [
      { DATA_DIR: dataDir, DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/shop' },
      /^The shop cannot start: DATABASE_URL .*ECONNREFUSED\)$/,
    ],
    [
      { DATA_DIR: dataDir, FILES_URL: `s3://me:hunter2@pictures?endpoint=http://127.0.0.1:${await freePort()}` },
      /^The shop cannot start: FILES_URL leads to a storage that does not answer \(ECONNREFUSED\)$/,
    ],
    [{ DATA_DIR: dataDir, HOST: '192.0.2.1' }, /^The shop cannot start: HOST 192\.0\.2\.1 is no address of this machine/],
    [{ DATA_DIR: dataDir, HOST: 'nowhere.invalid' }, /^The shop cannot start: HOST nowhere\.invalid is no address of this machine/],
    [{ DATA_DIR: dataDir, PORT: String(port) }, new RegExp(`^The shop cannot start: PORT ${port} is taken by another program`)],
  ]
  for (const [env, line] of wrong) {
    const { code, printed } = await failedStart(env)
    expect(printed.at(-1)).toMatch(line)
    expect(printed.filter((one) => !one.startsWith('Database brought up to date'))).toHaveLength(1)
    expect(printed.join()).not.toContain('hunter2')
    expect(code).toBe(1)
  }
  const { printed } = await failedStart({ DEMO: '2', SHOP_TIME_ZONE: 'Mars' })
  expect(printed).toEqual([
    'The shop cannot start: DEMO must be 0 or 1',
    expect.stringMatching(/^The shop cannot start: SHOP_TIME_ZONE must be /),
  ])
})

test('a database file that is none is named, and left alone', async () => {
  const dataDir = await newDataDir()
  await writeFile(join(dataDir, 'shop.db'), 'this is a letter, not a database '.repeat(100))
  const { code, printed } = await failedStart({ DATA_DIR: dataDir })
  expect([code, printed.length]).toEqual([1, 1])
  expect(printed[0]).toMatch(/^The shop cannot start: DATA_DIR .*not a database/)
})

test('a first start may be killed at any moment: the next one opens the shop, with one owner whose password is in the file', async () => {
  const dataDir = await newDataDir()
  for (const pause of [40, 90, 140, 190, 240, 300, 360, 420, 500, 600]) {
    const killed = openProcess({ DATA_DIR: dataDir })
    killed.opened.catch(() => {})
    await new Promise((done) => setTimeout(done, pause))
    killed.kill('SIGKILL')
    await killed.ended
  }
  const shop = openProcess({ DATA_DIR: dataDir })
  const url = await shop.opened
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
    expect([secret, mode & 0o777]).toEqual([secret, 0o600])
  }
})

test('the generated password is printed by the first start and by no other', async () => {
  const dataDir = await newDataDir()
  const printed: boolean[] = []
  for (let start = 0; start < 2; start += 1) {
    const shop = openProcess({ DATA_DIR: dataDir })
    await shop.opened
    shop.kill('SIGTERM')
    await shop.ended
    printed.push(/with the password \S+/.test(shop.output()))
  }
  expect(printed).toEqual([true, false])
})

test('nothing answers before the shop is ready, and then the health is 200 at once', async () => {
  const port = await freePort()
  const shop = openProcess({ DATA_DIR: await newDataDir(), PORT: String(port) })
  let first: number | undefined
  while (first === undefined)
    first = await fetch(`http://127.0.0.1:${port}/health`).then(
      ({ status }) => status,
      () => new Promise<undefined>((done) => setImmediate(() => done(undefined))),
    )
  expect(first).toBe(200)
  expect((await fetch(`http://127.0.0.1:${port}/login`)).status).toBe(200)
  await shop.opened
})

test('told to stop, it ends within seconds: open sockets and idle connections are closed, an answer under way goes out', async () => {
  const shop = openProcess({ DATA_DIR: await newDataDir() })
  const url = await shop.opened
  const { host, port, hostname } = new URL(url)
  const tabs = [1, 2, 3].map(() => new WebSocket(`ws://${host}/live`, { origin: url }))
  await Promise.all(tabs.map((tab) => once(tab, 'open')))
  tabs[2]!.pause()
  const goodbyes = tabs.slice(0, 2).map((tab) => once(tab, 'close').then(([code]) => code))
  const idle = connect(Number(port), hostname)
  idle.write(`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(idle, 'data')
  // Half a form is there when the signal comes, the other half follows.
  const body = 'theme=light&back=/about'
  const underWay = connect(Number(port), hostname)
  underWay.write(
    `POST /theme HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${url}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 8)}`,
  )
  await fetch(`${url}/health`)

  const begun = performance.now()
  shop.kill('SIGTERM')
  expect(await Promise.all(goodbyes)).toEqual([1001, 1001])
  underWay.write(body.slice(8))
  const [answer] = await once(underWay, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: \/about/i)
  expect(await shop.ended).toEqual({ code: 0, signal: null })
  expect(performance.now() - begun).toBeLessThan(4000)
  tabs[2]!.terminate()
  idle.destroy()
})
