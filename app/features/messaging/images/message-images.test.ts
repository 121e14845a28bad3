import sharp from 'sharp'
import { expect, test } from 'vitest'
import { MAX_UPLOAD_BYTES } from '#services/image-paths.ts'
import { itemFileErrorTexts } from '#images/texts.ts'
import { deleteOrphanedImages, listOrphanedImages } from '#images/edit-images.server.ts'
import { hugePng, patternedPng, storedPaths } from '#test/fixtures/images.ts'
import {
  expectNothingLeft,
  fileOf,
  idOf,
  jpeg,
  nothing,
  post,
  readIn,
  rowsOf,
  send,
  sendImages,
  upload,
  withoutScript,
} from '#test/fixtures/chat.ts'
import { openTestShop, ORIGIN, type Person, openShopWithAnn } from '#test/fixtures/test-shop.ts'
import { listConversations } from '../list/conversation-list.server.ts'
import { messageImagePaths, MAX_MESSAGE_IMAGES } from './message-images.ts'
import { IMAGE_QUOTA } from './message-images.server.ts'
import { messageImageTexts } from '../texts.ts'

test('the customer and the owner can send pictures in their conversation, and both see all of these pictures [S-173, S-174]', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const [one, two] = [await upload(ann), await upload(ann)]
  expect(
    (await send(ann, { messageId: idOf('a'), images: `${two.id},${one.id}`, message: 'These' }))
      .status,
  ).toBe(200)
  const hers = await upload(owner)
  expect(
    (await send(owner, { messageId: idOf('b'), images: hers.id }, `/manage/messages/${ann.id}`))
      .status,
  ).toBe(200)
  expect(shop.changedTopics).toContain(`order:${ann.id}`)

  const [first, second] = await readIn(shop, ann.id)
  expect(first!.images!.map((image) => image!.url)).toEqual([two.url, one.url])
  expect(second).toMatchObject({
    message: '',
    sender: 'owner',
    images: [{ url: hers.url, width: 600, height: 400, widths: [480, 600] }],
  })
  for (const who of [ann, owner]) {
    for (const url of [
      one.url,
      hers.url,
      one.url.replace('.jpg', '.480.webp'),
      hers.url.replace('.jpg', '.600.avif'),
    ]) {
      const response = await who.get(url)
      const type = response.headers.get('content-type')
      expect([response.status, type], url).toEqual([
        200,
        expect.stringMatching(/^image\/(jpeg|webp|avif)$/),
      ])
    }
  }
  expect(await rowsOf(shop)).toEqual({ images: 3, uploads: 0, shown: 3 })
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
  // The list of conversations shows "Image" for a message that contains an image and no text.
  const [line] = (await listConversations(shop)).lines.filter(({ id }) => id === ann.id)
  expect(line!.lastMessage).toBe('Picture')
  expect(line!.lastSender).toBe('owner')
  expect(await ann.page('/?messages')).toContain(one.url.replace('.jpg', '.480.webp'))
  expect(await owner.page(`/manage/messages/${ann.id}`)).toContain(two.url)
})

