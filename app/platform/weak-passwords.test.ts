import { expect, test } from 'vitest'
import { readEnv } from './env.server.ts'
import { isWeakPassword } from './weak-passwords.ts'

test.for([
  'password',
  'Password123',
  'PASSWORD!!',
  'iloveyou',
  '12345678',
  '87654321',
  '00000000',
  'abcabcabc',
  'qwertyuiop',
  'asdfghjkl',
  '1q2w3e4r',
])('S-236 everybody guesses %s', (password) => {
  expect(isWeakPassword(password)).toBe(true)
  expect(() => readEnv({ OWNER_PASSWORD: password })).toThrow('OWNER_PASSWORD is one that everybody guesses')
})

test('S-236 her own address is no password either; a sentence or what a machine made is', () => {
  for (const own of ['ona.shop@mail.test', 'Ona.Shop@mail.test', 'ona.shop'])
    expect(() => readEnv({ OWNER_EMAIL: 'ona.shop@mail.test', OWNER_PASSWORD: own })).toThrow('OWNER_PASSWORD')
  for (const good of ['owner-password', 'correct horse battery', 'k7m2-p9qx-4tbc-hjkm', 'пароль для лавки'])
    expect(readEnv({ OWNER_PASSWORD: good }).ownerPassword).toBe(good)
})
