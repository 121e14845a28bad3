/** Attacks on what people write to each other: stale pages, forms filled in twice, and what a message may carry into a page or a letter. */
import { expect, test } from 'vitest'
import { readConversation } from '#app/features/messaging/conversations.server.ts'
import { corners } from './drawn-pictures.ts'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import { addCategory, addItem } from './sample-catalogue.ts'

const messagesOf = async ({ db }: TestShop, orderId: string) => (await readConversation(db, orderId, 'owner'))?.messages ?? []
/** What a form without script holds, as the page brings it. */
const hiddenFields = (html: string, form: string): Record<string, string> => {
  const [found = ''] = html.match(new RegExp(`<form[^>]*action="${form}"[\\s\\S]*?</form>`)) ?? []
  const fields = found.matchAll(/<input(?=[^>]*type="hidden")(?=[^>]*name="([^"]*)")(?=[^>]*value="([^"]*)")[^>]*>/g)
  return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
}

test('S-171 ITEM-27 a page without script that was made for somebody else sends nothing in the name of who signed in since', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon wall', priceCents: 8900 })
  const browser = await shop.customer('ann@mail.test')
  const chat = hiddenFields(await browser.page('/?messages'), '/messages')
  const request = hiddenFields(await browser.page('/item/moon'), '/order-request')
  expect([chat.writer, request.writer]).toEqual([browser.id, browser.id])

  await browser.post('/logout', {})
  await browser.post('/login/', { intent: 'register', email: 'mia@mail.test', password: 'a-good-password' })
  for (const [path, fields] of [
    ['/messages', chat],
    ['/order-request', request],
  ] as const) {
    const answer = await browser.post(path, { ...fields, message: 'From Ann alone' })
    // What was typed comes back, to be copied (S-133).
    expect([path, answer.status, await answer.text()]).toEqual([path, 403, expect.stringContaining('From Ann alone')])
  }
  expect((await browser.act('/order-request', { ...request, message: 'x', back: '' })).status).toBe(403)
  expect(await shop.db.selectFrom('messages').select('id').execute()).toEqual([])
  expect(await shop.db.selectFrom('requests').select('id').execute()).toEqual([])

  const { id } = await shop.db.selectFrom('user').select('id').where('email', '=', 'mia@mail.test').executeTakeFirstOrThrow()
  const fresh = hiddenFields(await browser.page('/item/moon'), '/order-request')
  expect((await browser.post('/order-request', { ...fresh, message: 'From Mia' })).status).toBe(303)
  expect((await messagesOf(shop, id)).map(({ message }) => message)).toEqual(['From Mia'])
})

test('S-169 S-173 without script another picture under the same words is another message; the same one pressed twice is not', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const fields = hiddenFields(await ann.page('/?messages'), '/messages')
  const draw = async (width: number) => new Uint8Array(await corners(width, 40).jpeg().toBuffer())
  const [wide, narrow] = [await draw(90), await draw(60)]
  const send = (...files: Uint8Array<ArrayBuffer>[]) => {
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...fields, message: '' })) form.set(name, value)
    for (const bytes of files) form.append('files', new File([bytes], 'a.jpg', { type: 'image/jpeg' }))
    return ann.post('/messages', form)
  }
  // Sent, sent again by a double press, then Back and another picture chosen, with and without the first.
  for (const files of [[wide], [wide], [narrow], [wide, narrow], []]) expect((await send(...files)).status).toBe(303)

  const shown = (await messagesOf(shop, ann.id)).map(({ pictures = [] }) => pictures.map((picture) => picture!.width))
  expect(shown).toEqual([[90], [60], [90, 60]])
  expect(await shop.db.selectFrom('chatUploads').select('pictureId').execute()).toEqual([])
  expect((await shop.db.selectFrom('pictures').select('id').execute()).length).toBe(4)
})
