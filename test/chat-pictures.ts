/** Sending pictures in conversations through the front door, and what is kept of them. */
import { expect } from 'vitest'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { corners, storedPaths } from './drawn-pictures.ts'
import type { TestShop } from './open-test-shop.ts'
import type { Person } from './person.ts'

export const jpeg = await corners(600, 400).jpeg().toBuffer()
export const fileOf = (bytes: Uint8Array | string = jpeg, name = 'photo.jpg', type = 'image/jpeg') =>
  new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name, { type })
export const idOf = (text: string) => text.padEnd(15, '0')

export async function post(who: Person, file: File) {
  const form = new FormData()
  form.set('file', file)
  const response = await who.post('/messages/pictures', form)
  return { status: response.status, ...((await response.json()) as { state: string; id: string; url: string; text: string }) }
}
export async function upload(who: Person) {
  const done = await post(who, fileOf())
  expect(done).toMatchObject({ status: 200, state: 'uploaded' })
  return done
}
export const send = (who: Person, form: { messageId: string; pictures?: string; message?: string }, to = '/messages') =>
  who.act(to, { intent: 'send', message: '', ...form })
export const readIn = async ({ db }: TestShop, orderId: string) => (await readConversation(db, orderId, 'owner'))!.messages
export const withoutScript = (message: string, ...files: File[]) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ intent: 'send', message, back: '/?messages' })) form.set(name, value)
  for (const file of files) form.append('files', file)
  return form
}
export const rowsOf = async ({ db }: TestShop) => ({
  pictures: (await db.selectFrom('pictures').select('id').execute()).length,
  uploads: (await db.selectFrom('chatUploads').select('pictureId').execute()).length,
  shown: (await db.selectFrom('messagePictures').select('pictureId').execute()).length,
})
export const nothing = { pictures: 0, uploads: 0, shown: 0 }
export async function expectNothingLeft(shop: TestShop) {
  expect([await rowsOf(shop), await storedPaths(shop)]).toEqual([nothing, []])
}
