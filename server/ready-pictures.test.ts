/** Pictures from memory: the very answers of the shop, and never one more than it would give (039). */
import { rename, rm, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Files } from '#app/platform/files.server.ts'
import { rememberedFiles } from '#app/platform/remembered-files.server.ts'
import { send, upload } from '#test/chat-pictures.ts'
import { bytes, openPictureServer, PATH } from '#test/open-picture-server.ts'

const AT = `/pictures/${PATH}`

test('a picture is what the shop itself answers, with an ETag more; asked again, the shop does no more than look whether it is there', async () => {
  const { ready, plain, countAsked } = await openPictureServer()
  const asks: [IncomingHttpHeaders, string?][] = [
    [{}],
    [{}, 'HEAD'],
    [{ range: 'bytes=0-99' }],
    [{ range: 'bytes=0-99', 'if-range': '"x"' }],
    [{ 'if-none-match': '"another"' }],
    [{ 'accept-encoding': 'gzip, br, zstd' }],
    [{ cookie: 'shop.session_token=made-up; theme=light' }],
    [{ origin: 'https://elsewhere.test', 'sec-fetch-site': 'cross-site' }],
  ]
  for (const [headers, method] of [...asks, ...asks]) {
    const own = await plain.get(AT, headers, method)
    const { headers: told, ...got } = await ready.get(AT, headers, method)
    const { etag, ...others } = told
    expect({ ...got, headers: others }, JSON.stringify([headers, method])).toEqual(own)
    expect([got.status, etag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)])
  }
  expect(await countAsked(() => ready.get(AT))).toBe(0)
  const { headers } = await ready.get(AT)
  expect(headers).toMatchObject({
    'content-type': 'image/avif',
    'content-length': '3000',
    'cache-control': expect.stringContaining('immutable'),
  })
  const { 'content-type': _, 'content-length': __, ...unchanged } = headers
  for (const method of ['GET', 'HEAD'])
    expect(await ready.get(AT, { 'if-none-match': headers.etag }, method)).toEqual({ status: 304, headers: unchanged, body: '' })
})

test('whatever is no picture, or is written in another way, is answered by the shop as ever', async () => {
  const { ready, plain, folder, files, countAsked } = await openPictureServer()
  await writeFile(join(folder, 'secret.png'), 'a secret')
  await files.put('drawn/moon.png', bytes(10))
  await files.put('items/walls/moon.txt', bytes(10))
  await ready.get(AT)
  const paths = [
    '/pictures/items/walls/gone.480.avif',
    '/pictures/items/walls/%6doon.480.avif',
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
      const own = await plain.get(path, {}, method)
      expect(own.body).not.toContain('secret')
      expect(await countAsked(async () => expect(await ready.get(path, {}, method), path).toEqual(own)), path).toBe(1)
    }
  for (const [method, headers] of [
    ['POST', {}],
    ['OPTIONS', {}],
    ['GET', { host: 'a b' }],
    ['GET', { 'content-length': '0' }],
  ] as const)
    expect(await ready.get(AT, headers, method)).toEqual(await plain.get(AT, headers, method))
  for (const head of [`GET ${AT} HTTP/1.1\r\nHost: a\r\nHost: b`, `GET http://b.test${AT} HTTP/1.1\r\nHost: a`, `GET ${AT} HTTP/1.0`]) {
    const answers = [ready.port, plain.port].map(async (port) => {
      const socket = connect(port, '127.0.0.1')
      socket.end(`${head}\r\nConnection: close\r\n\r\n`)
      return (await socket.toArray()).join('').split('\r\n')[0]
    })
    expect(await answers[0], head).toBe(await answers[1])
  }
})

test('FILES-06 what is deleted, by this process or by another one, is not shown once more; what takes its place is', async () => {
  const { ready, files, folder } = await openPictureServer()
  const file = join(folder, 'files', PATH)
  const shown = async () => {
    const { status, body } = await ready.get(AT)
    return status === 200 ? body[0] : status
  }
  expect([await shown(), await shown()]).toEqual(['a', 'a'])
  await files.delete(PATH)
  expect(await shown()).toBe(404)
  await files.put(PATH, bytes(3000, 'b'))
  expect([await shown(), await shown()]).toEqual(['b', 'b'])
  const { etag } = (await ready.get(AT)).headers
  // Another process, or somebody's hands.
  await rm(file)
  expect(await shown()).toBe(404)
  expect((await ready.get(AT, { 'if-none-match': etag })).status).toBe(404)
  await files.put(PATH, bytes(3000, 'b'))
  expect(await shown()).toBe('b')
  await writeFile(`${file}.part`, bytes(3000, 'c'))
  await rename(`${file}.part`, file)
  expect(await shown()).toBe('c')
  await rm(join(folder, 'files', 'items'), { recursive: true })
  expect(await shown()).toBe(404)
})

test('a file that changes while it is read is asked for anew', async () => {
  const { files, ready } = await openPictureServer()
  const { read } = files
  files.read = async (path) => {
    files.read = read
    const before = await read(path)
    await files.put(path, bytes(3000, 'n'))
    return before
  }
  expect((await ready.get(AT)).body[0]).toBe('a')
  expect((await ready.get(AT)).body[0]).toBe('n')
})

