import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openTestShop, OWNER } from '#test/fixtures/test-shop.ts'
import { classifySmtpError } from './transport.server.ts'

test('an email is retried after an error that does not concern the email itself', () => {
  expect(
    classifySmtpError(
      Object.assign(new Error('x'), {
        code: 'EPROTOCOL',
        responseCode: 554,
        response: '554 go away',
      }),
    ).isFinal,
  ).toBe(false)
  expect(classifySmtpError('nonsense').isFinal).toBe(false)
})

test('shows the owner the response of a mail server, but not the response of another service [OWN-111]', () => {
  const reasonOf = (response: string) =>
    classifySmtpError(Object.assign(new Error('x'), { code: 'EPROTOCOL', response })).reason
  expect(reasonOf('554 go away')).toContain('It said: 554 go away')
  expect(reasonOf('HTTP/1.1 SECRET')).not.toContain('SECRET')
})

test('writes each email to one complete file when SMTP_URL is not set [S-038]', async () => {
  const shop = await openTestShop()
  await shop.outbox.post(
    shop.db,
    { id: 'one', kind: 'test', to: OWNER.email, subject: 'Email', text: 'Text one' },
    shop.now(),
  )
  expect(await shop.outbox.deliver('one')).toBe(true)
  await shop.db.updateTable('outbox').set({ sentAt: null, nextAttemptAt: 0 }).execute()
  expect(await shop.outbox.deliver('one')).toBe(true)

  const names = await readdir(join(shop.folder, 'outbox'))
  expect(names).toEqual([`${shop.now()}-one.eml`])
  expect(await readFile(join(shop.folder, 'outbox', names[0]!), 'utf8')).toContain('Text one')
})
