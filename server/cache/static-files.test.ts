import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { newFolder } from '#test/fixtures/data-folders.ts'
import type { HttpEnvironment } from '../http/environment.ts'
import { createStaticFiles } from './static-files.ts'
import { listen } from '#test/fixtures/network.ts'

const SCRIPT = `export const knots = ${JSON.stringify('love '.repeat(400))}`

async function openFiles() {
  const client = await newFolder()
  await mkdir(join(client, 'assets'))
  await writeFile(join(client, 'assets', 'knot-a1.js'), SCRIPT)
  await writeFile(join(client, 'assets', 'knot-a1.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(client, 'assets', 'face.woff2'), SCRIPT)
  const passed: string[] = []
  const app = new Hono<HttpEnvironment>()
  const files = createStaticFiles(client, 'https://knots.test')
  app.use(files.load)
  app.all('*', (c) => {
    passed.push(c.env.incoming.url!)
    return c.body(null, 404)
  })
  const chain = getRequestListener(app.fetch)
  const server = createServer(
    (incoming, outgoing) => void (files.send(incoming, outgoing) || chain(incoming, outgoing)),
  )
  const port = await listen(server)
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers })
  return { client, passed, get }
}

test('serves compressed build files that browsers may cache forever, with an ETag for each encoding', async () => {
  const { get, client } = await openFiles()
  const etags: string[] = []
  for (const [taken, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['identity', null],
  ] as const) {
    const answer = await get('/assets/knot-a1.js', {
      'accept-encoding': taken,
      cookie: 'shop.session_token=x; theme=light',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-encoding')).toEqual(coding)
    expect(await answer.text()).toEqual(SCRIPT)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'strict-transport-security': 'max-age=31536000',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    etags.push(answer.headers.get('etag')!)
    // The request has the Cache-Control header of a browser, because fetch would send a header that
    // bypasses caches.
    const known = {
      'accept-encoding': taken,
      'if-none-match': etags.at(-1)!,
      'cache-control': 'max-age=0',
    }
    expect((await get('/assets/knot-a1.js', known)).status).toBe(304)
  }
  expect(new Set(etags).size).toBe(3)
  const font = await get('/assets/face.woff2', { 'accept-encoding': 'gzip, br' })
  expect(font.headers.get('content-encoding')).toBe(null)
  expect(font.headers.get('content-type')).toBe('font/woff2')
  await rm(join(client, 'assets'), { recursive: true })
  expect((await get('/assets/knot-a1.js', {}, 'HEAD')).status).toBe(200)
})

test('serves a build file only for a GET request of its exact path', async () => {
  const { get, passed } = await openFiles()
  const paths = [
    '/assets/',
    '/assets/gone-b2.js',
    '/assets/%6bnot-a1.js',
    '/assets/knot-a1.js.br',
    '/assets/.js',
    '/knot-a1.js',
  ]
  for (const path of paths) expect((await get(path)).status, path).toBe(404)
  expect((await get('/assets/knot-a1.js', {}, 'POST')).status).toBe(404)
  expect(passed).toEqual([...paths, '/assets/knot-a1.js'])
})