test('only customer and owner can load the images of their conversation, and no shared cache stores the images [S-175]', async () => {
  const shop = await openTestShop()
  const [ann, owner, mia, guest] = [
    await shop.customer(),
    await shop.owner(),
    await shop.customer('mia@mail.test'),
    await shop.guest(),
  ]
  const { url, id } = await upload(ann)
  const small = url.replace('.jpg', '.480.webp')
  for (const who of [owner, mia, guest, shop.visitor()]) {
    expect((await who.get(url)).status).toBe(404)
  }
  expect((await ann.get(url)).status).toBe(200)
  await send(mia, { messageId: idOf('m') })
  await send(ann, { messageId: idOf('a'), images: id })
  for (const who of [mia, guest, shop.visitor()]) {
    for (const address of [url, small, url.replace('/messages/pictures/', '/pictures/chat/')]) {
      const response = await who.get(address)
      expect([response.status, response.headers.get('cache-control')], address).toEqual([
        404,
        'no-store',
      ])
    }
  }
  for (const address of [url, small].map((one) =>
    one.replace('/messages/pictures/', '/pictures/chat/'),
  )) {
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
  for (const odd of [
    'x',
    '..',
    '%2e%2e%2fitems',
    `${url.slice(-20)}.php`,
    'a.jpg%00',
    "a'.jpg",
    '.jpg',
    `${'a'.repeat(500)}.jpg`,
  ]) {
    expect([404, 302, 400], odd).toContain((await owner.get(`/messages/pictures/${odd}`)).status)
  }
  expect(messageImagePaths('../items/a.jpg')).toBe(null)
  expect(messageImagePaths('a.240.480.webp')).toBe(null)
  expect(messageImagePaths('a.svg')).toBe(null)
})

test('the shop refuses files that are damaged, too large or not images, and stores none of them [S-174, FILES-11, FILES-12]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const [exact, more] = [new Uint8Array(MAX_UPLOAD_BYTES), new Uint8Array(MAX_UPLOAD_BYTES + 1)]
  for (const bytes of [exact, more]) bytes.set(jpeg)
  const bad: [File, string][] = [
    [fileOf('<script>alert(1)</script>'), itemFileErrorTexts['not-an-image']],
    [
      fileOf('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'),
      itemFileErrorTexts['not-an-image'],
    ],
    [fileOf(jpeg.subarray(0, jpeg.length / 2)), itemFileErrorTexts.damaged],
    [fileOf(hugePng(30_000, 30_000), 'a.png', 'image/png'), itemFileErrorTexts['too-many-pixels']],
    [fileOf(more), itemFileErrorTexts['too-big']],
  ]
  for (const [file, text] of bad) {
    expect(await post(ann, file)).toEqual({ status: 422, state: 'error', text })
  }
  expect(await ann.post('/messages/pictures', {}).then((response) => response.json())).toEqual({
    state: 'error',
    text: itemFileErrorTexts['no-file'],
  })
  await expectNothingLeft(shop)
  expect((await post(ann, fileOf(exact))).status).toBe(200)
})

test('without JavaScript, the shop stores both the text and the image of a form, or neither [S-173]', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const sent = await ann.post('/messages', withoutScript('Look', fileOf()))
  expect(sent.status).toBe(303)
  expect(sent.headers.get('location')).toBe('/?messages')
  // If the user chose no file, a browser sends an empty file without a name.
  await ann.post(
    '/messages',
    withoutScript('Only words', new File([], '', { type: 'application/octet-stream' })),
  )
  await owner.post(`/manage/messages/${ann.id}`, withoutScript('Lovely', fileOf()))
  expect(
    (await readIn(shop, ann.id)).map(({ message, images }) => [message, images?.length ?? 0]),
  ).toEqual([
    ['Look', 1],
    ['Only words', 0],
    ['Lovely', 1],
  ])
  const before = await rowsOf(shop)
  const refused = await ann.post(
    '/messages',
    withoutScript('My long text', fileOf(), fileOf('no picture')),
  )
  expect(refused.status).toBe(422)
  expect(await refused.text()).toMatch(/please select an image[^]*My long text/)
  const tooLong = await ann.post('/messages', withoutScript('x'.repeat(10_001), fileOf()))
  expect(tooLong.status).toBe(422)
  const tooMany = await ann.post(
    '/messages',
    withoutScript('Many', ...Array.from({ length: 11 }, () => fileOf('x'))),
  )
  expect(await tooMany.text()).toContain(messageImageTexts.tooMany)
  expect(await rowsOf(shop)).toEqual(before)
  expect((await readIn(shop, ann.id)).length).toBe(3)
})

test('the shop refuses a message with uploads of another message, uploads of other users or too many uploads [S-173]', async () => {
  const shop = await openTestShop()
  const [ann, owner, mia] = [
    await shop.customer(),
    await shop.owner(),
    await shop.customer('mia@mail.test'),
  ]
  const one = await upload(ann)
  const [, again] = await Promise.all(
    [1, 2].map(() => send(ann, { messageId: idOf('a'), images: one.id })),
  )
  expect(again!.status).toBe(200)
  expect(await readIn(shop, ann.id)).toHaveLength(1)

  const two = await upload(ann)
  const both = await Promise.all(
    ['b', 'c'].map((id) => send(ann, { messageId: idOf(id), images: two.id })),
  )
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(both.find(({ status }) => status === 422)!.text).toContain(messageImageTexts.lost)

  const three = await upload(ann)
  for (const [who, to] of [
    [mia, '/messages'],
    [owner, `/manage/messages/${ann.id}`],
  ] as const) {
    for (const images of [three.id, two.id, 'unknown', `${three.id},${three.id}`]) {
      expect((await send(who, { messageId: idOf('f'), images }, to)).status, images).toBe(422)
    }
  }
  const eleven = Array.from({ length: MAX_MESSAGE_IMAGES + 1 }, (_, at) => `p${at}`).join()
  expect((await send(ann, { messageId: idOf('g'), images: eleven })).text).toContain(
    messageImageTexts.tooMany,
  )
  expect(await readIn(shop, ann.id)).toHaveLength(2)
  expect(
    (await send(ann, { messageId: idOf('h'), images: `${three.id},${three.id},` })).status,
  ).toBe(200)
  expect((await readIn(shop, ann.id)).map(({ images }) => images!.length)).toEqual([1, 1, 1])
  expect(await rowsOf(shop)).toEqual({ images: 3, uploads: 0, shown: 3 })
})

