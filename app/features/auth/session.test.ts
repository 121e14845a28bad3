import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { openTestShop, type TestShop, openShopWithAnn } from '#test/fixtures/test-shop.ts'

const NAME = 'shop.session_token'
const DAY = 86_400_000

/** Changes dates of the user's sessions. SQLite stores dates as text. */
async function setDates(shop: TestShop, userId: string, dates: Record<string, number>) {
  const storedDate = (at: number) =>
    shop.dialect === 'sqlite' ? new Date(at).toISOString() : new Date(at)
  const values = Object.fromEntries(
    Object.entries(dates).map(([name, at]) => [name, storedDate(at)]),
  )
  await shop.db.updateTable('session').set(values).where('userId', '=', userId).execute()
}

test('the shop refuses a forged, truncated, extended or unsigned session cookie [LOGIN-25]', async () => {
  const { shop, ann } = await openShopWithAnn()
  const right = decodeURIComponent(ann.cookies.get(NAME)!)
  const [token = '', signature = ''] = right.split('.')
  const signed = (text: string, secret: string) =>
    `${text}.${createHmac('sha256', secret).update(text).digest('base64')}`
  const cookie = (value: string, name = NAME) => `${name}=${encodeURIComponent(value)}`
  const isIn = async (cookies: string) => {
    const response = await shop.visitor().send('/about/', { headers: { cookie: cookies } })
    return [response.status, (await response.text()).includes('ann@mail.test')]
  }
  const { secret } = await shop.auth.$context
  // The shop accepts a correctly signed cookie. This proves that each cookie below is refused only
  // because of its own defect.
  expect(await isIn(cookie(signed(token, secret)))).toEqual([200, true])
  expect(await isIn(`theme=light; ${cookie(right)}; other=1`)).toEqual([200, true])
  for (const [name, cookies] of Object.entries({
    none: '',
    unsigned: cookie(token),
    'another secret': cookie(signed(token, 'another-secret-of-some-32-characters')),
    'another token': cookie(right.replace(/^./, (first) => (first === 'B' ? 'C' : 'B'))),
    'a signed token without a session': cookie(signed('x'.repeat(32), secret)),
    'no signature': cookie(`${token}.`),
    'a short signature': cookie(right.slice(0, -8)),
    'a longer signature': cookie(`${right}AAAA`),
    'another name': cookie(right, 'xshop.session_token'),
    'half an escape': `${NAME}=${right}%`,
    'a zero byte': cookie(`${token}\0.${signature}`),
    'another value in the name': `${NAME}=a; ${NAME}=b`,
    'a very long cookie': cookie('x'.repeat(6000)),
    'not UTF-8': `${NAME}=%E0%A4%A`,
  })) {
    expect([name, ...(await isIn(cookies))]).toEqual([name, 200, false])
  }
})

test('a session is renewed after an hour, and an expired session is refused', async () => {
  const { shop, ann } = await openShopWithAnn()
  const ends = (at: number) => setDates(shop, ann.id, { expiresAt: at })
  const requestSession = async () => {
    const response = await ann.get('/about/')
    return {
      isIn: (await response.text()).includes('ann@mail.test'),
      renewed: response.headers.getSetCookie().length > 0,
    }
  }
  expect(await requestSession()).toEqual({ isIn: true, renewed: false })
  await ends(Date.now() + 30 * DAY - 3_500_000)
  expect(await requestSession()).toEqual({ isIn: true, renewed: false })
  await ends(Date.now() + 30 * DAY - 3_601_000)
  expect(await requestSession()).toEqual({ isIn: true, renewed: true })
  await ends(Date.now() + 20 * DAY)
  expect(await requestSession()).toEqual({ isIn: true, renewed: true })
  await ends(Date.now() - 1000)
  expect((await requestSession()).isIn).toBe(false)
})

test.each([
  ['the owner', 29, 'stays signed in'],
  ['the owner', 31, 'is signed out'],
  ['a customer', 179, 'stays signed in'],
  ['a customer', 181, 'is signed out'],
  ['a guest', 2000, 'stays signed in'],
])('a session has a maximum age: %s with a session of %s days %s', async (who, days, outcome) => {
  const shop = await openTestShop()
  const logIn = {
    'the owner': () => shop.owner(),
    'a customer': () => shop.customer(),
    'a guest': () => shop.guest(),
  }
  const client = await logIn[who as keyof typeof logIn]()
  const session = await shop.db
    .selectFrom('session')
    .select(['id', 'userId'])
    .executeTakeFirstOrThrow()
  await setDates(shop, session.userId, {
    createdAt: Date.now() - days * DAY,
    updatedAt: Date.now() - 2 * DAY,
    expiresAt: Date.now() + DAY,
  })
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))

  const isOut = outcome === 'is signed out'
  expect((await client.page('/')).includes('Login | Register')).toBe(isOut)
  expect(ended).toEqual(isOut ? [session.id] : [])
  expect(await shop.db.selectFrom('session').select('id').execute()).toHaveLength(isOut ? 0 : 1)
})
