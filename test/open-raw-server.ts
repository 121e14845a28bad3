/** The production server on a port of its own, spoken to with any bytes. */
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createRequestHandler } from '#server/request-handler.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { createHttpApp } from '#server/http/app.ts'
import { openTestShop } from './open-test-shop.ts'
import { listen } from './listen.ts'

export async function openRawServer(publicUrl: string | null = null) {
  const { shop, folder, logged } = await openTestShop()
  const client = join(folder, 'client')
  await mkdir(join(client, 'assets'), { recursive: true })
  await writeFile(join(client, 'long.txt'), 'knots '.repeat(1000))
  const own = { ...shop, publicUrl }
  const handler = createRequestHandler(own)
  const server = createServer(
    createHttpApp({ handler, clientFolder: client, shop: own, clientAddressOf: openClientAddress(), isReady: async () => true }),
  )
  const port = await listen(server)
  /** All that the shop answers until it, or `until`, ends the connection. */
  async function raw(bytes: string, until = /never/): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    await new Promise<void>((done) => {
      socket.on('error', () => done())
      socket.on('close', () => done())
      socket.on('data', (chunk) => {
        answer += chunk.toString('latin1')
        if (until.test(answer)) done()
      })
      socket.write(bytes, 'latin1')
    })
    socket.destroy()
    return answer
  }
  const host = `127.0.0.1:${port}`
  const get = (target: string, more = '') => raw(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${more}\r\n`)
  return { origin: `http://${host}`, host, raw, get, logged }
}