test('S-175 pictures of messages stay behind their check', async () => {
  const { ready, customer, visitor, files } = await openPictureServer()
  const ann = await customer()
  const { id, url } = await upload(ann)
  expect((await send(ann, { messageId: 'annsmessage0000', pictures: id })).status).toBe(200)
  expect((await ann.get(url)).status).toBe(200)
  const eve = await customer('eve@mail.test')
  for (const who of [visitor(), eve]) expect((await who.get(url)).status).toBe(404)
  expect((await ready.get(url)).status).toBe(404)
  const stored = (await files.list()).map(({ path }) => path).filter((path) => path !== PATH)
  expect(stored.length).toBeGreaterThan(0)
  for (const path of stored) for (let times = 0; times < 2; times++) expect((await ready.get(`/pictures/${path}`)).status, path).toBe(404)
})

test('memory has its bound, and originals stay outside; what is not kept is shown all the same', async () => {
  const { ready, files, pictures } = await openPictureServer({ mostBytes: 50_000 })
  const paths = Array.from({ length: 40 }, (_, at) => `items/walls/${at}.webp`)
  for (const path of paths) {
    await files.put(path, bytes(3000))
    for (let times = 0; times < 2; times++) expect((await ready.get(`/pictures/${path}`)).body.length).toBe(3000)
    expect(pictures.stats().bytes).toBeLessThanOrEqual(50_000)
  }
  expect(pictures.stats().bytes).toBeGreaterThan(40_000)
  const { pictures: roomy, ready: other, files: stored } = await openPictureServer()
  await stored.put('items/walls/large.jpg', bytes(600_000))
  for (let times = 0; times < 2; times++) expect((await other.get('/pictures/items/walls/large.jpg')).body.length).toBe(600_000)
  expect(roomy.stats().bytes).toBe(0)
  // One that has been replaced counts with its own size.
  for (const length of [100_000, 1000]) {
    await stored.put(PATH, bytes(length))
    await other.get(AT)
    expect(roomy.stats().bytes).toBe(length + 2000)
  }
})

test('a large picture is read once however many ask for it at a time, and of different ones some at a time', async () => {
  const { ready, files } = await openPictureServer()
  const { read } = files
  const gate = Promise.withResolvers<void>()
  const met = { reads: 0, atOnce: 0, most: 0 }
  files.read = async (path) => {
    met.reads += 1
    met.atOnce += 1
    met.most = Math.max(met.most, met.atOnce)
    if (met.reads === 1) await gate.promise
    const found = await read(path)
    met.atOnce -= 1
    return found
  }
  await files.put('items/walls/large.webp', bytes(600_000))
  const ask = () => ready.get('/pictures/items/walls/large.webp')
  const many = Array.from({ length: 50 }, ask)
  await expect.poll(() => met.reads).toBe(1)
  // Until all have looked at the file.
  await Promise.all(Array.from({ length: 20 }, () => ready.get(AT)))
  gate.resolve()
  const got = await Promise.all(many)
  expect(got.every(({ status, body }) => status === 200 && body.length === 600_000)).toBe(true)
  // Of those that came in late, too, none has read it while another one was reading.
  expect(met.reads).toBeLessThan(25)

  const paths = Array.from({ length: 60 }, (_, at) => `items/walls/large-${at}.webp`)
  for (const path of paths) await files.put(path, bytes(600_000, path.at(-6)))
  met.most = 0
  const different = await Promise.all(paths.map((path) => ready.get(`/pictures/${path}`)))
  expect(different.map(({ body }) => body[0])).toEqual(paths.map((path) => path.at(-6)))
  expect(met.most).toBeLessThanOrEqual(16)
})

test('what is in memory is shown while the door lets nobody in; what must be read is not', async () => {
  const { ready, files, fill, pictures } = await openPictureServer()
  await files.put('items/walls/sun.webp', bytes(10))
  await ready.get(AT)
  fill(true)
  expect((await ready.get(AT)).status).toBe(200)
  expect((await ready.get('/pictures/items/walls/sun.webp')).status).toBe(503)
  await files.delete(PATH)
  expect((await ready.get(AT)).status).toBe(503)
  expect(pictures.stats().bytes).toBe(0)
})

test('a disk that fails, and a storage beyond the network, answer as ever', async () => {
  const stored = new Map<string, Uint8Array<ArrayBuffer>>()
  const state = { reads: 0, isAway: false }
  const storage: Files = {
    put: async (path, given) => void stored.set(path, new Uint8Array(given)),
    async read(path) {
      state.reads += 1
      if (state.isAway) throw new Error('the storage is away')
      return stored.get(path) ?? null
    },
    delete: async (path) => void stored.delete(path),
    list: async () => [],
  }
  const { ready, plain, files, countAsked } = await openPictureServer({ files: rememberedFiles(storage, () => 0) })
  const own = await plain.get(AT)
  const { etag, ...headers } = (await ready.get(AT)).headers
  expect(headers).toEqual(own.headers)
  expect(await countAsked(() => ready.get(AT))).toBe(0)
  expect((await ready.get(AT, { 'if-none-match': etag })).status).toBe(304)
  expect(state.reads).toBe(1)
  await files.delete(PATH)
  expect((await ready.get(AT)).status).toBe(404)
  state.isAway = true
  expect(await ready.get(AT)).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '5' } })

  const disk = await openPictureServer()
  await disk.ready.get(AT)
  disk.files.mark = async () => {
    throw Object.assign(new Error('input or output failed'), { code: 'EIO' })
  }
  expect((await disk.ready.get(AT)).status).toBe(200)
  disk.files.read = disk.files.mark as unknown as Files['read']
  expect(await disk.ready.get(AT)).toMatchObject({ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '5' } })
  expect(disk.logged.map(({ message }) => message)).toContain('a picture could not be read')
})
