import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { isFitPassword } from './fit-password.server.ts'

test('LOGIN-45 S-241 what everybody tries first is no password: the commonest, the own words of the shop, the own address', () => {
  const unfit = [
    '12345678',
    'password',
    'Password1',
    'QWERTYUIOP',
    'iloveyou1',
    '1q2w3e4r',
    'macrame1',
    'Knots2026!',
    'owner-password',
    'knotsandlove',
  ]
  for (const password of unfit) expect([password, isFitPassword(password)]).toEqual([password, false])
  for (const password of ['ann.smith1', 'Ann.Smith', 'ann.smith@mail.test', '99ann.smith99'])
    expect([password, isFitPassword(password, 'ann.smith@mail.test')]).toEqual([password, false])
  for (const password of ['short', 'x'.repeat(129)]) expect(isFitPassword(password)).toBe(false)
})

test('S-241 no rule says which characters, and whatever is not common will do', () => {
  const fit = [
    'a-good-password',
    'knots-and-love',
    '83749261',
    '!!--8842##',
    'пароль-для-макраме',
    '🪢🪢🪢🪢',
    'x'.repeat(127) + 'y',
    ' spaces stay ',
  ]
  for (const password of fit) expect([password, isFitPassword(password, 'ann@mail.test')]).toEqual([password, true])
})

test('LOGIN-45 S-241 a common password is refused at registration, and what was typed stays but for it', async () => {
  const shop = await openTestShop()
  const response = await shop.visitor().post('/login/', { intent: 'register', email: 'ann@mail.test', password: 'iloveyou' })
  const html = await response.text()
  expect([response.status, html.includes('Password is too weak!'), html.includes('ann@mail.test')]).toEqual([422, true, true])
  expect(html).not.toContain('iloveyou')
})
