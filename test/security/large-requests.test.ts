/**
 * Sends requests that would take the shop a long time to read. The shop must refuse them before
 * they delay other users.
 */
import { assets } from 'virtual:react-router/server-build'
import { expect, test } from 'vitest'
import { MAX_FIELDS, MAX_TEXT_BYTES } from '#lib/http/form-data.server.ts'
import {
  MAX_DISCOVERED_PATHS,
  MAX_FORM_BYTES,
  MAX_PUBLIC_FORM_BYTES,
} from '#server/http/request-validation.ts'
import { MAX_UPLOADS_PER_IP } from '#server/request-handler.ts'
import { cpuTimeOf } from '#test/fixtures/cpu-time.ts'
import { openTestShop, ORIGIN, type Person } from '#test/fixtures/test-shop.ts'

const MULTIPART = 'multipart/form-data; boundary=x'
const headers = { origin: ORIGIN, 'content-type': MULTIPART }
const part = (name: string, text = '') =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
const statusOf = async (
  who: Person,
  path: string,
  body: string,
  more: Record<string, string> = {},
) => (await who.send(path, { method: 'POST', body, headers: { ...headers, ...more } })).status

test('the shop refuses a form of a million fields within seconds', async () => {
  const shop = await openTestShop()
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (fields: number) =>
    statusOf(shop.visitor(), '/theme', `theme=light${'&a'.repeat(fields - 1)}`, form)
  const sendText = () => statusOf(shop.visitor(), '/theme', `theme=${'a'.repeat(2_000_000)}`, form)
  const usual = await cpuTimeOf(sendText)
  const hostile = await cpuTimeOf(async () => expect(await send(1_000_000)).toBe(413))
  expect(hostile / usual).toBeLessThan(20)
  expect(await send(MAX_FIELDS + 1)).toBe(413)
  expect(await send(MAX_FIELDS)).toBe(200)
})

test('the shop refuses a multipart form with too many parts without parsing it, and accepts a form at the limit [S-133]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const send = (parts: string, type = MULTIPART) =>
    statusOf(guest, '/messages', `${parts}--x--\r\n`, { 'content-type': type })
  const filled = part('intent', 'send') + part('message', 'Hello')
  const messages = shop.db.selectFrom('messages').select('message')
  for (const type of [MULTIPART, 'Multipart/Form-Data; charset=utf-8; BOUNDARY="x"']) {
    expect(await send(filled + part('a').repeat(MAX_FIELDS), type)).toBe(413)
  }
  expect(await messages.execute()).toEqual([])
  expect(await send(filled + part('a').repeat(MAX_FIELDS - 10))).toBe(200)
  expect(await messages.execute()).toEqual([{ message: 'Hello' }])
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    'multipart/',
  ]) {
    expect(await send(filled, type), type).toBe(400)
  }
})

test('the texts of a multipart form together have at most 256 kB, however the part of a text is written [S-133]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const textIn = (disposition: string) => (text: string) =>
    `--x\r\nContent-Disposition: ${disposition}\r\n\r\n${text}\r\n`
  const tooLong = '\n'.repeat(MAX_TEXT_BYTES)
  for (const disposition of [
    'form-data; name="message"',
    'form-data; name="message; filename=x"',
    'form-data; name="file"; filename="x"\r\nContent-Disposition: form-data; name="message"',
    'form-data; name="message"\r\nX-Note: form-data; name="file"; filename="x"',
  ]) {
    const write = textIn(disposition)
    expect(await statusOf(guest, '/messages', `${write(tooLong)}--x--\r\n`), disposition).toBe(413)
  }
  const half = tooLong.slice(MAX_TEXT_BYTES / 2)
  const two = `${part('message', half)}${part('more', half)}--x--\r\n`
  expect(await statusOf(guest, '/messages', two)).toBe(413)

  const file = textIn('form-data; name="file"; filename="x.png"\r\nContent-Type: image/png')
  expect(await statusOf(guest, '/messages/pictures', `${file(tooLong)}--x--\r\n`)).toBe(422)
})

test('twenty messages of 12 MB of line breaks cost the shop less time than twenty pictures of this size [S-133]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const bytes = 12_000_000
  const message = `${part('message', '\n'.repeat(bytes))}--x--\r\n`
  const file = `--x\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n${'a'.repeat(bytes)}\r\n--x--\r\n`
  const sendAll = (path: string, body: string) => async () => {
    for (let count = 0; count < 20; count++) await statusOf(guest, path, body)
  }
  const usual = await cpuTimeOf(sendAll('/messages/pictures', file))
  const hostile = await cpuTimeOf(sendAll('/messages', message))
  expect(hostile / usual).toBeLessThan(0.8)
})

