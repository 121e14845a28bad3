/** Stored pictures without the router: the very responses of their route, and never one more than it would give. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { createRequestHandler } from '#server/request-handler.ts'
import { send, upload } from '#test/chat-pictures.ts'
import { listen } from '#test/listen.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { createHttpApp } from './app.ts'

const PATH = 'items/walls/moon.480.avif'
const AT = `/pictures/${PATH}`
const bytes = (length: number, of = 'a') => new Uint8Array(Buffer.from(of.repeat(length)))

async function openPictureServer() {
  const shop = await openTestShop({ publicUrl: 'https://knots.test' })
  const clientFolder = join(shop.folder, 'client')
  await mkdir(clientFolder)
  const inner = createRequestHandler(shop.shop)
  let asked = 0
  const options = { clientFolder, shop: shop.shop, clientAddressOf: openClientAddress(), isReady: async () => true }
  const handler = (incoming: Request) => {
    asked += 1
    return inner(incoming)
  }
  const port = await listen(createServer(createHttpApp({ ...options, handler })))
  async function get(path: string, headers: IncomingHttpHeaders = {}, method = 'GET') {
    const [answer] = await once(request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(), 'response')
    return { status: answer.statusCode as number, headers: answer.headers, body: (await buffer(answer)).toString() }
  }
  await shop.files.put(PATH, bytes(3000))
  return { ...shop, port, get, asked: () => asked }
}

test('a stored picture is sent without asking the router, with the headers of its route', async () => {
  const { get, asked, app } = await openPictureServer()
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body } = await get(AT, { cookie: 'shop.session_token=made-up; theme=light', range: 'bytes=0-99' }, method)
    const own = await app(new Request(`https://knots.test${AT}`, { method }))
    const { date: _, connection: __, 'keep-alive': ___, ...sent } = headers
    expect([status, body, sent]).toEqual([200, method === 'GET' ? 'a'.repeat(3000) : '', Object.fromEntries(own.headers)])
  }
  expect(asked()).toBe(0)
})

test('whatever is no picture, or is written in another way, is answered by the application', async () => {
  const { get, asked, folder, files, port } = await openPictureServer()
  await writeFile(join(folder, 'secret.png'), 'a secret')
  await files.put('drawn/moon.png', bytes(10))
  await files.put('items/walls/moon.txt', bytes(10))
  const paths = [
    '/pictures/items/walls/gone.480.avif',
    '/pictures/items%2Fwalls%2Fmoon.480.avif',
    `${AT}?x=1`,
    `${AT}/`,
    '/pictures/drawn/moon.png',
    '/pictures/items/walls/moon.txt',
    '/pictures/items/walls',
    '/pictures/../secret.png',
    '/pictures/items/../../secret.png',
    '/pictures/items/..%2f..%2fsecret.png',
    '/pictures/%2e%2e/secret.png',
    '/pictures/items/walls/%zz.avif',
    '/pictures/items/walls/%00.avif',
    `/${AT}`,
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD']) {
      const before = asked()
      const { body } = await get(path, {}, method)
      expect([path, body.includes('secret'), asked() - before]).toEqual([path, false, 1])
    }
  for (const [method, headers] of [
    ['POST', {}],
    ['OPTIONS', {}],
  ] as const)
    expect((await get(AT, headers, method)).status).toBeGreaterThanOrEqual(400)
  for (const head of [`GET ${AT} HTTP/1.1\r\nHost: a\r\nHost: b`, `GET http://b.test${AT} HTTP/1.1\r\nHost: a`]) {
    const socket = connect(port, '127.0.0.1')
    socket.end(`${head}\r\nConnection: close\r\n\r\n`)
    expect((await socket.toArray()).join('').split('\r\n')[0], head).toMatch(/ 400 /)
  }
})

test('FILES-06 a picture that is deleted is not shown once more; what takes its place is', async () => {
  const { get, files } = await openPictureServer()
  const shown = async () => {
    const { status, body } = await get(AT)
    return status === 200 ? body[0] : status
  }
  expect(await shown()).toBe('a')
  await files.delete(PATH)
  expect(await shown()).toBe(404)
  await files.put(PATH, bytes(3000, 'b'))
  expect(await shown()).toBe('b')
})

test('S-175 pictures of messages stay behind their check', async () => {
  const { get, customer, visitor, files } = await openPictureServer()
  const ann = await customer()
  const { id, url } = await upload(ann)
  expect((await send(ann, { messageId: 'annsmessage0000', pictures: id })).status).toBe(200)
  expect((await ann.get(url)).status).toBe(200)
  const eve = await customer('eve@mail.test')
  for (const who of [visitor(), eve]) expect((await who.get(url)).status).toBe(404)
  expect((await get(url)).status).toBe(404)
  const stored = (await files.list()).map(({ path }) => path).filter((path) => path !== PATH)
  expect(stored.length).toBeGreaterThan(0)
  for (const path of stored) expect((await get(`/pictures/${path}`)).status, path).toBe(404)
})

test('a disk that fails is told as the route tells it, and logged', async () => {
  const { get, files, logged } = await openPictureServer()
  files.read = async () => {
    throw Object.assign(new Error('input or output failed'), { code: 'EIO' })
  }
  expect(await get(AT)).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '5' } })
  expect(logged.map(({ message }) => message)).toContain('a picture could not be read')
})
