import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newDataDir, openProcess } from '#test/fixtures/processes.ts'
import { sized } from '#test/fixtures/size.ts'

const VISITORS = sized(400, 600)
const ROUNDS = sized(5, 40)
const HOLDERS = sized(200, 1000)
const patient = { timeout: sized(600_000, 3_600_000) }

async function residentBytes(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

test(
  'an overloaded shop serves some visitors, refuses others, answers /health, limits its memory and recovers',
  patient,
  async () => {
    const shop = openProcess({ DATA_DIR: await newDataDir(), OVERLOAD_MAX_WAIT_MS: '200' })
    const url = await shop.opened()
    const { port, hostname } = new URL(url)
    // Reuses open connections, as a proxy does. An overloaded process cannot refuse a request
    // before it accepts the connection.
    const agent = new Agent({ keepAlive: true, maxFreeSockets: VISITORS })
    onTestFinished(() => agent.destroy())
    const ask = async (path: string, who: number) => {
      const headers = { 'x-forwarded-for': `203.0.${Math.floor(who / 200)}.${who % 200}` }
      const [answer] = (await once(request(url + path, { agent, headers }).end(), 'response')) as [
        IncomingMessage,
      ]
      await answer.toArray()
      return { status: answer.statusCode!, wait: answer.headers['retry-after'] ?? null }
    }
    // On a busy machine, the shop may refuse pages for a moment after its start.
    await expect.poll(async () => (await ask('/gallery/', 0)).status, { timeout: 30_000 }).toBe(200)

    // Each of these clients sends incomplete headers, an incomplete body or nothing.
    const beginnings = [
      'GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: a',
      'POST /login HTTP/1.1\r\nHost: shop\r\nContent-Length: 99999\r\n\r\na',
      '',
    ]
    const holders = Array.from({ length: HOLDERS }, (_, number) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(beginnings[number % beginnings.length]!)
      return socket
    })
    onTestFinished(() => holders.forEach((socket) => socket.destroy()))

    await Promise.all(Array.from({ length: VISITORS }, (_, who) => ask('/gallery/', who)))

    const answers = new Map<number, number>()
    const visit = async (who: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { status, wait } = await ask(`/gallery/?q=knot${round}-${who}`, who)
        answers.set(status, (answers.get(status) ?? 0) + 1)
        expect(wait === null).toBe(status === 200)
      }
    }
    let isOver = false
    const visits = Promise.all(Array.from({ length: VISITORS }, (_, who) => visit(who))).finally(
      () => (isOver = true),
    )
    const health = new Set<number>()
    let most = 0
    while (!isOver) {
      health.add((await ask('/health', 0)).status)
      most = Math.max(most, await residentBytes(shop.pid))
    }
    await visits
    console.log(
      `overload: ${JSON.stringify(Object.fromEntries(answers))}, ${HOLDERS} connections held, at most ${Math.round(most / 1e6)} MB`,
    )
    expect([...answers.keys()].sort()).toEqual([200, 503])
    expect([...health]).toEqual([200])
    expect(most).toBeLessThan(550_000_000)
    await expect.poll(async () => (await ask('/gallery/?q=after', 1)).status).toBe(200)
    expect(shop.output()).not.toMatch(/"level":"error"/)
  },
)

const processorTime = async (thread: string) =>
  Number((await readFile(`${thread}/schedstat`, 'utf8')).split(' ')[0])

test('the shop hashes passwords outside the thread that serves pages', async () => {
  const shop = openProcess({ DATA_DIR: await newDataDir() })
  const url = await shop.opened()
  const threads = (await readdir(`/proc/${shop.pid}/task`)).map(
    (id) => `/proc/${shop.pid}/task/${id}`,
  )
  const times = async () =>
    new Map(
      await Promise.all(
        threads.map(async (thread) => [thread, await processorTime(thread)] as const),
      ),
    )
  const before = await times()
  const body = () =>
    new URLSearchParams({ intent: 'login', email: 'owner@example.com', password: 'wrong-password' })
  for (let attempt = 0; attempt < 8; attempt++) {
    await fetch(`${url}/login`, { method: 'POST', body: body(), headers: { origin: url } })
  }
  const spent = [...(await times())].map(([thread, time]) => ({
    thread,
    time: time - before.get(thread)!,
  }))
  const main = spent.find(({ thread }) => thread.endsWith(`/${shop.pid}`))!
  const others = spent.reduce((sum, { time }) => sum + time, 0) - main.time
  console.log(
    `hashing: main thread ${Math.round(main.time / 1e6)} ms, other threads ${Math.round(others / 1e6)} ms`,
  )
  expect(main.time).toBeLessThan(others)
})