test('after sixty large requests in a minute, the shop refuses more of them before it reads them [S-174]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const guest = await shop.guest()
  const send = async () => {
    let isRead = false
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true
          controller.enqueue(new TextEncoder().encode(`${part('message', 'Hello')}--x--\r\n`))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', body, duplex: 'half', headers }
    const response = await guest.send('/messages', init as RequestInit)
    return { status: response.status, waits: response.headers.has('retry-after'), isRead }
  }
  for (let count = 0; count < 60; count++) expect((await send()).status).toBe(200)
  expect(await send()).toEqual({ status: 429, waits: true, isRead: false })
  const small = `${part('message', 'Hello')}--x--\r\n`
  const length = { 'content-length': String(small.length) }
  expect(await statusOf(guest, '/messages', small, length)).toBe(200)
})

test('the shop refuses a multipart boundary of more than 70 characters [S-418]', async () => {
  const guest = await (await openTestShop()).guest()
  const statusWithBoundary = (length: number) => {
    const boundary = 'b'.repeat(length)
    const body = `${part('intent', 'send')}${part('message', 'Hello')}--x--\r\n`.replaceAll(
      '--x',
      `--${boundary}`,
    )
    return statusOf(guest, '/messages', body, { 'content-type': MULTIPART.replace('x', boundary) })
  }
  expect(await statusWithBoundary(70)).toBe(200)
  expect(await statusWithBoundary(71)).toBe(400)
})

test('the shop refuses a multipart form whose field names or headers would take seconds to decode [S-133]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  for (const long of [
    part('%0A'.repeat(400_000)),
    `--x\r\n${'X: b\r\n'.repeat(200_000)}\r\nv\r\n`,
    '--x\r\na'.repeat(MAX_FIELDS - 10),
  ]) {
    expect(
      await statusOf(
        guest,
        '/messages',
        `${part('message', 'Hello')}${long}${'a'.repeat(1_000_000)}\r\n--x--\r\n`,
      ),
    ).toBe(413)
  }
  expect(
    await statusOf(
      guest,
      '/messages',
      `${part('message', 'Hello')}${part('%0A'.repeat(1000))}--x--\r\n`,
    ),
  ).toBe(200)
})

test('the shop refuses a visitor’s request body of the size of an image, with or without a Content-Length [S-174]', async () => {
  const shop = await openTestShop()
  const body = `${part('message', 'a'.repeat(MAX_FORM_BYTES))}--x--\r\n`
  const withLength = { 'content-length': String(body.length) }
  for (const path of ['/login/', '/messages', '/messages/', '/messages.data', '/messages/_.data']) {
    for (const more of [withLength, {}]) {
      expect(await statusOf(shop.visitor(), path, body, more), `${path} ${more}`).toBe(413)
    }
  }
  // This action checks the session before the size of the body, so that the chat can show the error
  // for a missing session.
  expect(await statusOf(shop.visitor(), '/messages/pictures', body, withLength)).toBe(401)
  const file = body.replace('name="message"', 'name="file"; filename="x.png"')
  expect(await statusOf(await shop.guest(), '/messages/pictures', file)).toBe(422)
  expect(await statusOf(await shop.owner(), '/manage/item-picture', file)).toBe(422)
})

test('outside the pages of the owner, the shop refuses a form of more than 256 kB without a file, with or without a Content-Length', async () => {
  const shop = await openTestShop()
  const send = (who: Person, path: string, length: number, type: string, hasLength: boolean) => {
    const around = (text: string) =>
      type === MULTIPART ? `${part('message', text)}--x--\r\n` : `message=${text}`
    const body = around('a'.repeat(length - around('').length))
    return statusOf(who, path, body, {
      'content-type': type,
      ...(hasLength && { 'content-length': String(length) }),
    })
  }
  for (const type of ['application/x-www-form-urlencoded', MULTIPART]) {
    for (const hasLength of [true, false]) {
      for (const path of ['/contact/', '/contact.data', '/login/', '/theme', '/messages']) {
        expect(
          await send(shop.visitor(), path, MAX_PUBLIC_FORM_BYTES + 1, type, hasLength),
          path,
        ).toBe(413)
      }
      expect(await send(shop.visitor(), '/login/', MAX_PUBLIC_FORM_BYTES, type, hasLength)).toBe(
        401,
      )
    }
  }
  const owner = await shop.owner()
  expect(
    await send(owner, '/manage/about/', MAX_FORM_BYTES, 'application/x-www-form-urlencoded', true),
  ).not.toBe(413)
})