test('only signed-in users can upload images, and the shop limits the number and the size of the images [S-174]', async () => {
  const shop = await openTestShop({ rateLimits: true })
  expect(await post(shop.visitor(), fileOf())).toMatchObject({ status: 401 })
  const ann = await shop.customer()
  const streamed = (who: Person, bytes: number) => {
    const body = new Blob([new Uint8Array(bytes)]).stream()
    const headers = { origin: ORIGIN, 'content-type': 'multipart/form-data; boundary=x' }
    return who.send('/messages/pictures', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit)
  }
  expect((await streamed(shop.visitor(), 3_000_000)).status).toBe(413)
  expect((await streamed(ann, 3_000_000)).status).toBe(400)
  expect((await streamed(ann, 13_000_000)).status).toBe(413)
  const statuses: number[] = []
  for (let tries = 0; tries < 60; tries++) {
    statuses.push((await post(ann, fileOf('no picture'))).status)
  }
  expect(statuses.at(-2)).toBe(422)
  expect(statuses.at(-1)).toBe(429)
  await expectNothingLeft(shop)
})

test('deleting a conversation deletes its pictures, but not the pictures of other conversations [S-175, MSG-20]', async () => {
  const shop = await openTestShop()
  const [ann, mia, owner] = [
    await shop.customer(),
    await shop.customer('mia@mail.test'),
    await shop.owner(),
  ]
  const urls: string[] = []
  for (const who of [ann, mia]) {
    const { id, url } = await upload(who)
    await send(who, { messageId: idOf('a'), images: id })
    urls.push(url)
  }
  const hers = await upload(owner)
  await send(owner, { messageId: idOf('b'), images: hers.id }, `/manage/messages/${ann.id}`)
  expect(
    (await owner.act(`/manage/messages/${ann.id}`, { intent: 'delete', confirm: 'Yes' })).status,
  ).toBe(200)
  expect(await rowsOf(shop)).toEqual({ images: 1, uploads: 0, shown: 1 })
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [], named: 5 })
  expect(await Promise.all(urls.map(async (url) => (await owner.get(url)).status))).toEqual([
    404, 200,
  ])
  await owner.act(`/manage/messages/${mia.id}`, { intent: 'delete', confirm: 'Yes' })
  await expectNothingLeft(shop)
})

test('deleting a guest deletes the guest’s images, but neither the guest’s texts nor the owner’s replies [S-175, S-004]', async () => {
  const shop = await openTestShop()
  const [guest, owner] = [await shop.guest(), await shop.owner()]
  const [sent] = [await upload(guest), await upload(guest)]
  await send(guest, { messageId: idOf('a'), images: sent.id, message: 'In this color?' })
  const answer = await upload(owner)
  await send(owner, { messageId: idOf('b'), images: answer.id }, `/manage/messages/${guest.id}`)
  await guest.post('/logout', { confirm: 'Yes' })
  expect(
    (await readIn(shop, guest.id)).map(({ message, images }) => [
      message,
      images!.map((one) => one?.url ?? null),
    ]),
  ).toEqual([
    ['In this color?', [null]],
    ['', [answer.url]],
  ])
  expect(await rowsOf(shop)).toEqual({ images: 1, uploads: 0, shown: 2 })
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [], named: 5 })
  expect(await owner.page(`/manage/messages/${guest.id}`)).toMatch(
    /This account was deleted.*This picture is no longer there\..*No Reply/s,
  )
})

