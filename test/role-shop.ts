/** A shop with something private of everybody, and the five who may come: what the access matrix asks its questions of. */
import { expect } from 'vitest'
import { fileOf, idOf, post, send } from './chat-pictures.ts'
import { corners } from './drawn-pictures.ts'
import type { AtTheEnd } from './open-process.ts'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

export const roles = ['visitor', 'guest', 'ann', 'bea', 'owner'] as const
export type Role = (typeof roles)[number]

/** What only Ann and the owner may read, wherever it stands. */
export const ANN = { email: 'ann-private@mail.test', message: 'a private thought of Ann' }

/** Small: it is uploaded for each of many shops. */
const small = await corners().jpeg().toBuffer()

export type RoleShop = {
  shop: TestShop
  people: Record<Role, Person>
  /** what stands for the parameters of addresses: Ann's conversation, her picture, and what everybody may see */
  of: { ann: string; picture: string }
}

/** `atTheEnd`: of the test, unless several tests share it. */
export async function openRoleShop(atTheEnd?: AtTheEnd): Promise<RoleShop> {
  const shop = await openTestShop({ atTheEnd })
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall' })
  const ann = await shop.customer(ANN.email)
  await ann.post('/favourite', { itemId: 'moon', wanted: 'yes' })
  await ann.post('/order-request', { itemId: 'moon', message: ANN.message })
  const picture = await post(ann, fileOf(small))
  expect(picture).toMatchObject({ status: 200, state: 'uploaded' })
  expect((await send(ann, { messageId: idOf('a'), pictures: picture.id })).status).toBe(200)
  const people = {
    visitor: shop.visitor(),
    guest: await shop.guest(),
    ann,
    bea: await shop.customer('bea@mail.test'),
    owner: await shop.owner(),
  }
  await shop.files.put('items/moon.webp', new Uint8Array([1, 2, 3]))
  const ticket = { id: 'ticket', writerId: ann.id, writerName: 'Ann', writerEmail: ANN.email, writerPhotoURL: '', testimony: '' }
  await shop.db
    .insertInto('testimonies')
    .values({ ...ticket, isAvailable: 1, isValidated: 0, showOnPage: 0, createdAt: shop.now() })
    .execute()
  return { shop, people, of: { ann: ann.id, picture: picture.url.split('/').at(-1)! } }
}
