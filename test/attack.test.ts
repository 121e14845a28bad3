/** Attacks that once succeeded against the shop; each must stay without effect. */
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { MAX_FIELDS } from '#app/platform/form.server.ts'
import { openClientAddress } from '#app/platform/client-address.server.ts'
import { MAX_FORM_BYTES } from '#server/http/request-validation.ts'
import { openTestShop, ORIGIN, OWNER } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

test('S-017 signing out leads to no other site, whatever the form names, and never breaks', async () => {
  const shop = await openTestShop()
  const hostile = [
    '/\t/evil.test',
    '/\n/evil.test',
    '/\r\nSet-Cookie: a=b',
    '//evil.test',
    '/\\evil.test',
    '/\t\\evil.test',
    'https://evil.test',
    '/ü',
  ]
  for (const from of hostile) {
    const response = await (await shop.owner()).post('/logout', { from })
    expect([response.status, response.headers.get('location'), response.headers.get('set-cookie')?.includes('a=b')]).toEqual([
      302,
      '/',
      false,
    ])
  }
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('a form of a million fields is refused before it keeps everybody waiting', async () => {
  const shop = await openTestShop()
  const send = (fields: number) =>
    shop.visitor().send('/theme', {
      method: 'POST',
      body: `theme=light${'&a'.repeat(fields - 1)}`,
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
    })
  const began = performance.now()
  expect((await send(1_000_000)).status).toBe(413)
  expect(performance.now() - began).toBeLessThan(3000)
  expect((await send(MAX_FIELDS + 1)).status).toBe(413)
  expect((await send(MAX_FIELDS)).status).toBe(200)
})

test("only the owner's pages take a form as large as a picture", async () => {
  const shop = await openTestShop()
  const body = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n${'a'.repeat(MAX_FORM_BYTES)}\r\n--x--\r\n`
  const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
  expect((await shop.visitor().send('/login/', { method: 'POST', body, headers })).status).toBe(413)
  expect((await (await shop.owner()).send('/manage/item-picture', { method: 'POST', body, headers })).status).toBe(422)
})

test('five letters of the contact page, then none, also from other addresses of the same IPv6 network', async () => {
  const shop = await openTestShop({ rateLimits: true })
  const form = { name: 'A', email: 'a@mail.test', phone: '1234567890', stamp: await shop.formTime.stamp(shop.now() - 60_000) }
  const send = (address: string) =>
    shop.app(
      new Request(`${ORIGIN}/contact`, {
        method: 'POST',
        body: new URLSearchParams({ ...form, message: address }),
        headers: { origin: ORIGIN },
      }),
      {
        address: openClientAddress()(address, undefined),
      },
    )
  const statuses: number[] = []
  for (let at = 1; at <= 7; at++) statuses.push((await send(`2001:db8:1:2::${at}`)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
})

test('a picture longer than WebP can be is refused, and a very narrow one is taken', async () => {
  const shop = await openTestShop()
  const draw = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
  for (const [width, height] of [
    [1, 60_000],
    [60_000, 1],
    [2, 16_384],
  ] as const)
    expect(await shop.pictures.prepare('scenes', await draw(width, height))).toEqual({ ok: false, refusal: 'too-many-pixels' })
  expect((await shop.pictures.prepare('scenes', await draw(1, 16_383))).ok).toBe(true)
  expect((await shop.pictures.prepare('scenes', await draw(16_383, 1))).ok).toBe(true)
})

test("the database is for the shop's user alone, also in a folder that others may enter", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const { db, close } = openSqliteDatabase(folder)
  await db.schema.createTable('some').addColumn('id', 'text').execute()
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  expect(names.map(({ name }) => name)).toContain('shop.db-wal')
  for (const { parentPath, name } of names) expect([name, (await stat(join(parentPath, name))).mode & 0o077]).toEqual([name, 0])
  await close()
})

test('letters kept as files are for nobody else to read', async () => {
  const shop = await openTestShop()
  const stamp = await shop.formTime.stamp(shop.now() - 60_000)
  await shop.visitor().post('/contact', { name: 'A', email: 'a@mail.test', phone: '1234567890', message: 'hello', stamp })
  const outbox = join(shop.folder, 'outbox')
  const [letter] = await readdir(outbox)
  expect((await stat(outbox)).mode & 0o077).toBe(0)
  expect((await stat(join(outbox, letter!))).mode & 0o077).toBe(0)
})

test('LOGIN-11 LOGIN-12 LOGIN-14 signing in works with the cookie of an ended session, and makes a session of its own', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const old = new Map(ann.cookies)
  const forms = [
    { intent: 'login', email: 'ann@mail.test', password: 'a-good-password' },
    { intent: 'register', email: 'bea@mail.test', password: 'a-good-password' },
    { intent: 'guest' },
  ]
  for (const form of forms) {
    await shop.db.deleteFrom('session').execute()
    const someone = shop.visitor()
    for (const [name, value] of old) someone.cookies.set(name, value)
    const response = await someone.post('/login/', form as Record<string, string>)
    expect([response.status, form.intent]).toEqual([302, form.intent])
    // The mark of a known device opens nothing and may stay.
    for (const [name, value] of old) if (name !== 'known') expect(someone.cookies.get(name)).not.toBe(value)
    // Who is signed in is led away from the login page.
    expect((await someone.get('/login/')).status).toBe(302)
  }
})

test("S-015 a session of the owner's in wrong hands cannot try out her password", async () => {
  const shop = await openTestShop({ rateLimits: true })
  const owner = await shop.owner()
  const statuses: number[] = []
  for (let at = 0; at < 10; at++) statuses.push((await owner.post('/manage/documents.json', { password: `wrong-password-${at}` })).status)
  statuses.push((await owner.post('/manage/documents.json', { password: OWNER.password })).status)
  expect(statuses).toEqual([...Array(10).fill(403), 429])
})

test('an answer that renews a session is kept by no cache on the way, whatever it is', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const inTwoWeeks = new Date(Date.now() + 14 * 24 * 60 * 60_000)
  for (const path of ['/robots.txt', '/sitemap.xml', '/manifest.webmanifest', '/share/shop.jpg', '/contact/card.vcf', '/']) {
    await shop.db
      .updateTable('session')
      .set({ expiresAt: inTwoWeeks as never })
      .where('userId', '=', ann.id)
      .execute()
    const { headers } = await ann.get(path)
    const isRenewed = headers.getSetCookie().some((line) => line.includes('session_token'))
    expect([path, isRenewed, headers.get('cache-control')]).toEqual([path, true, expect.stringContaining('private')])
    const of = await shop.visitor().get(path)
    expect([path, of.headers.getSetCookie()]).toEqual([path, []])
  }
  expect((await shop.visitor().get('/share/shop.jpg')).headers.get('cache-control')).toContain('public')
})

test('S-001 no page tells a visitor or another customer the e-mail address of a buyer, a writer or a sender', async () => {
  const shop = await openTestShop()
  const now = shop.now()
  const stamp = await shop.formTime.stamp(now - 60_000)
  await shop.visitor().post('/contact/', { stamp, name: 'Sue', email: 'sender@hidden.test', phone: '0123456789', message: 'Hello' })
  const row = {
    writerId: 'w',
    writerName: 'Wim',
    writerEmail: 'writer@hidden.test',
    writerPhotoURL: '',
    createdAt: now,
    firstCreatedAt: now,
  }
  for (const [id, isAvailable] of [
    ['open-ticket', 1],
    ['used-ticket', 0],
  ] as const) {
    const { firstCreatedAt: _, ...writer } = row
    const state = { isAvailable, isValidated: 1, showOnPage: isAvailable === 1 ? 0 : 1, receiptTag: id } as const
    await shop.db
      .insertInto('testimonies')
      .values({ id, testimony: 'Lovely', ...writer, ...state })
      .execute()
  }
  await addItem(shop.db, 'tote', await addCategory(shop.db, 'bags'))
  const buyer = await shop.customer('buyer@hidden.test')
  await buyer.post('/order-request', { itemId: 'tote', message: 'For me', messageId: '' })
  const pages = ['/', '/gallery/', '/gallery/bags', '/item/tote', '/about/', '/contact/', '/testimonials/', '/login/', '/?messages']
  const tickets = ['/writetestimonials/open-ticket', '/writetestimonials/used-ticket', '/writetestimonials/none']
  const others = ['/sitemap.xml', '/robots.txt', '/manifest.webmanifest', '/contact/card.vcf', '/manage/mail/', '/manage/testimonials/']
  const asData = (path: string) => (/^\/(\?|$)/.test(path) ? `/_root.data${path.slice(1)}` : path.replace(/\/?(\?|$)/, '.data$1'))
  expect(await shop.visitor().page('/testimonials.data')).toContain('Lovely')
  expect(await shop.visitor().page('/writetestimonials/open-ticket.data')).toContain('Wim')
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer('other@mail.test')]) {
    for (const path of [...pages, ...tickets, ...others].flatMap((path) => [path, asData(path)]))
      expect([path, (await somebody.page(path)).match(/\w+@hidden\.test/g)]).toEqual([path, null])
    for (const email of ['', 'WRITER@hidden.test ', 'writer@mail.test'])
      expect((await somebody.act(tickets[0]!, { intent: 'check', email })).text).not.toContain('writer@hidden.test')
  }
})

test('who is not the owner cannot make the shop take in a table that does not say how long it is', async () => {
  const shop = await openTestShop()
  const send = async (somebody: { send: (path: string, init: RequestInit) => Promise<Response> }, path: string) => {
    const sent = { bytes: 0 }
    const body = new ReadableStream({
      pull(controller) {
        sent.bytes += 65_536
        if (sent.bytes > 34_000_000) controller.close()
        else controller.enqueue(new Uint8Array(65_536))
      },
    })
    const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
    const { status } = await somebody.send(path, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
    return { status, bytes: sent.bytes }
  }
  for (const somebody of [shop.visitor(), await shop.guest(), await shop.customer()])
    for (const path of ['/manage/tables/', '/manage/tables.data', '/manage/item-picture']) {
      const { status, bytes } = await send(somebody, path)
      expect([path, status]).toEqual([path, 413])
      expect(bytes).toBeLessThan(MAX_FORM_BYTES + 200_000)
    }
  expect((await send(await shop.owner(), '/manage/tables/')).bytes).toBeGreaterThan(30_000_000)
})
