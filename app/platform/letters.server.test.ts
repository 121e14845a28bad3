import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop, OWNER } from '#test/open-test-shop.ts'
import { refusalOf } from './letters.server.ts'

test('what is not about the letter is never final', () => {
  expect(refusalOf(Object.assign(new Error('x'), { code: 'EPROTOCOL', responseCode: 554, response: '554 go away' })).isFinal).toBe(false)
  expect(refusalOf('nonsense').isFinal).toBe(false)
})

test('S-038 without SMTP_URL each letter is one file, also when it is written twice, and none of half a letter', async () => {
  const shop = await openTestShop()
  await shop.mail.post(shop.db, { id: 'one', kind: 'test', to: OWNER.email, subject: 'Letter', text: 'Text one' }, shop.now())
  expect(await shop.mail.deliver('one')).toBe(true)
  await shop.db.updateTable('outbox').set({ sentAt: null, nextAttemptAt: 0 }).execute()
  expect(await shop.mail.deliver('one')).toBe(true)

  const names = await readdir(join(shop.folder, 'outbox'))
  expect(names).toEqual([`${shop.now()}-one.eml`])
  expect(await readFile(join(shop.folder, 'outbox', names[0]!), 'utf8')).toContain('Text one')
})
