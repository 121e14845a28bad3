/** Whoever has no session cookie that the shop has signed is a visitor. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'

const NAME = 'shop.session_token'

test('LOGIN-25 a forged, cut, lengthened or unsigned session cookie signs nobody in', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer()
  const right = decodeURIComponent(ann.cookies.get(NAME)!)
  const [token = '', signature = ''] = right.split('.')
  const signed = (text: string, secret: string) => `${text}.${createHmac('sha256', secret).update(text).digest('base64')}`
  const cookie = (value: string, name = NAME) => `${name}=${encodeURIComponent(value)}`
  const isIn = async (cookies: string) => {
    const response = await shop.visitor().send('/about/', { headers: { cookie: cookies } })
    return [response.status, (await response.text()).includes('ann@mail.test')]
  }
  const { secret } = await shop.auth.$context
  // The same signature made here opens the session: what is refused below is refused for its own reason.
  expect(await isIn(cookie(signed(token, secret)))).toEqual([200, true])
  expect(await isIn(`theme=light; ${cookie(right)}; other=1`)).toEqual([200, true])
  for (const [name, cookies] of Object.entries({
    none: '',
    unsigned: cookie(token),
    'another secret': cookie(signed(token, 'another-secret-of-some-32-letters')),
    'another token': cookie(right.replace(/^./, (first) => (first === 'B' ? 'C' : 'B'))),
    'a signed token of nobody': cookie(signed('x'.repeat(32), secret)),
    'no signature': cookie(`${token}.`),
    'a short signature': cookie(right.slice(0, -8)),
    'a longer one': cookie(`${right}AAAA`),
    'another name': cookie(right, 'xshop.session_token'),
    'half an escape': `${NAME}=${right}%`,
    'a zero byte': cookie(`${token}\0.${signature}`),
  }))
    expect([name, ...(await isIn(cookies))]).toEqual([name, 200, false])
})

test('a session is renewed by better-auth within the hour, and what is over is never let in', async () => {
  const DAY = 86_400_000
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
  await ends(Date.now() + 30 * DAY - 3_500_000)
  expect(await giver()).toEqual({ isIn: true, renewed: false })
  await ends(Date.now() + 30 * DAY - 3_601_000)
  expect(await giver()).toEqual({ isIn: true, renewed: true })
  await ends(Date.now() + 20 * DAY)
  expect(await giver()).toEqual({ isIn: true, renewed: true })
  await ends(Date.now() - 1000)
  expect((await giver()).isIn).toBe(false)
})
