import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
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
  'an overloaded shop serves some visitors, refuses the other visitors, still answers /health, limits its memory and recovers',
  patient,
  async () => {
    const shop = openProcess({ DATA_DIR: await newDataDir(), OVERLOAD_MAX_WAIT_MS: '200' })
    const url = await shop.opened()
    const { port, hostname } = new URL(url)
    // Reuses open connections, as a proxy does. An overloaded process cannot refuse a request before it accepts the connection.
    const agent = new Agent({ keepAlive: true, maxFreeSockets: VISITORS })
    onTestFinished(() => agent.destroy())
    const ask = async (path: string, who: number) => {
      const headers = { 'x-forwarded-for': `203.0.${Math.floor(who / 200)}.${who % 200}` }
      const [answer] = (await once(request(url + path, { agent, headers }).end(), 'response')) as [IncomingMessage]
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
    const visits = Promise.all(Array.from({ length: VISITORS }, (_, who) => visit(who))).finally(() => (isOver = true))
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
