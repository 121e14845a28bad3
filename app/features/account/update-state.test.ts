import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'
import { letterTo } from '#test/proof-letters.ts'

const password = 'a-good-password'
const next = 'an-even-better-one'

test('LOGIN-34 LOGIN-35 LOGIN-36 LOGIN-37 LOGIN-38 LOGIN-39 what every update answers says that it is done, and has no user in it', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  await ann.act('/account/name', { name: 'Annabelle' })
  const { token } = await shop.db.selectFrom('session').select('token').where('userId', '=', ann.id).executeTakeFirstOrThrow()
  await shop.visitor().post('/reset-password/', { intent: 'ask', email: 'ann@mail.test' })
  const { code } = await letterTo(shop, 'ann@mail.test')
  const updates: [string, Record<string, string>][] = [
    ['/account/name', { name: 'Annabelle' }],
    // The proof comes with the act (034): reauthentication and update are one answer.
    ['/account/email', { email: 'new@mail.test', password }],
    ['/reset-password/', { intent: 'choose', code, password: next }],
    ['/account/password', { password: next, newPassword: password }],
    ['/account/delete', { password }],
  ]
  for (const [path, form] of updates) {
    const done = await ann.act(path, form)
    expect([path, done.status < 300]).toEqual([path, true])
    for (const hers of [ann.id, 'Annabelle', 'ann@mail.test', token, password, next]) expect(done.text, path).not.toContain(hers)
    if (path === '/reset-password/') await ann.post('/login/', { intent: 'login', email: 'ann@mail.test', password: next })
  }
})
