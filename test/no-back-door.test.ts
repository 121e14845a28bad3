/** Whoever is not the owner gets nothing from the admin area, by whichever door: the route table itself is walked, not a list of ours. */
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from './open-test-shop.ts'
import { dataOf, fill, walkedRoutes } from './routes.ts'
import type { Person } from './person.ts'

const GATE = 'routes/manage/gate'
/** The gate has no address of its own; its loader is asked for by name. */
const admin = walkedRoutes
  .filter(({ path, id }) => path.startsWith('/manage') || id === GATE)
  .map((route) => ({ ...route, path: route.id === GATE ? '/manage/' : route.path }))

const strangers = {
  visitor: async (shop: TestShop): Promise<Person> => shop.visitor(),
  guest: (shop: TestShop): Promise<Person> => shop.guest(),
  customer: (shop: TestShop): Promise<Person> => shop.customer(),
}

/** Sent home, and nothing else: neither the page nor its data nor an action's answer. */
async function expectSentHome(response: Response) {
  const text = await response.text()
  expect(response.status === 302 || response.status === 202, `${response.status} ${text}`).toBe(true)
  if (response.status === 302) expect([response.headers.get('location'), text]).toEqual(['/', ''])
  else expect(text).toContain('"redirect",')
  expect(text.length).toBeLessThan(200)
}

const rows = 'NAV-05 ROLES-08 ROLES-10 ROLES-15'

test.for(admin)(`${rows} nobody but the owner gets anything from $id`, async ({ id, path }) => {
  const shop = await openTestShop()
  const one = `_routes=${encodeURIComponent(id)}`
  for (const come of Object.values(strangers)) {
    const stranger = await come(shop)
    for (const address of new Set([fill(path, 'x'), fill(path, ''), `${fill(path, 'x')}/`])) {
      await expectSentHome(await stranger.get(address))
      await expectSentHome(await stranger.send(address, { method: 'HEAD' }))
      await expectSentHome(await stranger.post(address, { intent: 'delete', id: 'x', confirm: 'Yes' }))
    }
    const data = dataOf(fill(path, 'x'))
    for (const address of [
      data,
      `${data}?${one}`,
      `${data}?_routes=root,${encodeURIComponent(id)}`,
      `${data}?_routes=`,
      `${data}?index&${one}`,
    ]) {
      await expectSentHome(await stranger.get(address))
      await expectSentHome(await stranger.post(address, { intent: 'delete', id: 'x', confirm: 'Yes' }))
    }
  }
})

test('the walk meets the admin area: its gate and its pages, all of them under /manage', () => {
  expect(admin.length).toBeGreaterThanOrEqual(8)
  expect(admin.map(({ id }) => id)).toEqual(walkedRoutes.flatMap(({ id }) => (id.startsWith('routes/manage/') ? id : [])))
})

test(`${rows} an unknown address below /manage goes home as well`, async () => {
  const shop = await openTestShop()
  const customer = await shop.customer()
  for (const address of ['/manage/unknown', '/manage/sales/1/2', '/MANAGE', '/manage//', '//manage/', '/%6danage/', '/manage/../manage/']) {
    const response = await customer.send(`${address.startsWith('//') ? '/.' : ''}${address}`)
    expect([302, 301].includes(response.status), address).toBe(true)
    expect(new URL(response.headers.get('location')!, 'http://shop.test').pathname, address).toBe('/')
  }
})

test('routes that only take forms answer a look at them safely: home, a file or 404, never an error', async () => {
  const shop = await openTestShop()
  const formsOnly = walkedRoutes.filter(({ hasPage, path }) => !hasPage && !path.startsWith('/manage'))
  expect(formsOnly.length).toBeGreaterThan(3)
  for (const { path } of formsOnly)
    for (const stranger of [shop.visitor(), await shop.guest()]) {
      const response = await stranger.get(fill(path, 'x'))
      expect([200, 302, 404].includes(response.status), `${path} ${response.status}`).toBe(true)
      if (response.status === 302) expect(response.headers.get('location')).toBe(path.startsWith('/account/') ? '/login' : '/')
    }
})

test('the owner does get in', async () => {
  const shop = await openTestShop()
  const owner = await shop.owner()
  expect((await owner.get('/manage/')).status).toBe(200)
  expect((await owner.get('/manage.data?_routes=routes%2Fmanage%2Fgate')).status).toBe(200)
})
