import { expect, test } from 'vitest'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { readEnv } from '../config/env.server.ts'
import { isCommonPassword, passwordErrors, validatePassword } from './password-policy.server.ts'

test('refuses common passwords, and passwords that consist of the email address or of words from the shop [LOGIN-45] [S-241]', () => {
  const unfit = ['12345678', 'password', 'iloveyou1', 'macrame1', 'Knots2026!', 'knotsandlove']
  for (const password of unfit) {
    expect(validatePassword(password), password).not.toBeNull()
  }
  for (const password of ['ann.smith1', 'Ann.Smith', 'ann.smith@mail.test', '99ann.smith99']) {
    expect(validatePassword(password, 'ann.smith@mail.test'), password).not.toBeNull()
  }
  for (const password of ['short', 'x'.repeat(129)]) {
    expect(validatePassword(password)).not.toBeNull()
  }
})

test('accepts every password that is not common, whatever characters the password contains [S-241]', () => {
  const fit = [
    'a-good-password',
    '83749261',
    'пароль-для-макраме',
    '🪢🧶🪡🌿',
    'x'.repeat(127) + 'y',
  ]
  for (const password of fit) {
    expect(validatePassword(password, 'ann@mail.test'), password).toBeNull()
  }
})

test('explains why a password is refused at registration, on "Link Guest Account" and on Account [LOGIN-45, LOGIN-51, LOGIN-53, S-243]', async () => {
  const shop = await openTestShop()
  const [ann, guest] = [await shop.customer('ann.smith@mail.test'), await shop.guest()]
  const refusals = [
    ['', passwordErrors.short],
    ['short', passwordErrors.short],
    ['x'.repeat(129), passwordErrors.long],
    ['iloveyou', passwordErrors.common],
    ['ann.smith1', passwordErrors.own],
  ] as const
  for (const [password, help] of refusals) {
    const registered = await shop
      .visitor()
      .post('/login/', { intent: 'register', email: 'ann.smith@other.test', password })
    const linked = await guest.post('/link-guest/', {
      intent: 'register',
      email: 'ann.smith@other.test',
      password,
    })
    const changed = await ann.act('/account/password', {
      password: 'a-good-password',
      newPassword: password,
    })
    for (const html of [await registered.text(), await linked.text(), changed.text]) {
      expect(html.includes(help), password).toBe(true)
    }
    await ann.post('/account/password', {
      password: 'a-good-password',
      newPassword: password,
      back: '/account/',
    })
    const html = await ann.page('/account/')
    expect(html.includes('Unable to Update Password')).toBe(true)
    expect(html.includes(help)).toBe(true)
  }
})

const wellKnown = [
  'password',
  'Password123',
  'iloveyou',
  '12345678',
  'abcabcabc',
  '1q2w3e4r',
  'zghjcnjcegth',
  'toenail1',
]
test.for(wellKnown)(
  'refuses the easily guessed password %s as OWNER_PASSWORD [S-236]',
  (password) => {
    expect(isCommonPassword(password)).toBe(true)
    expect(() => readEnv({ OWNER_PASSWORD: password })).toThrow(
      'OWNER_PASSWORD is a common password',
    )
  },
)

test('refuses the owner’s own email address as her password, and accepts a sentence or a random password [S-236]', () => {
  for (const own of ['ona.shop@mail.test', 'Ona.Shop@mail.test', 'ona.shop']) {
    expect(() => readEnv({ OWNER_EMAIL: 'ona.shop@mail.test', OWNER_PASSWORD: own })).toThrow(
      'OWNER_PASSWORD',
    )
  }
  for (const good of [
    'owner-password',
    'correct horse battery',
    'k7m2-p9qx-4tbc-hjkm',
    'пароль для лавки',
  ]) {
    expect(readEnv({ OWNER_PASSWORD: good }).ownerPassword).toBe(good)
  }
})
