import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { readEnv } from './env.server.ts'
import { isCommonPassword, isFitPassword, passwordFaults } from './password-policy.server.ts'

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
    '🪢🧶🪡🌿',
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

test('LOGIN-45 LOGIN-51 LOGIN-53 S-243 whoever chooses a password is told what is wrong with it: registering, linking, under Account, with and without script', async () => {
  const shop = await openTestShop()
  const [ann, guest] = [await shop.customer('ann.smith@mail.test'), await shop.guest()]
  const refusals = [
    ['short', passwordFaults.short],
    ['x'.repeat(129), passwordFaults.long],
    ['iloveyou', passwordFaults.common],
    ['ann.smith1', passwordFaults.own],
  ] as const
  for (const [password, help] of refusals) {
    const registered = await shop.visitor().post('/login/', { intent: 'register', email: 'ann.smith@other.test', password })
    const linked = await guest.post('/link-guest/', { intent: 'register', email: 'ann.smith@other.test', password })
    const changed = await ann.act('/account/password', { password: 'a-good-password', newPassword: password })
    for (const html of [await registered.text(), await linked.text(), changed.text])
      expect([password, html.includes(help)]).toEqual([password, true])
    await ann.post('/account/password', { password: 'a-good-password', newPassword: password, back: '/account/' })
    const html = await ann.page('/account/')
    expect([html.includes('Unable to Update Password'), html.includes(help)]).toEqual([true, true])
  }
})

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
  expect(isCommonPassword(password)).toBe(true)
  expect(() => readEnv({ OWNER_PASSWORD: password })).toThrow('OWNER_PASSWORD is one that everybody guesses')
})

test('S-236 her own address is no password either; a sentence or what a machine made is', () => {
  for (const own of ['ona.shop@mail.test', 'Ona.Shop@mail.test', 'ona.shop'])
    expect(() => readEnv({ OWNER_EMAIL: 'ona.shop@mail.test', OWNER_PASSWORD: own })).toThrow('OWNER_PASSWORD')
  for (const good of ['owner-password', 'correct horse battery', 'k7m2-p9qx-4tbc-hjkm', 'пароль для лавки'])
    expect(readEnv({ OWNER_PASSWORD: good }).ownerPassword).toBe(good)
})
