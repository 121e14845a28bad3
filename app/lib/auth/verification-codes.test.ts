import { expect, test } from 'vitest'
import { hashCode, createVerificationCodes } from './verification-codes.server.ts'

test('each verification email has its own 140-bit code, which can be typed in any case and with spaces or dashes [S-227, S-139]', () => {
  const [codes, other] = [
    createVerificationCodes('one-secret'),
    createVerificationCodes('another-secret'),
  ]
  const many = Array.from({ length: 200 }, (_, at) => codes.codeOf(`verification-${at}`))
  expect(new Set(many).size).toBe(200)
  expect(
    many.every((code) => /^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/.test(code)),
  ).toBe(true)
  expect(new Set(many.join('').replaceAll('-', '')).size).toBe(32)
  expect(other.codeOf('verification-0')).not.toBe(many[0])
  const mark = hashCode(many[0]!)
  for (const typed of [
    many[0]!.toLowerCase(),
    many[0]!.replaceAll('-', ''),
    ` ${many[0]!.replaceAll('-', ' — ')}\n`,
  ]) {
    expect(hashCode(typed)).toBe(mark)
  }
  for (const typed of ['', many[0]!.slice(1), `${many[0]}A`, 'x'.repeat(201)]) {
    expect(hashCode(typed)).toBe(null)
  }
})

test('inserts a verification code only into verification emails, never into text that a visitor typed [S-231]', async () => {
  const codes = createVerificationCodes('one-secret')
  expect(codes.fill({ id: 'verification-1', kind: 'contact', text: 'My {code}' })).toBe('My {code}')
  expect(codes.fill({ id: 'verification-1', kind: 'verification', text: '{code} or {code}' })).toBe(
    `${codes.codeOf('verification-1')} or ${codes.codeOf('verification-1')}`,
  )
})
