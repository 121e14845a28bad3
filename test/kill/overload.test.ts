/** More visitors than the shop can serve, and some who hold their lines on purpose: it says so, stays well, and is as before when they are gone. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Agent, request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newDataDir, openProcess } from '../open-process.ts'
import { sized } from '../size.ts'

const VISITORS = sized(400, 600)
const ROUNDS = sized(5, 40)
const HOLDERS = sized(200, 1000)

/** Bytes. */
async function residentMemory(pid: number): Promise<number> {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

test(
  '047 beyond what it can do the shop refuses some and serves the others; its health is told, its memory bounded, and afterwards all is as before',
  { timeout: sized(600_000, 3_600_000) },
  async () => {
    const shop = openProcess({ DATA_DIR: await newDataDir(), LONGEST_WAIT_MS: '200' })
    const url = await shop.opened
    const { port, hostname } = new URL(url)
    // Like a proxy, over connections that stay open: a new one waits until the process accepts it, and that comes before the process can refuse.
    const agent = new Agent({ keepAlive: true, maxFreeSockets: VISITORS })
    onTestFinished(() => agent.destroy())
    const ask = async (path: string, who: number) => {
      const asked = request(url + path, {
        agent,
        headers: { 'x-forwarded-for': `203.0.${Math.floor(who / 200)}.${who % 200}` },
      }).end()
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      await answer.toArray()
      return { status: answer.statusCode!, wait: answer.headers['retry-after'] ?? null }
    }
    expect((await ask('/gallery/', 0)).status).toBe(200)

    // Heads that never end, forms that stop, and lines on which nothing is said.
    const words = ['GET / HTTP/1.1\r\nHost: shop\r\nX-Slow: a', 'POST /login HTTP/1.1\r\nHost: shop\r\nContent-Length: 99999\r\n\r\na', '']
    const holders = Array.from({ length: HOLDERS }, (_, number) => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => {})
      socket.write(words[number % words.length]!)
      return socket
    })
    onTestFinished(() => holders.forEach((socket) => socket.destroy()))

    await Promise.all(Array.from({ length: VISITORS }, (_, who) => ask('/gallery/', who)))

    const told = new Map<number, number>()
    /** Each asks again as soon as it has its answer. */
    const visit = async (who: number) => {
      for (let round = 0; round < ROUNDS; round++) {
        const { status, wait } = await ask(`/gallery/?q=knot${round}-${who}`, who)
        told.set(status, (told.get(status) ?? 0) + 1)
        expect(wait === null).toBe(status === 200)
      }
    }
    let isOver = false
    const visits = Promise.all(Array.from({ length: VISITORS }, (_, who) => visit(who))).finally(() => (isOver = true))
    const health = new Set<number>()
    let most = 0
    while (!isOver) {
      health.add((await ask('/health', 0)).status)
      most = Math.max(most, await residentMemory(shop.pid))
    }
    await visits
    console.log(`overload: ${JSON.stringify(Object.fromEntries(told))}, ${HOLDERS} lines held, at most ${Math.round(most / 1e6)} MB`)
    expect([...told.keys()].sort()).toEqual([200, 503])
    expect([...health]).toEqual([200])
    expect(most).toBeLessThan(600_000_000)
    await expect.poll(async () => (await ask('/gallery/?q=after', 1)).status).toBe(200)
    expect(shop.output()).not.toMatch(/"level":"error"/)
  },
)
