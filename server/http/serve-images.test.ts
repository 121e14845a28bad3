import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, request, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { createRequestHandler } from '../request-handler.ts'
import { listen } from '#test/fixtures/network.ts'
import { createTestApp } from '#test/fixtures/shop-server.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const PATH = 'items/walls/moon.480.avif'
const AT = `/pictures/${PATH}`
const bytes = (length: number, of = 'a') => new Uint8Array(Buffer.from(of.repeat(length)))

async function openImageServer() {
  const shop = await openTestShop({ publicUrl: 'https://knots.test' })
  const clientFolder = join(shop.folder, 'client')
  await mkdir(clientFolder)
  const inner = createRequestHandler(shop.shop)
  let asked = 0
  const options = {
    clientFolder,
    services: shop.shop,
  }
  const handler = (incoming: Request) => {
    asked += 1
    return inner(incoming)
  }
  const port = await listen(createServer(createTestApp({ ...options, handler })))
  async function get(path: string, headers: IncomingHttpHeaders = {}, method = 'GET') {
    const [answer] = await once(
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }).end(),
      'response',
    )
    return {
      status: answer.statusCode as number,
      headers: answer.headers,
      body: (await buffer(answer)).toString(),
    }
  }
  await shop.storage.put(PATH, bytes(3000))
  return { ...shop, get, port, asked: () => asked }
}

test('serves a stored image without React Router, but with the same headers as the image route of React Router', async () => {
  const { get, asked, app } = await openImageServer()
  for (const method of ['GET', 'HEAD']) {
    const { status, headers, body } = await get(
      AT,
      { cookie: 'shop.session_token=made-up; theme=light', range: 'bytes=0-99' },
      method,
    )
    const own = await app(new Request(`https://knots.test${AT}`, { method }))
    const { date: _, connection: __, 'keep-alive': ___, ...sent } = headers
    expect(status).toBe(200)
    expect(body).toEqual(method === 'GET' ? 'a'.repeat(3000) : '')
    expect(sent).toEqual(Object.fromEntries(own.headers))
    expect(headers).toMatchObject({
      'content-type': 'image/avif',
      'content-length': '3000',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
  }
  expect(asked()).toBe(0)
})

test('leaves requests for other files and unusual URLs to React Router', async () => {
  const { get, asked, folder, storage } = await openImageServer()
  await writeFile(join(folder, 'secret.png'), 'a secret')
  await storage.put('drawn/moon.png', bytes(10))
  await storage.put('items/walls/moon.txt', bytes(10))
  for (const path of ['share/0f.1a.jpg', 'chat/a.480.webp', 'colors/a.html', 'shop-was-here']) {
    await storage.put(path, bytes(10))
  }
  for (const path of [
    'share/0f.1a.jpg',
    'chat/a.480.webp',
    'colors/a.html',
    'shop-was-here',
    'colors/%2e%2e/share/0f.1a.jpg',
  ]) {
    expect([302, 404], path).toContain((await get(`/pictures/${path}`)).status)
  }
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
    '/pictures/items/walls/%zz.avif',
    `/${AT}`,
  ]
  for (const path of paths) {
    for (const method of ['GET', 'HEAD']) {
      const before = asked()
      const { body } = await get(path, {}, method)
      expect(body.includes('secret'), path).toBe(false)
      expect(asked() - before, path).toBe(1)
    }
  }
  for (const method of ['POST', 'OPTIONS']) {
    expect((await get(AT, {}, method)).status).toBeGreaterThanOrEqual(400)
  }
})

test('stops serving a deleted picture, and serves the picture that replaces it [FILES-06]', async () => {
  const { get, storage } = await openImageServer()
  const shown = async () => {
    const { status, body } = await get(AT)
    return status === 200 ? body[0] : status
  }
  expect(await shown()).toBe('a')
  await storage.delete(PATH)
  expect(await shown()).toBe(404)
  await storage.put(PATH, bytes(3000, 'b'))
  expect(await shown()).toBe('b')
})

test('responds with 503 and logs the error when an image cannot be read from the disk', async () => {
  const { get, storage, logged } = await openImageServer()
  storage.read = async () => {
    throw Object.assign(new Error('input or output failed'), { code: 'EIO' })
  }
  expect(await get(AT)).toMatchObject({
    status: 503,
    headers: { 'cache-control': 'no-store', 'retry-after': '5' },
  })
  expect(logged.map(({ message }) => message)).toContain('an image could not be read')
})

test('clients that request a large picture and never read it occupy little memory, and other clients receive the complete picture', async () => {
  const { get, port, storage } = await openImageServer()
  await storage.put(PATH, bytes(10_000_000))
  const before = process.memoryUsage().arrayBuffers
  for (let count = 0; count < 20; count++) {
    const [unread] = await once(
      request({ host: '127.0.0.1', port, path: AT, agent: false }).end(),
      'response',
    )
    onTestFinished(() => unread.destroy())
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
  const { headers, body } = await get(AT)
  expect(headers['content-length']).toBe('10000000')
  expect(body.length).toBe(10_000_000)
})
