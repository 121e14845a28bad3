import { expect, test } from 'vitest'
import { openSmtp } from '#test/open-smtp.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { markOfCode, openLetterCodes } from './letter-codes.server.ts'

test('S-227 S-139 a code has 140 bits, is another one for each letter and each shop, and is known again however it is typed', () => {
  const [codes, other] = [openLetterCodes('one-secret'), openLetterCodes('another-secret')]
  const many = Array.from({ length: 200 }, (_, at) => codes.codeOf(`proof-${at}`))
  expect(new Set(many).size).toBe(200)
  expect(many.every((code) => /^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/.test(code))).toBe(true)
  expect(new Set(many.join('').replaceAll('-', '')).size).toBe(32)
  expect(other.codeOf('proof-0')).not.toBe(many[0])
  const mark = markOfCode(many[0]!)
  for (const typed of [many[0]!.toLowerCase(), many[0]!.replaceAll('-', ''), ` ${many[0]!.replaceAll('-', ' — ')}\n`])
    expect(markOfCode(typed)).toBe(mark)
  for (const typed of ['', many[0]!.slice(1), `${many[0]}A`, 'x'.repeat(201)]) expect(markOfCode(typed)).toBe(null)
})

test('S-231 only letters of codes have one put in: what a visitor types stays as typed', async () => {
  const codes = openLetterCodes('one-secret')
  expect(codes.fill({ id: 'proof-1', kind: 'contact', text: 'My {code}' })).toBe('My {code}')
  expect(codes.fill({ id: 'proof-1', kind: 'proof', text: '{code} or {code}' })).toBe(
    `${codes.codeOf('proof-1')} or ${codes.codeOf('proof-1')}`,
  )
})

test('011 a letter that somebody waits for leaves at once, not with the next round; a process that sends none leaves it', async () => {
  const smtp = await openSmtp()
  const shop = await openTestShop({ smtpUrl: smtp.url })
  const letter = (id: string) => shop.mail.post(shop.db, { id, kind: 'notice', to: 'ann@mail.test', subject: id, text: id }, shop.clock.now)
  await letter('before')
  shop.mail.wake()
  const stop = await shop.mail.start()
  await smtp.when(() => smtp.received.length === 1)
  await letter('after')
  shop.mail.wake()
  await smtp.when(() => smtp.received.length === 2)
  expect(smtp.received).toHaveLength(2)
  await stop()
})
