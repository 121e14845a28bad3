import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/open-test-shop.ts'
import type { Person } from '#test/person.ts'
import { refuseWrites } from '#test/refuse-writes.ts'
import { deviceOf } from './access.server.ts'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1'
const IPAD = IPHONE.replaceAll('iPhone', 'iPad').replace('CPU iPad OS', 'CPU OS')

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

const plain = (html: string) => html.replaceAll('<!-- -->', '')
const linesOf = (html: string) => {
  const section = /<section[^>]*id="devices"[\s\S]*?<\/section>/.exec(plain(html))![0]
  return [...section.matchAll(/<li[\s\S]*?<\/li>/g)].map(([line]) => ({
    name: /<span[^>]*>([^<]*)</.exec(line)![1],
    isThis: line.includes('This device'),
    id: /name="id" value="([^"]*)"/.exec(line)?.[1],
  }))
}
const isIn = async (who: Person) => (await who.get('/account/')).status === 200

test('S-219 every session is a line with its device, this one first and marked, without a way to end it', async () => {
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
  expect(plain(html)).toContain('Last seen February 03, 2026, 3:05 PM')
  expect(html).not.toContain((await shop.db.selectFrom('session').select('token').executeTakeFirstOrThrow()).token)
})

test('S-219 one device is logged out at once, with its live connection; the others stay', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const [phone, desk] = [await device(shop, IPHONE), await device(shop, FIREFOX)]
  const ended: string[] = []
  shop.live.onSessionEnd((id) => ended.push(id))
  const line = linesOf(await desk.page('/account/')).find(({ name }) => name === 'Safari on iPhone')!

  const done = await desk.act('/account/devices', { intent: 'one', id: line.id! })

  expect([done.status, done.text.includes('That device is logged out')]).toEqual([200, true])
  expect([await isIn(phone), await isIn(desk)]).toEqual([false, true])
  expect(ended).toEqual([line.id])
  expect((await desk.act('/account/devices', { intent: 'one', id: line.id! })).text).toContain('was logged out already')
})

test('S-219 all other devices are logged out after a Yes, and only those of hers', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const ben = await shop.customer('ben@mail.test')
  const [phone, desk] = [await device(shop, IPHONE), await device(shop, FIREFOX)]
  expect((await desk.act('/account/devices', { intent: 'others' })).status).toBe(400)
  expect(await isIn(phone)).toBe(true)

  const done = await desk.act('/account/devices', { intent: 'others', confirm: 'Yes' })

  expect(done.text).toContain('2 other devices are logged out')
  expect([await isIn(phone), await isIn(desk), await isIn(ben)]).toEqual([false, true, true])
  expect(linesOf(await desk.page('/account/'))).toHaveLength(1)
  expect((await desk.act('/account/devices', { intent: 'others', confirm: 'Yes' })).text).toContain('No other device is logged in')
})

test('S-219 nobody ends the session of another, or the one that asks', async () => {
  const shop = await openTestShop()
  const [ann, ben] = [await shop.customer(), await shop.customer('ben@mail.test')]
  for (const { id } of await shop.db.selectFrom('session').select('id').execute())
    expect((await ann.act('/account/devices', { intent: 'one', id })).text).toContain('was logged out already')
  for (const id of ['', 'x', "' or 1=1 --"]) expect((await ann.act('/account/devices', { intent: 'one', id })).status).toBe(200)
  expect([await isIn(ann), await isIn(ben)]).toEqual([true, true])
})

test('LOGIN-48 a session that cannot be ended says "Something went wrong..." and goes on', async () => {
  const shop = await openTestShop()
  await shop.customer()
  const [phone, desk] = [await device(shop, IPHONE), await device(shop, FIREFOX)]
  await refuseWrites(shop.db, shop.dialect, 'session', 'delete')

  const failed = await desk.act('/account/devices', { intent: 'others', confirm: 'Yes' })

  expect([failed.status, failed.text.includes('Something went wrong...')]).toEqual([500, true])
  expect(await isIn(phone)).toBe(true)
  expect(shop.logged.splice(0).map(({ message }) => message)).toEqual(['sessions could not be ended'])
})

test('S-219 the owner’s history tells that she logged out elsewhere', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  await shop.owner()
  await owner.act('/account/devices', { intent: 'others', confirm: 'Yes' })
  expect(await owner.page('/manage/history/')).toContain('Logged out on other devices')
})

test('S-219 devices are called what people call them, whatever a browser says of itself', () => {
  expect(deviceOf(IPHONE)).toEqual({ name: 'Safari on iPhone', isHandheld: true })
  expect(deviceOf(IPAD)).toEqual({ name: 'Safari on iPad', isHandheld: true })
  expect(deviceOf(FIREFOX)).toEqual({ name: 'Firefox on Linux', isHandheld: false })
  expect(
    deviceOf('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15').name,
  ).toBe('Safari on Mac')
  for (const odd of [null, '', ' ', 'curl/8', '<script>alert(1)</script>', 'x'.repeat(100_000)])
    expect(deviceOf(odd)).toEqual({ name: 'Unknown browser', isHandheld: false })
})
