/** Sends requests that would take the shop a long time to read. The shop must refuse them before they delay other users. */
import { assets } from 'virtual:react-router/server-build'
import { expect, test } from 'vitest'
import { MAX_FIELDS } from '#app/lib/http/form-data.server.ts'
import {
  MAX_DISCOVERED_PATHS,
  MAX_FORM_BYTES,
  MAX_PUBLIC_FORM_BYTES,
} from '#server/http/request-validation.ts'
import { MAX_CONCURRENT_UPLOADS } from '#server/http/upload-queue.ts'
import { idOf, send, upload } from '#test/fixtures/chat.ts'
import { openShopWithOwner, openTestShop, ORIGIN, type Person } from '#test/fixtures/test-shop.ts'

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
  const send = (fields: number) =>
    statusOf(shop.visitor(), '/theme', `theme=light${'&a'.repeat(fields - 1)}`, {
      'content-type': 'application/x-www-form-urlencoded',
    })
  const began = performance.now()
  expect(await send(1_000_000)).toBe(413)
  expect(performance.now() - began).toBeLessThan(3000)
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
  for (const type of [MULTIPART, 'Multipart/Form-Data; charset=utf-8; BOUNDARY="x"'])
    expect(await send(filled + part('a').repeat(MAX_FIELDS), type)).toBe(413)
  expect(await messages.execute()).toEqual([])
  expect(await send(filled + part('a').repeat(MAX_FIELDS - 10))).toBe(200)
  expect(await messages.execute()).toEqual([{ message: 'Hello' }])
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    'multipart/',
  ])
    expect([type, await send(filled, type)]).toEqual([type, 400])
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
  expect([await statusWithBoundary(70), await statusWithBoundary(71)]).toEqual([200, 400])
})

test('the shop refuses a multipart form whose field names or headers would take seconds to decode [S-133]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  for (const long of [
    part('%0A'.repeat(400_000)),
    `--x\r\n${'X: b\r\n'.repeat(200_000)}\r\nv\r\n`,
    '--x\r\na'.repeat(MAX_FIELDS - 10),
  ])
    expect(
      await statusOf(
        guest,
        '/messages',
        `${part('message', 'Hello')}${long}${'a'.repeat(1_000_000)}\r\n--x--\r\n`,
      ),
    ).toBe(413)
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
  for (const path of ['/login/', '/messages', '/messages/', '/messages.data', '/messages/_.data'])
    for (const more of [withLength, {}])
      expect([path, more, await statusOf(shop.visitor(), path, body, more)]).toEqual([
        path,
        more,
        413,
      ])
  // This action checks the session before the size of the body, so that the chat can show the error for a missing session.
  expect(await statusOf(shop.visitor(), '/messages/pictures', body, withLength)).toBe(401)
  expect(await statusOf(await shop.guest(), '/messages', body, withLength)).toBe(422)
  expect(await statusOf(await shop.owner(), '/manage/item-picture', body)).toBe(422)
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
  for (const type of ['application/x-www-form-urlencoded', MULTIPART])
    for (const hasLength of [true, false]) {
      for (const path of ['/contact/', '/contact.data', '/login/', '/theme', '/messages'])
        expect([
          path,
          await send(shop.visitor(), path, MAX_PUBLIC_FORM_BYTES + 1, type, hasLength),
        ]).toEqual([path, 413])
      expect(await send(shop.visitor(), '/login/', MAX_PUBLIC_FORM_BYTES, type, hasLength)).toBe(
        401,
      )
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
  await expect.poll(() => begun.length).toBe(MAX_CONCURRENT_UPLOADS / 2)

  const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const small = new Request(`${ORIGIN}/messages/pictures`, {
    method: 'POST',
    body,
    headers: { ...headers, ...large, cookie },
  })
  expect((await shop.app(small, { address: '203.0.113.9' })).status).toBe(422)

  for (let at = 0; at < all.length; at++) {
    await expect.poll(() => begun.length).toBeGreaterThan(at)
    begun[at]!()
  }
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([422]))
  expect(most).toBe(MAX_CONCURRENT_UPLOADS / 2)
})

test('while slow uploads of strangers occupy all places of strangers, a guest to whom the owner has written can upload an image [S-411]', async () => {
  const { shop, owner } = await openShopWithOwner()
  const guest = await shop.guest()
  await send(guest, { messageId: idOf('a'), message: 'Hello' })
  await send(owner, { messageId: idOf('b'), message: 'Hello' }, `/manage/messages/${guest.id}`)
  const flood = new AbortController()
  let begun = 0
  for (let who = 0; who < 2 * MAX_CONCURRENT_UPLOADS; who++) {
    const body = new ReadableStream(
      { pull: () => new Promise(() => begun++) },
      { highWaterMark: 0 },
    )
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers,
      signal: flood.signal,
    } as RequestInit
    void shop.app(new Request(`${ORIGIN}/contact/`, init), { address: `203.0.113.${who}` })
  }
  await expect.poll(() => begun).toBe(MAX_CONCURRENT_UPLOADS)
  await upload(guest)
  expect(begun).toBe(MAX_CONCURRENT_UPLOADS)
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
  for (const client of [shop.visitor(), await shop.guest(), await shop.customer()])
    for (const path of ['/manage/tables/', '/manage/tables.data', '/manage/item-picture']) {
      const { status, bytes } = await send(client, path)
      expect([path, status]).toEqual([path, 413])
      expect(bytes).toBeLessThan(MAX_PUBLIC_FORM_BYTES + 200_000)
    }
  expect((await send(await shop.owner(), '/manage/tables/')).bytes).toBeGreaterThan(30_000_000)
})

test('the shop refuses a request for the routes of too many paths, however its query string is written', async () => {
  const { get } = (await openTestShop()).visitor()
  const ask = async (count: number, comma = ',', name = 'paths') => {
    const paths = Array.from({ length: count }, (_, at) => at.toString(36)).join(comma)
    return (await get(`/__manifest?version=${assets.version}&${name}=${paths}`)).status
  }
  expect(await ask(MAX_DISCOVERED_PATHS)).toBe(200)
  expect(await ask(MAX_DISCOVERED_PATHS + 1)).toBe(400)
  expect(await ask(1250, '%2C', 'p%61ths')).toBe(400)
})