test('the shop deletes an unsent image when its sender removes the image, and otherwise after a day [S-175]', async () => {
  const shop = await openTestShop()
  const [ann, owner] = [await shop.customer(), await shop.owner()]
  const [dropped, forgotten, sent] = [await upload(ann), await upload(ann), await upload(ann)]
  await send(ann, { messageId: idOf('a'), images: sent.id })
  for (const { id } of [dropped, sent]) {
    await owner.post('/messages/pictures', { intent: 'delete', id })
  }
  await ann.post('/messages/pictures', { intent: 'delete', id: sent.id })
  expect(await rowsOf(shop)).toEqual({ images: 3, uploads: 2, shown: 1 })
  await ann.post('/messages/pictures', { intent: 'delete', id: dropped.id })
  expect(await rowsOf(shop)).toEqual({ images: 2, uploads: 1, shown: 1 })

  shop.clock.now += 86_400_000
  await deleteOrphanedImages(shop)
  expect((await ann.get(forgotten.url)).status).toBe(200)
  shop.clock.now += 1
  await deleteOrphanedImages(shop)
  expect((await ann.get(forgotten.url)).status).toBe(404)
  expect((await ann.get(sent.url)).status).toBe(200)
  expect(await rowsOf(shop)).toEqual({ images: 1, uploads: 0, shown: 1 })
  expect(await listOrphanedImages(shop)).toMatchObject({ files: [], missing: [] })
})

test('a failure of the disk, the database or the connection leaves neither file nor database row of a picture [S-174]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const { put } = shop.storage
  for (const failing of [/\.jpg$/, /\.webp$/]) {
    shop.storage.put = (path, bytes) =>
      failing.test(path) ? Promise.reject(new Error('the disk is full')) : put(path, bytes)
    expect(await post(ann, fileOf())).toMatchObject({
      status: 500,
      text: 'This picture could not be sent.',
    })
    await expectNothingLeft(shop)
  }
  shop.storage.put = put
  const { keep } = shop.images
  shop.images.keep = () => Promise.reject(new Error('the database is gone'))
  expect((await post(ann, fileOf())).status).toBe(500)
  shop.images.keep = keep
  await expectNothingLeft(shop)
  const form = new FormData()
  form.set('file', fileOf())
  const leaving = new AbortController()
  shop.images.keep = (...args) => keep(...args).finally(() => leaving.abort())
  await ann
    .send('/messages/pictures', {
      method: 'POST',
      body: form,
      headers: { origin: ORIGIN },
      signal: leaving.signal,
    })
    .catch(() => {})
  // The browser has canceled the upload after the shop stored the image, so the shop deletes the
  // image again.
  expect(leaving.signal.aborted).toBe(true)
  await expect
    .poll(async () => [await rowsOf(shop), await storedPaths(shop)])
    .toEqual([nothing, []])
})

test('a guest whose conversation has 60 pictures can upload no further picture [S-353]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  await sendImages(shop, guest, IMAGE_QUOTA.guest)
  expect((await post(guest, fileOf())).text).toBe(messageImageTexts.quota)
  expect(await shop.db.selectFrom('chatUploads').select('imageId').execute()).toEqual([])
  await upload(await shop.owner())
})

test('a small PNG of a guest does not fill the disk, because the shop stores pictures of chats as lossy images [S-353]', async () => {
  const shop = await openTestShop()
  const guest = await shop.guest()
  const sent = await patternedPng(2560, 2560)
  expect(sent.length).toBeLessThan(500_000)
  const { id, url } = await post(guest, fileOf(sent, 'pattern.png', 'image/png'))
  expect(url).toMatch(/\.webp$/)
  await send(guest, { messageId: idOf('a'), images: id })
  const [message] = await readIn(shop, guest.id)
  expect(message!.images).toMatchObject([
    { url, width: expect.toSatisfy((width: number) => width >= 720 && width < 1440) },
  ])
  const response = await guest.get(url)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/webp')
  expect((await sharp(await response.arrayBuffer()).metadata()).hasAlpha).toBe(true)
  const sizes = (await shop.storage.list()).map(({ size }) => size)
  expect(sizes).toHaveLength(5)
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(2_500_000)
})

test('large pictures of messages are streamed, so that clients that do not read the response occupy little memory [S-175]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const { url } = await upload(ann)
  await shop.storage.put(
    url.replace('/messages/pictures/', 'chat/'),
    new Uint8Array(10_000_000).fill(7),
  )
  const before = process.memoryUsage().arrayBuffers
  const responses = await Promise.all(Array.from({ length: 20 }, () => ann.get(url)))
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000)
  expect(responses[0]!.headers.get('content-length')).toBe('10000000')
  expect(new Uint8Array(await responses[0]!.arrayBuffer()).every((byte) => byte === 7)).toBe(true)
})
