import { expect, test } from 'vitest'
import { hrefOf, pageOf } from '#test/fixtures/html.ts'
import { openTestShop, openShopWithAnn } from '#test/fixtures/test-shop.ts'

const password = 'a-good-password'
const next = 'an-even-better-one'

test.each([
  ['profile', 'LOGIN-34', '/account/name', { name: 'Annabelle' }],
  ['email', 'LOGIN-35', '/account/email', { email: 'new@mail.test', password }],
  [
    'password, which is also the login again,',
    'LOGIN-36, LOGIN-39',
    '/account/password',
    { password, newPassword: next },
  ],
  ['account deletion', 'LOGIN-38', '/account/delete', { password }],
])(
  'the response to a change of the user’s %s contains no user data [%s]',
  async (_, __, path, form) => {
    const { shop, ann } = await openShopWithAnn()
    await ann.act('/account/name', { name: 'Annabelle' })
    const answer = await ann.act(path, form as Record<string, string>)
    expect([200, 202]).toContain(answer.status)
    const tokens = (await shop.db.selectFrom('session').select('token').execute()).map(
      ({ token }) => token,
    )
    for (const secret of [ann.id, 'Annabelle', 'ann@mail.test', password, next, ...tokens]) {
      expect(answer.text).not.toContain(secret)
    }
  },
)

test('customers and the owner can open the account page from the menu [S-012]', async () => {
  const shop = await openTestShop()
  for (const client of [await shop.customer(), await shop.owner()]) {
    expect(hrefOf(pageOf(await client.page('/about/')), 'Account')).toBe('/account/')
    const response = await client.get('/account/')
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    const page = pageOf(await response.text())
    expect(page.getByRole('heading', { level: 1 }).textContent).toBe('Account')
  }
})
