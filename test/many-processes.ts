/** Several processes of one shop, each with a folder of its own and nothing in common but the database, and people who speak to one of them. */
import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import { newId15 } from '#app/platform/ids.ts'
import { newDataDir, openProcess, type AtTheEnd } from './open-process.ts'

export const OWNER = { email: 'owner@shop.test', password: 'a-good-password' }
export type Member = Awaited<ReturnType<typeof openMember>>

/** One of them; `origin` is the address that people know. */
export async function openMember(databaseUrl: string, origin: string, port: number, atTheEnd: AtTheEnd, env: Record<string, string> = {}) {
  const member = openProcess(
    {
      ...{ DATA_DIR: await newDataDir(atTheEnd), PORT: String(port), PUBLIC_URL: origin, DATABASE_URL: databaseUrl },
      ...{ SHOP_SECRET: 'a-secret-that-all-of-them-have-in-common', OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password },
      ...env,
    },
    atTheEnd,
  )
  // It prints the address that people know.
  await member.opened
  return { ...member, port, address: `http://127.0.0.1:${port}` }
}

/** Somebody with cookies, who may be sent to any of the processes. */
export function openPerson(origin: string, number: number) {
  const cookies = new Map<string, string>()
  const headers = () => ({
    origin,
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'x-forwarded-for': `203.0.113.${number}`,
  })
  function keep(response: Response) {
    for (const line of response.headers.getSetCookie()) {
      const [pair] = line.split(';')
      const at = pair!.indexOf('=')
      cookies.set(pair!.slice(0, at), pair!.slice(at + 1))
    }
    return response
  }
  const get = (address: string, path: string) => fetch(address + path, { headers: headers(), redirect: 'manual' }).then(keep)
  return {
    get,
    page: async (address: string, path: string) => (await get(address, path)).text(),
    post: (address: string, path: string, form: Record<string, string> | FormData) =>
      fetch(address + path, {
        ...{ method: 'POST', headers: headers(), redirect: 'manual' },
        body: form instanceof FormData ? form : new URLSearchParams(form),
      }).then(keep),
    /** An open tab. */
    async listen(address: string) {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/live`, { headers: headers() })
      const heard: string[] = []
      let version = ''
      socket.on('message', (text) => {
        const told = JSON.parse(String(text)) as { version?: string; changed?: string[] }
        if (told.version) version = told.version
        heard.push(...(told.changed ?? []))
      })
      const closed = once(socket, 'close').then(([code]) => code as number)
      await once(socket, 'open')
      await expect.poll(() => version).not.toBe('')
      return { heard, version, closed, close: () => socket.terminate() }
    },
  }
}
export type Person = ReturnType<typeof openPerson>

/** People who write and look through the proxy until told to stop; nothing of it may be refused, and what is acknowledged is kept. */
export function keepBusy(origin: string, address: string, writers: Person[]) {
  let isOver = false
  const acknowledged: string[] = []
  const refused: string[] = []
  let looks = 0
  const write = async (writer: Person) => {
    for (let pause = 0; !isOver; pause = 25) {
      await new Promise((done) => setTimeout(done, pause))
      const messageId = newId15()
      const { status } = await writer
        .post(address, '/messages.data', { intent: 'send', message: 'Under way', messageId })
        .catch(() => ({ status: 0 }))
      if (status === 200) acknowledged.push(messageId)
      else refused.push(`a message: ${status}`)
    }
  }
  const look = async (path: string) => {
    while (!isOver) {
      await new Promise((done) => setTimeout(done, 10))
      const { status } = await openPerson(origin, 97)
        .get(address, path)
        .catch(() => ({ status: 0 }))
      looks += 1
      if (status !== 200) refused.push(`${path}: ${status}`)
    }
  }
  const all = Promise.all([...writers.map(write), ...['/', '/gallery/', '/item/moon/', '/about/'].map(look)])
  return {
    acknowledged,
    refused,
    looks: () => looks,
    async stop() {
      isOver = true
      await all
    },
  }
}
