import { expect, test } from 'vitest'
import { pageOf, within } from '#test/fixtures/html.ts'
import { openTestShop, type Person, type TestShop } from '#test/fixtures/test-shop.ts'
import { describeDevice } from '#auth/sessions.server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const IPAD = IPHONE.replaceAll('iPhone', 'iPad').replace('CPU iPad OS', 'CPU OS')
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15'

const credentials = { email: 'ann@mail.test', password: 'a-good-password' }
async function device(shop: TestShop, agent: string, who = credentials): Promise<Person> {
  const visitor = shop.visitor()
  await visitor.send('/login/', {
    method: 'POST',
    body: new URLSearchParams({ intent: 'login', ...who }),
    headers: { origin: 'http://shop.test', 'user-agent': agent },
  })
  return visitor
}

const devicesOf = (html: string) => within(pageOf(html).getByRole('region', { name: 'Devices' }))
const linesOf = (html: string) =>
  devicesOf(html)
    .getAllByRole('listitem')
    .map((line) => ({
      name: line.querySelector('span')!.textContent,
      isThis: line.textContent.includes('This device'),
      id: line.querySelector('[name=id]')?.getAttribute('value'),
    }))
const isIn = async (who: Person) => (await who.get('/account/')).status === 200

test('the list of devices shows each session and marks the current session, which has no logout button [S-219]', async () => {
  const shop = await openTestShop()
  const { id } = await shop.customer()
  await device(shop, IPHONE)
  const desk = await device(shop, FIREFOX)
  await shop.db
    .updateTable('session')
    .set({ updatedAt: new Date(Date.UTC(2026, 1, 3, 15, 5)) })
    .where('userAgent', '=', IPHONE)
    .where('userId', '=', id)
    .execute()

  const html = await desk.page('/account/')

  const lines = linesOf(html)
  expect(lines.map(({ name, isThis }) => [name, isThis])).toEqual([
    ['Firefox on Linux', true],
    ['Unknown browser', false],
    ['Safari on iPhone', false],
  ])
  expect(lines.map((line) => line.id === undefined)).toEqual([true, false, false])
  expect(devicesOf(html).getByText('Last seen February 03, 2026, 3:05 PM')).toBeTruthy()
  expect(html).not.toContain(
    (await shop.db.selectFrom('session').select('token').executeTakeFirstOrThrow()).token,
  )
})

test('a login ends the least recently used sessions of an account with more than 30 sessions, and the shop stores only the beginning of a long user agent [S-219]', async () => {
  const shop = await openTestShop()
  const { id } = await shop.customer()
  const stored = () =>
    shop.db.selectFrom('session').select(['id', 'userAgent']).where('userId', '=', id).execute()
  const [first] = await stored()
  await shop.db
    .updateTable('session')
    .set({ updatedAt: new Date(Date.UTC(2026, 1, 3)) })
    .execute()
  const ended: string[] = []
  shop.live.onSessionEnd((session) => ended.push(session))
  let last = await device(shop, FIREFOX)
  for (let logins = 2; logins <= 30; logins++) last = await device(shop, 'x'.repeat(10_000))
  expect(
    (await stored()).map(({ userAgent }) => userAgent!.length).toSorted((a, b) => b - a)[0],
  ).toBe(500)
  expect(ended).toEqual([first!.id])
  expect(await stored()).toHaveLength(30)
  expect(linesOf(await last.page('/account/'))).toHaveLength(30)
})

test('logging out a device ends only the session on that device, and the current session stays [S-219]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const phone = await device(shop, IPHONE)
  const desk = await device(shop, FIREFOX)
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const line = linesOf(await desk.page('/account/')).find(
    ({ name }) => name === 'Safari on iPhone',
  )!

  expect(await desk.act('/account/devices', { intent: 'one', id: line.id! })).toEqual({
    status: 200,
    text: expect.stringContaining('That device is logged out'),
  })
  expect(await isIn(phone)).toBe(false)
  expect(await isIn(desk)).toBe(true)
  expect(ended).toEqual([line.id])
  expect((await desk.act('/account/devices', { intent: 'one', id: line.id! })).text).toContain(
    'was logged out already',
  )
  const own = await shop.db
    .selectFrom('session')
    .select('id')
    .where('userAgent', '=', FIREFOX)
    .executeTakeFirstOrThrow()
  expect((await desk.act('/account/devices', { intent: 'one', id: own.id })).text).toContain(
    'was logged out already',
  )
  expect(await isIn(desk)).toBe(true)
})

test('"Log Out All Other Devices" asks for a confirmation, and ends only sessions of the user who clicks it [S-219]', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const ben = await shop.customer('ben@mail.test')
  const phone = await device(shop, IPHONE)
  const desk = await device(shop, FIREFOX)
  expect((await desk.act('/account/devices', { intent: 'others' })).status).toBe(400)
  expect(await isIn(phone)).toBe(true)

  const answer = await desk.act('/account/devices', { intent: 'others', confirm: 'Yes' })

  expect(answer.text).toContain('2 other devices are logged out')
  expect(await isIn(phone)).toBe(false)
  expect(await isIn(desk)).toBe(true)
  expect(await isIn(ben)).toBe(true)
  expect(linesOf(await desk.page('/account/'))).toHaveLength(1)
  expect((await desk.act('/account/devices', { intent: 'others', confirm: 'Yes' })).text).toContain(
    'No other device is logged in',
  )
})

test.each([
  [IPHONE, 'Safari on iPhone', true],
  [IPAD, 'Safari on iPad', true],
  [FIREFOX, 'Firefox on Linux', false],
  [MAC, 'Safari on Mac', false],
  [null, 'Unknown browser', false],
  ['', 'Unknown browser', false],
  ['curl/8', 'Unknown browser', false],
  ['<script>alert(1)</script>', 'Unknown browser', false],
])('the list of devices describes the user agent %s as "%s" [S-219]', (agent, name, isHandheld) => {
  expect(describeDevice(agent)).toEqual({ name, isHandheld })
})
