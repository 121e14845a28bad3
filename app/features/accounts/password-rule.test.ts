import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { isFitPassword } from './password-rule.ts'

test('LOGIN-45 what everybody tries first is too weak, with figures and signs around it or not; what a person makes up is not', () => {
  const common = [
    'password',
    'PASSWORD1',
    'Password123!',
    '12345678',
    '87654321',
    '1234567890',
    'qwertyuiop',
    'aaaaaaaa',
    '12121212',
    'abcabcabc',
  ]
  const more = [
    'iloveyou',
    'Sunshine2024',
    '!!dragon99',
    'welcome1',
    'abcdefgh',
    '        ',
    'P@ssw0rd'.toLowerCase(),
    'changeme1',
    'macrame123',
  ]
  for (const password of [...common, ...more]) expect([password, isFitPassword(password)]).toEqual([password, false])
  const fit = [
    'knots-and-love',
    'a-good-password',
    'correct horse battery',
    'summer rain on linen',
    '7Kx!29vQ',
    'Schlüssel42',
    '83749261',
    'ばらのはなのいろ',
  ]
  for (const password of fit) expect([password, isFitPassword(password)]).toEqual([password, true])
  expect([isFitPassword('a'.repeat(129)), isFitPassword('seven-7'), isFitPassword('Ann@Mail.test', 'ann@mail.test')]).toEqual([
    false,
    false,
    false,
  ])
})

test('LOGIN-45 registering with a password that everybody tries first is refused with its text', async () => {
  const shop = await openTestShop()
  for (const password of ['password1', 'ann@mail.test']) {
    const response = await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test', password })
    expect([response.status, (await response.text()).includes('Password is too weak!')]).toEqual([422, true])
  }
})

test('LOGIN-45 S-241 none of the 3000 commonest, nor the own words of the shop with figures', () => {
  for (const password of ['1q2w3e4r', 'slipknot6', 'Blueeyes1', 'macrame2026', 'KnotsAndLove!'])
    expect([password, isFitPassword(password)]).toEqual([password, false])
  for (const password of ['83749261', '!!--8842##', 'knots-and-love', 'пароль-для-макраме'])
    expect([password, isFitPassword(password)]).toEqual([password, true])
})
