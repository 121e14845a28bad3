/** Pictures of messages, through the front door: what is taken, who sees it, and what is left when something goes. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MAX_PICTURE_BYTES } from '#app/platform/picture-types.ts'
import { itemPickTexts } from '#app/features/images/picture-upload.ts'
import { listOrphans } from '#app/features/images/edit-pictures.server.ts'
import { corners, cornersOf, hugePng } from '#test/drawn-pictures.ts'
import { expectNothingLeft, fileOf, idOf, jpeg, post, readIn, rowsOf, send, upload, withoutScript } from '#test/chat-pictures.ts'
import { openTestShop, ORIGIN } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { listConversations } from './conversation-list.server.ts'
import { chatPathsOf, MAX_MESSAGE_PICTURES, PICTURES_LOST, TOO_MANY_PICTURES } from './message-pictures.ts'

test('S-173 S-174 a picture goes out in a message, from either side, and the two of the conversation see it', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const [one, two] = [await upload(ann), await upload(ann)]
  expect((await send(ann, { messageId: idOf('a'), pictures: `${two.id},${one.id}`, message: 'These' })).status).toBe(200)
  const hers = await upload(owner)
  expect((await send(owner, { messageId: idOf('b'), pictures: hers.id }, `/manage/messages/${ann.id}`)).status).toBe(200)
  expect(shop.heard).toContain(`order:${ann.id}`)

  const [first, second] = await readIn(shop, ann.id)
  expect(first!.pictures!.map((picture) => picture!.url)).toEqual([two.url, one.url])
  expect(second).toMatchObject({
    message: '',
    sender: 'owner',
    pictures: [{ url: hers.url, width: 600, height: 400, widths: [480, 600] }],
  })
  for (const who of [ann, owner])
    for (const url of [one.url, hers.url, one.url.replace('.jpg', '.480.webp'), hers.url.replace('.jpg', '.600.avif')]) {
      const response = await who.get(url)
      expect([response.status, response.headers.get('content-type')], url).toEqual([
        200,
        expect.stringMatching(/^image\/(jpeg|webp|avif)$/),
      ])
    }
  expect(await rowsOf(shop)).toEqual({ pictures: 3, uploads: 0, shown: 3 })
  expect(await listOrphans(shop)).toMatchObject({ files: [], missing: [] })
  // Without words, lists and letters say what it is.
  const [line] = (await listConversations(shop.db)).lines.filter(({ id }) => id === ann.id)
  expect([line!.lastMessage, line!.lastSender]).toEqual(['Picture', 'owner'])
  expect(await ann.page('/?messages')).toContain(one.url.replace('.jpg', '.480.webp'))
  expect(await owner.page(`/manage/messages/${ann.id}`)).toContain(two.url)
})

test('S-175 nobody else sees it, by no address, and no cache on the way keeps it', async () => {
  const shop = await openTestShop()
  const [ann, owner, mia, guest] = [await shop.customer(), await shop.owner(), await shop.customer('mia@mail.test'), await shop.guest()]
  const { url, id } = await upload(ann)
  const small = url.replace('.jpg', '.480.webp')
  // Not sent yet: hers alone.
  for (const who of [owner, mia, guest, shop.visitor()]) expect((await who.get(url)).status).toBe(404)
  expect((await ann.get(url)).status).toBe(200)
  await send(mia, { messageId: idOf('m') })
  await send(ann, { messageId: idOf('a'), pictures: id })
  for (const who of [mia, guest, shop.visitor()])
    for (const address of [url, small, url.replace('/messages/pictures/', '/pictures/chat/')]) {
      const response = await who.get(address)
      expect([response.status, response.headers.get('cache-control')], address).toEqual([404, 'no-store'])
    }
  for (const address of [url, small].map((one) => one.replace('/messages/pictures/', '/pictures/chat/'))) {
    expect((await ann.get(address)).status).toBe(404)
    expect((await owner.get(address)).status).toBe(404)
  }
  const response = await ann.get(url)
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  const again = { headers: { 'if-none-match': response.headers.get('etag')! } }
  expect((await ann.send(url, again)).status).toBe(304)
  expect((await mia.send(url, again)).status).toBe(404)
  await ann.post('/logout', {})
  expect((await ann.send(url, again)).status).toBe(404)
  for (const odd of ['x', '..', '%2e%2e%2fitems', `${url.slice(-20)}.php`, 'a.jpg%00', "a'.jpg", '.jpg', `${'a'.repeat(500)}.jpg`])
    expect([404, 302, 400], odd).toContain((await owner.get(`/messages/pictures/${odd}`)).status)
  expect([chatPathsOf('../items/a.jpg'), chatPathsOf('a.240.480.webp'), chatPathsOf('a.svg')]).toEqual([null, null, null])
})

test('S-174 FILES-11 FILES-12 the rules of the catalogue hold: content decides, the largest size passes, and what is refused leaves nothing', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const [exact, more] = [new Uint8Array(MAX_PICTURE_BYTES), new Uint8Array(MAX_PICTURE_BYTES + 1)]
  for (const bytes of [exact, more]) bytes.set(jpeg)
  const bad: [File, string][] = [
    [fileOf(''), itemPickTexts['not-an-image']],
    [fileOf('words', 'a.txt', 'text/plain'), itemPickTexts['not-an-image']],
    [fileOf('<script>alert(1)</script>'), itemPickTexts['not-an-image']],
    [fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'), itemPickTexts['not-an-image']],
    [fileOf(jpeg.subarray(0, jpeg.length / 2)), itemPickTexts.damaged],
    [fileOf(hugePng(30_000, 30_000), 'a.png', 'image/png'), itemPickTexts['too-many-pixels']],
    [fileOf(more), itemPickTexts['too-big']],
  ]
  for (const [file, text] of bad) expect(await post(ann, file)).toEqual({ status: 422, state: 'error', text })
  expect(await ann.post('/messages/pictures', {}).then((response) => response.json())).toEqual({
    state: 'error',
    text: itemPickTexts['no-file'],
  })
  await expectNothingLeft(shop)
  expect((await post(ann, fileOf(exact))).status).toBe(200)
})

test('S-174 what is kept is upright and says neither where nor with what it was taken', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const exif = { IFD0: { Make: 'Phone', Copyright: 'Ann' }, IFD3: { GPSLatitude: '35/1 35/1 0/1', GPSLatitudeRef: 'N' } }
  const turned = await corners(300, 200).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  expect((await sharp(turned).metadata()).exif).toBeDefined()
  const { url } = await post(ann, fileOf(turned))
  for (const address of [url, url.replace('.jpg', '.200.webp'), url.replace('.jpg', '.200.avif')]) {
    const bytes = new Uint8Array(await (await ann.get(address)).arrayBuffer())
    const { exif, xmp, icc, width, height } = await sharp(bytes).metadata()
    expect({ exif, xmp, icc, width, height }, address).toEqual({ exif: undefined, xmp: undefined, icc: undefined, width: 200, height: 300 })
    expect(await cornersOf(bytes)).toEqual(['blue', 'red', 'white', 'lime'])
  }
})

test('S-173 without script the form takes the picture with the text: all of it, or nothing', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const sent = await ann.post('/messages', withoutScript('Look', fileOf()))
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/?messages'])
  // A file field in which nothing was chosen sends a file without a name.
  await ann.post('/messages', withoutScript('Only words', new File([], '', { type: 'application/octet-stream' })))
  await owner.post(`/manage/messages/${ann.id}`, withoutScript('Lovely', fileOf()))
  expect((await readIn(shop, ann.id)).map(({ message, pictures }) => [message, pictures?.length ?? 0])).toEqual([
    ['Look', 1],
    ['Only words', 0],
    ['Lovely', 1],
  ])
  const before = await rowsOf(shop)
  const refused = await ann.post('/messages', withoutScript('My long text', fileOf(), fileOf('no picture')))
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringMatching(/please select an image[^]*My long text/)])
  const tooLong = await ann.post('/messages', withoutScript('x'.repeat(10_001), fileOf()))
  expect(tooLong.status).toBe(422)
  const tooMany = await ann.post('/messages', withoutScript('Many', ...Array.from({ length: 11 }, () => fileOf('x'))))
  expect(await tooMany.text()).toContain(TOO_MANY_PICTURES)
  expect([await rowsOf(shop), (await readIn(shop, ann.id)).length]).toEqual([before, 3])
})

test('S-173 each upload is in one message, however it is sent: again, twice at once, by somebody else, too many', async () => {
  const shop = await openTestShop()
  const [ann, owner, mia] = [await shop.customer(), await shop.owner(), await shop.customer('mia@mail.test')]
  const one = await upload(ann)
  const [, again] = await Promise.all([1, 2].map(() => send(ann, { messageId: idOf('a'), pictures: one.id })))
  expect(again!.status).toBe(200)
  expect(await readIn(shop, ann.id)).toHaveLength(1)

  const two = await upload(ann)
  const both = await Promise.all(['b', 'c'].map((id) => send(ann, { messageId: idOf(id), pictures: two.id })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(both.find(({ status }) => status === 422)!.text).toContain(PICTURES_LOST)

  const three = await upload(ann)
  for (const [who, to] of [
    [mia, '/messages'],
    [owner, `/manage/messages/${ann.id}`],
  ] as const)
    for (const pictures of [three.id, two.id, 'unknown', `${three.id},${three.id}`])
      expect((await send(who, { messageId: idOf('f'), pictures }, to)).status, pictures).toBe(422)
  const eleven = Array.from({ length: MAX_MESSAGE_PICTURES + 1 }, (_, at) => `p${at}`).join()
  expect((await send(ann, { messageId: idOf('g'), pictures: eleven })).text).toContain(TOO_MANY_PICTURES)
  expect(await readIn(shop, ann.id)).toHaveLength(2)
  expect((await send(ann, { messageId: idOf('h'), pictures: `${three.id},${three.id},` })).status).toBe(200)
  expect((await readIn(shop, ann.id)).map(({ pictures }) => pictures!.length)).toEqual([1, 1, 1])
  expect(await rowsOf(shop)).toEqual({ pictures: 3, uploads: 0, shown: 3 })
})

test('S-174 only who is signed in sends pictures, so many in ten minutes, and no larger bodies than a picture has', async () => {
  const shop = await openTestShop({ rateLimits: true })
  expect(await post(shop.visitor(), fileOf())).toMatchObject({ status: 401 })
  const ann = await shop.customer()
  // A body that does not say how long it is.
  const streamed = (who: Person, bytes: number) => {
    const body = new Blob([new Uint8Array(bytes)]).stream()
    const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
    return who.send('/messages/pictures', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  }
  expect((await streamed(shop.visitor(), 3_000_000)).status).toBe(413)
  expect((await streamed(ann, 3_000_000)).status).toBe(400)
  expect((await streamed(ann, 13_000_000)).status).toBe(413)
  const statuses: number[] = []
  for (let tries = 0; tries < 60; tries++) statuses.push((await post(ann, fileOf('no picture'))).status)
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([422, 429])
  await expectNothingLeft(shop)
})