test('the shop reads only a few simultaneous uploads of one client at a time, and meanwhile serves other clients [S-174]', async () => {
  const shop = await openTestShop()
  const [guest, other] = [await shop.guest(), await shop.guest()]
  const begun: (() => void)[] = []
  let [reading, most] = [0, 0]
  const body = new TextEncoder().encode(`${part('file', 'no picture')}--x--\r\n`)
  const large = { 'content-length': String(MAX_FORM_BYTES + 1) }
  const slow = () =>
    new ReadableStream<Uint8Array>(
      {
        async pull(stream) {
          most = Math.max(most, ++reading)
          await new Promise<void>((go) => begun.push(go))
          stream.enqueue(body)
          stream.close()
          reading--
        },
      },
      { highWaterMark: 0 },
    )
  const all = Array.from({ length: 50 }, (_, at) => {
    const init = {
      method: 'POST',
      body: slow(),
      duplex: 'half',
      headers: { ...headers, ...(at % 2 === 0 && large) },
    }
    return guest.send('/messages/pictures', init as RequestInit)
  })
  await expect.poll(() => begun.length).toBe(MAX_UPLOADS_PER_IP)

  const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const small = new Request(`${ORIGIN}/messages/pictures`, {
    method: 'POST',
    body,
    headers: { ...headers, ...large, cookie },
  })
  expect((await shop.app(small, { address: '203.0.113.9' })).status).toBe(422)

  for (const finish of begun) finish()
  const statuses = (await Promise.all(all)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 422)).toHaveLength(MAX_UPLOADS_PER_IP)
  expect(statuses.filter((status) => status === 503)).toHaveLength(50 - MAX_UPLOADS_PER_IP)
  expect(most).toBe(MAX_UPLOADS_PER_IP)
  // The places are free again.
  expect(
    await statusOf(guest, '/messages/pictures', `${part('file', 'no picture')}--x--\r\n`, large),
  ).toBe(422)
})

test('while two addresses upload slowly, the shop still reads an upload of another address', async () => {
  const shop = await openTestShop()
  const flood = new AbortController()
  let begun = 0
  const upload = (address: string) => {
    const body = new ReadableStream(
      { pull: () => new Promise(() => begun++) },
      { highWaterMark: 0 },
    )
    const init = { method: 'POST', body, duplex: 'half', headers, signal: flood.signal }
    return shop.app(new Request(`${ORIGIN}/contact/`, init as RequestInit), { address })
  }
  for (let count = 0; count < MAX_UPLOADS_PER_IP; count++) {
    for (const address of ['203.0.113.1', '203.0.113.2']) void upload(address)
  }
  await expect.poll(() => begun).toBe(12)
  void upload('203.0.113.3')
  await expect.poll(() => begun).toBe(13)
  expect((await upload('203.0.113.3')).status).toBe(503)
  flood.abort()
})

test('only the owner can send a large CSV form without a Content-Length', async () => {
  const shop = await openTestShop()
  const send = async (client: Person, path: string) => {
    const sent = { bytes: 0 }
    const body = new ReadableStream({
      pull(controller) {
        sent.bytes += 65_536
        if (sent.bytes > 34_000_000) controller.close()
        else controller.enqueue(new Uint8Array(65_536))
      },
    })
    const { status } = await client.send(path, {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit)
    return { status, bytes: sent.bytes }
  }
  for (const client of [shop.visitor(), await shop.guest(), await shop.customer()]) {
    for (const path of [
      '/manage/import-export/',
      '/manage/import-export.data',
      '/manage/item-picture',
    ]) {
      const { status, bytes } = await send(client, path)
      expect(status, path).toBe(413)
      expect(bytes).toBeLessThan(MAX_PUBLIC_FORM_BYTES + 200_000)
    }
  }
  expect((await send(await shop.owner(), '/manage/import-export/')).bytes).toBeGreaterThan(
    30_000_000,
  )
})

test('the shop refuses a /__manifest request that lists too many paths, however its query string is written', async () => {
  const { get } = (await openTestShop()).visitor()
  const ask = async (count: number, comma = ',', name = 'paths') => {
    const paths = Array.from({ length: count }, (_, at) => at.toString(36)).join(comma)
    return (await get(`/__manifest?version=${assets.version}&${name}=${paths}`)).status
  }
  expect(await ask(MAX_DISCOVERED_PATHS)).toBe(200)
  expect(await ask(MAX_DISCOVERED_PATHS + 1)).toBe(400)
  expect(await ask(1250, '%2C', 'p%61ths')).toBe(400)
})
