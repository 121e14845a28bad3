/** Bodies that are small to send and dear to read; each must be refused before it keeps everybody waiting. */
import { expect, test } from 'vitest'
import { MAX_FIELDS } from '#app/platform/form.server.ts'
import { MAX_FORM_BYTES } from '#server/http/request-validation.ts'
import { MAX_CONCURRENT_UPLOADS_PER_IP } from '#server/http/upload-queue.ts'
import { openTestShop, ORIGIN } from './open-test-shop.ts'

const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
const part = (name: string, text = '') => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`

test('S-133 a form of as many parts as fit into a picture is refused before they are taken apart; one of as many as a form may have is read', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const send = (body: string, type = headers['content-type']) =>
    guest.send('/messages', { method: 'POST', body: `${body}--x--\r\n`, headers: { ...headers, 'content-type': type } })
  const filled = part('intent', 'send') + part('message', 'Hello')
  expect((await send(filled + part('a').repeat(MAX_FIELDS))).status).toBe(413)
  expect((await send(filled + part('a').repeat(MAX_FIELDS), 'Multipart/Form-Data; charset=utf-8; BOUNDARY="x"')).status).toBe(413)
  expect((await shop.db.selectFrom('messages').select('id').execute()).length).toBe(0)
  expect((await send(filled + part('a').repeat(MAX_FIELDS - 10))).status).toBe(200)
  expect(await shop.db.selectFrom('messages').select('message').execute()).toEqual([{ message: 'Hello' }])
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=other', 'multipart/'])
    expect([type, (await send(filled, type)).status]).toEqual([type, 400])
})

test('S-174 who is not signed in sends no body as large as a picture, whether it says how large it is or not', async () => {
  const shop = await openTestShop()
  const body = `${part('message', 'a'.repeat(MAX_FORM_BYTES))}--x--\r\n`
  const post = (path: string, who = shop.visitor(), told = true) =>
    who.send(path, { method: 'POST', body, headers: { ...headers, ...(told && { 'content-length': String(body.length) }) } })
  for (const path of ['/messages', '/messages/', '/messages.data', '/messages/_.data'])
    for (const told of [true, false]) expect([path, told, (await post(path, undefined, told)).status]).toEqual([path, told, 413])
  // It asks who it is before it reads, and its answer is what the chat shows.
  expect((await post('/messages/pictures')).status).toBe(401)
  expect((await post('/messages', await shop.guest())).status).toBe(422)
})

test('S-174 of fifty large pictures that one address sends at once a few are in memory, and all are answered; others do not wait for them', async () => {
  const shop = await openTestShop()
  const [guest, other] = [await shop.guest(), await shop.guest()]
  const begun: (() => void)[] = []
  let [reading, most] = [0, 0]
  const body = new TextEncoder().encode(`${part('file', 'no picture')}--x--\r\n`)
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
  const send = (told: boolean) =>
    guest.send('/messages/pictures', {
      ...{ method: 'POST', body: slow(), duplex: 'half' },
      headers: { ...headers, ...(told && { 'content-length': String(MAX_FORM_BYTES + 1) }) },
    } as RequestInit)
  const all = Array.from({ length: 50 }, (_, at) => send(at % 2 === 0))
  await expect.poll(() => begun.length).toBe(MAX_CONCURRENT_UPLOADS_PER_IP)

  const cookie = [...other.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const small = new Request(`${ORIGIN}/messages/pictures`, { method: 'POST', body, headers: { ...headers, cookie } })
  small.headers.set('content-length', String(MAX_FORM_BYTES + 1))
  expect((await shop.app(small, { address: '203.0.113.9' })).status).toBe(422)

  for (let at = 0; at < all.length; at++) {
    await expect.poll(() => begun.length).toBeGreaterThan(at)
    begun[at]!()
  }
  expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([422]))
  expect(most).toBe(MAX_CONCURRENT_UPLOADS_PER_IP)
})
