/** The short way to a session (040) must never let in whom the library would not. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { isDueForRenewal } from '#app/platform/auth.server.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { readSessionToken } from './session-cookie.server.ts'

const SECRET = 'a-secret-for-tests-of-32-letters'
const TOKEN = 'AbCdEfGhIjKlMnOpQrStUvWxYz012345'
const signed = (token: string, secret = SECRET) => `${token}.${createHmac('sha256', secret).update(token).digest('base64')}`
const cookie = (value: string, name = 'shop.session_token') => `${name}=${encodeURIComponent(value)}`
const read = (cookies: string) => readSessionToken(cookies, 'shop.session_token', SECRET)

test('LOGIN-25 a token is read only from one cookie of the right name that the shop has signed; whatever is odd goes to the library', () => {
  expect(read(cookie(signed(TOKEN)))).toBe(TOKEN)
  expect(read(`theme=light; ${cookie(signed(TOKEN))}; other=1`)).toBe(TOKEN)
  const right = signed(TOKEN)
  for (const [name, cookies] of Object.entries({
    none: '',
    unsigned: cookie(TOKEN),
    'another secret': cookie(signed(TOKEN, 'another-secret-of-some-32-letters')),
    'another token': cookie(right.replace(/^A/, 'B')),
    'no signature': cookie(`${TOKEN}.`),
    'a short signature': cookie(right.slice(0, -8)),
    'a longer one': cookie(`${right}AAAA`),
    'another writing of the same bytes': cookie(right.replace(/=$/, '')),
    twice: `${cookie(right)}; ${cookie(signed('x'.repeat(32)))}`,
    'another name': cookie(right, 'xshop.session_token'),
    'half an escape': `shop.session_token=${right}%`,
    'a zero byte': cookie(`${TOKEN}\0.${right.split('.')[1]}`),
  }))
    expect([name, read(cookies)]).toEqual([name, null])
})

test('a session is renewed by the library within the hour, and what is over is never let in', async () => {
  const DAY = 86_400_000
  expect(isDueForRenewal(Date.now() + 30 * DAY, Date.now())).toBe(false)
  expect(isDueForRenewal(Date.now() + 30 * DAY - 3_600_000, Date.now())).toBe(true)
  expect(isDueForRenewal(Date.now() - 1, Date.now())).toBe(true)
  const shop = await openTestShop()
  const ann = await shop.customer()
  const ends = async (at: number) => {
    const expiresAt = (shop.dialect === 'sqlite' ? new Date(at).toISOString() : new Date(at)) as unknown
    await shop.db.updateTable('session').set({ expiresAt }).where('userId', '=', ann.id).execute()
  }
  const giver = async () => {
    const response = await ann.get('/about/')
    return { isIn: (await response.text()).includes('ann@mail.test'), renewed: response.headers.getSetCookie().length > 0 }
  }
  expect(await giver()).toEqual({ isIn: true, renewed: false })
  await ends(Date.now() + 20 * DAY)
  expect(await giver()).toEqual({ isIn: true, renewed: true })
  await ends(Date.now() - 1000)
  expect((await giver()).isIn).toBe(false)
})
