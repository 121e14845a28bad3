/** A customer of whom the shop knows everything that it can know of anybody, for tests of leaving and of what she may take along. */
import sharp from 'sharp'
import { beginEmailChange } from '#app/features/auth/email-verification/verification.server.ts'
import { issuePapers } from '#app/features/print-documents/papers.server.ts'
import { remindOfUnread } from '#app/features/messaging/reminders/reminders.server.ts'
import { idOf, send, upload } from './chat-pictures.ts'
import { ORIGIN } from './open-test-shop.ts'
import { openShopWithOrder } from './shop-with-order.ts'

export const WORDS = 'My street is Elm Road 5'
const photo = () =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: '#864' } })
    .jpeg()
    .toBuffer()

/** Ann has a photo, favourites, an order with one piece sold and one asked for, pictures, a testimony on the page, letters, and another address in mind. */
export async function openShopWithCustomer() {
  const whole = await openShopWithOrder()
  const { shop, ann, owner, act } = whole
  const kept = await shop.pictures.prepare('people', new Uint8Array(await photo()), 'AnnsPhotoAnnsPhotoAnns')
  if (!kept.ok) throw new Error('no photo')
  await shop.pictures.keep(shop.db, kept.picture)
  await shop.db
    .updateTable('user')
    .set({ name: 'Ann Knotwell', image: '/pictures/people/AnnsPhotoAnnsPhotoAnns.jpg' })
    .where('id', '=', ann.id)
    .execute()
  for (const itemId of ['moon', 'sun']) await ann.post('/favourite', { itemId, wanted: 'yes' })
  const sent = await upload(ann)
  await send(ann, { messageId: idOf('hers'), pictures: sent.id, message: WORDS })
  await upload(ann)
  const answer = await upload(owner)
  await send(owner, { messageId: idOf('answer'), pictures: answer.id, message: 'Thank you, Ann' }, `/manage/messages/${ann.id}`)
  await act({ intent: 'complete', itemId: 'moon', price: '' })
  const [sale] = await whole.sales()
  await issuePapers(shop.shop, { receipt: sale!.receiptTag!, papers: ['Invoice', 'Testimony Ticket'], shipping: 500 })
  const [ticket] = await shop.db.selectFrom('testimonies').select('id').execute()
  await ann.act(`/writetestimonials/${ticket!.id}`, { intent: 'write', email: 'ann@mail.test', testimony: 'So soft, says Ann' })
  await owner.act('/manage/testimonials/', { intent: 'show', id: ticket!.id })
  await beginEmailChange(shop.shop, ann.id, 'knotwell@mail.test')
  shop.clock.now += 20 * 60_000
  await remindOfUnread(shop.shop, ORIGIN)
  return { ...whole, sale: sale!, ticketId: ticket!.id, sent, answer }
}
