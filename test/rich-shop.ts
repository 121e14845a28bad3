/** A shop that holds something of every kind, for tests of backups and copies. */
import sharp from 'sharp'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { HOSTED_OWNER, HOSTED_SHOP, writeHostedBucket } from './hosted-bucket.ts'
import { importInto, newFolder } from './moving-shops.ts'
import type { TestShop } from './open-test-shop.ts'

/** A message with a picture, and the place of one that is gone. */
async function sendPicture({ db }: TestShop, ann: Awaited<ReturnType<TestShop['customer']>>) {
  const form = new FormData()
  const bytes = await sharp({ create: { width: 70, height: 50, channels: 3, background: '#a86' } })
    .jpeg()
    .toBuffer()
  form.set('file', new File([new Uint8Array(bytes)], 'a.jpg', { type: 'image/jpeg' }))
  const { id } = (await (await ann.post('/messages/pictures', form)).json()) as { id: string }
  const messageId = 'WithAPicture000'
  await ann.post('/messages', { intent: 'send', message: 'Like this one', messageId, pictures: id })
  await db.insertInto('messagePictures').values({ orderId: ann.id, messageId, position: 1, pictureId: null }).execute()
}

/** Everything that a shop may hold beside what the hosted one held: odd texts, guests, closed and left conversations, a shared picture. */
export async function fillRichShop(shop: TestShop) {
  const files = await writeHostedBucket(await newFolder())
  await importInto(shop.shop, HOSTED_SHOP, { files, adminIds: [HOSTED_OWNER] })
  const ann = await shop.customer()
  const guest = await shop.guest()
  for (const person of [ann, guest]) {
    await person.post('/favourite', { itemId: 'item-moon', wanted: 'yes' })
    await person.post('/order-request', { itemId: 'item-moon', message: 'Ünïcödé 🪢 "quotes" \\ \u2028 \u0001 <script>', messageId: '' })
  }
  await sendPicture(shop, ann)
  const owner = await shop.owner()
  await owner.post('/manage/settings/', { name: 'Knots & <Love> 🪢' })
  await shop.db.updateTable('orders').set({ isClosed: 1, receiptTag: 'Closed12' }).where('id', '=', ann.id).execute()
  await shop.db.updateTable('orders').set({ isClosed: 1 }).where('fromContactPage', '=', 1).execute()
  await shop.db.updateTable('categories').set({ position: 7, firstCreatedAt: -5 }).where('id', '=', 'walls').execute()
  await shop.db.updateTable('testimonies').set({ receiptTag: 'Ab3dE6gH', writtenAt: null }).execute()
  await shop.db.updateTable('user').set({ name: 'Marisol', image: '/pictures/people/owner.240.webp' }).where('id', '=', ADMIN_ID).execute()
  await shop.db
    .insertInto('settings')
    .values({ key: 'city', value: '"Asheville"', updatedAt: 5 })
    .onConflict((one) => one.column('key').doNothing())
    .execute()
  await shop.db
    .insertInto('savedReplies')
    .values({ id: 'reply-1', title: 'Shipping', text: 'Hello {name} 🪢', createdAt: 7, firstCreatedAt: 6 })
    .execute()
  await shop.db
    .insertInto('invoices')
    .values([
      { number: 1, receiptKey: 'sale-1', shippingCents: 0, createdAt: 7 },
      { number: 2, receiptKey: 'Ab3dE6gH', shippingCents: 100_000_000_000_001, createdAt: 8 },
    ])
    .execute()
  const drawn = sharp({
    create: { width: 60, height: 40, channels: 3, background: '#556677', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  })
  for (const [kind, folder] of [
    ['jpeg', 'people'],
    ['webp', 'scenes'],
    ['avif', 'scenes'],
    ['gif', 'items/walls'],
  ] as const) {
    const prepared = await shop.pictures.prepare(folder, new Uint8Array(await drawn.clone().toFormat(kind).toBuffer()), `the-${kind}`)
    if (!prepared.ok) throw new Error('no picture')
    await shop.pictures.keep(shop.db, prepared.picture)
    if (kind !== 'gif') continue
    for (const position of [0, 1])
      await shop.db
        .insertInto('itemPictures')
        .values({
          id: `gif-${position}`,
          itemId: 'item-bare',
          pictureId: prepared.picture.id,
          position,
          isAvailable: position === 0 ? 1 : 0,
        })
        .execute()
  }
  return { ann, guest }
}
