/**
 * Requests every route with every role and method. test/fixtures/access.ts contains the access
 * table with the expected outcomes.
 */
import { expect, test } from 'vitest'
import {
  accessTable,
  ANN,
  dataOf,
  fill,
  openRoleShop,
  type AccessOutcome,
  outcomeOf,
  type Role,
  roles,
  rowsIn,
  walkedRoutes,
} from '#test/fixtures/access.ts'
import { listAllRows, type AllRows } from '#test/fixtures/database.ts'
import { ORIGIN } from '#test/fixtures/test-shop.ts'

type Seen = Record<string, Record<Role, AccessOutcome>>
type Row = ReturnType<typeof rowsIn>[number]

const LOGOUT = 'routes/account/logout'
const GATE = 'routes/manage/layout'

/**
 * Returns the expected outcome of a data request. React Router answers a data request for a file as
 * it does for a page.
 */
const asData = (outcome: AccessOutcome): AccessOutcome => (outcome === 'file' ? 'page' : outcome)
/**
 * For some expected outcomes, the hostile forms may have other outcomes too. For example, an action
 * may refuse the forged fields.
 */
const alike: Partial<Record<AccessOutcome, AccessOutcome[]>> = {
  taken: ['taken', 'refused', 'missing', 'home'],
  no: ['no', 'home'],
  login: ['login', 'refused'],
}

test('the access table has a row for every route, and no row for a route that does not exist', () => {
  expect(Object.keys(accessTable).toSorted()).toEqual(walkedRoutes.map(({ id }) => id).toSorted())
})

test('a GET or HEAD shows each role what the access table says, and never shows data of another customer [ROLES-01, ROLES-02, ROLES-03, ROLES-04, ROLES-05, ROLES-06]', async () => {
  const world = await openRoleShop()
  const rows = rowsIn(world)
  const before = withoutSessions(await listAllRows(world.shop.db))
  const seen: Seen = {}
  const seenAsData: Seen = {}
  for (const { id, page, data } of rows) {
    seen[id] = {} as Seen[string]
    seenAsData[id] = {} as Seen[string]
    for (const role of roles) {
      const response = await world.people[role].get(page)
      const looked = await outcomeOf(response)
      const read = await outcomeOf(await world.people[role].get(data))
      seen[id][role] = looked.outcome
      seenAsData[id][role] = asData(read.outcome)
      if (role === 'visitor' || role === 'owner') {
        const head = await world.people[role].send(page, { method: 'HEAD' })
        expect(head.status, page).toEqual(response.status)
        expect(await head.text(), page).toBe('')
      }
      if (role === 'ann' || role === 'owner') continue
      for (const secret of [ANN.email, ANN.message, world.of.image]) {
        expect((looked.text + read.text).includes(secret), `${role} ${page} ${secret}`).toBe(false)
      }
    }
  }
  const table = (judged: (outcome: AccessOutcome) => AccessOutcome) =>
    Object.fromEntries(
      rows.map(({ id, get }) => [
        id,
        Object.fromEntries(roles.map((role) => [role, judged(get[role])])),
      ]),
    )
  expect(seen).toEqual(table((outcome) => outcome))
  expect(seenAsData).toEqual(table(asData))
  expect(withoutSessions(await listAllRows(world.shop.db))).toEqual(before)
})

test('each action accepts or refuses each role as the access table says, and never changes another user’s data [ROLES-07, ROLES-12, ROLES-13, ROLES-14, ROLES-16]', async () => {
  const world = await openRoleShop()
  const { shop, people } = world
  // Leaves out the logout, because it would end the sessions that the other requests need.
  const rows = rowsIn(world).filter(({ id }) => id !== LOGOUT)
  const users = await shop.db.selectFrom('user').select(['id', 'email', 'isAnonymous']).execute()
  const theirs = users
    .filter(({ isAnonymous, email }) => isAnonymous || email === 'bea@mail.test')
    .flatMap(({ id, email }) => [id, email])
  const isOfOthers = (row: object) => !theirs.some((id) => JSON.stringify(row).includes(id))
  const rowsOfOthers = async () =>
    Object.entries(withoutSessions(await listAllRows(shop.db))).map(([table, list]) => [
      table,
      list.filter(isOfOthers),
    ])
  const before = await rowsOfOthers()
  const hostile = {
    id: 'moon',
    itemId: 'moon',
    orderId: world.of.ann,
    confirm: 'Yes',
    userId: world.of.ann,
    role: 'owner',
  }
  const seen: Seen = {}
  const sendAs = async (role: Role, { id, page, form }: Row) =>
    ((seen[id] ??= {} as Seen[string])[role] = (
      await outcomeOf(await people[role].post(page, form), true)
    ).outcome)
  for (const row of rows) {
    for (const role of ['visitor', 'guest', 'bea'] as const) {
      await sendAs(role, row)
      if (row.id === 'routes/account/login') continue
      const allowed = alike[row.send[role]] ?? [row.send[role]]
      for (const [intent, address] of Object.entries({ delete: row.page, remove: row.data })) {
        const { outcome } = await outcomeOf(
          await people[role].post(address, { ...hostile, intent }),
          true,
        )
        expect(allowed, `${role} ${intent} ${address}`).toContain(outcome)
      }
    }
  }
  expect(await rowsOfOthers()).toEqual(before)
  for (const row of rows) for (const role of ['ann', 'owner'] as const) await sendAs(role, row)
  expect(seen).toEqual(Object.fromEntries(rows.map(({ id, send }) => [id, send])))
})

test('whatever the role, the shop refuses forms from another site and methods other than GET, HEAD and POST', async () => {
  const world = await openRoleShop()
  const before = withoutSessions(await listAllRows(world.shop.db))
  for (const { page, data, form } of rowsIn(world)) {
    for (const address of [page, data]) {
      for (const role of ['visitor', 'ann', 'owner'] as const) {
        for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }, {}] as Record<
          string,
          string
        >[]) {
          const body = new URLSearchParams({ ...form, confirm: 'Yes' })
          const { status } = await world.people[role].send(address, {
            method: 'POST',
            body,
            headers,
          })
          expect(status, `${address} ${role}`).toBe(403)
        }
      }
    }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const role of ['visitor', 'owner'] as const) {
        const response = await world.people[role].send(page, {
          method,
          headers: { origin: ORIGIN },
        })
        expect(response.status, `${page} ${method}`).toBe(405)
        expect(response.headers.get('allow'), `${page} ${method}`).toBe('GET, HEAD, POST')
      }
    }
  }
  expect(withoutSessions(await listAllRows(world.shop.db))).toEqual(before)
})

test('on every URL, a user whose session has ended gets the same response as a visitor [S-001]', async () => {
  const world = await openRoleShop()
  const { shop, people } = world
  const old = [...people.ann.cookies].filter(([name]) => name !== 'known')
  await people.ann.post('/logout', {})
  const ghost = shop.visitor()
  const withOldCookies = () => {
    for (const [name, value] of old) ghost.cookies.set(name, value)
    return ghost
  }
  for (const { id, page, form, get, send } of rowsIn(world)) {
    if (id === LOGOUT || (get.ann === get.visitor && send.ann === send.visitor)) continue
    const looked = await outcomeOf(await withOldCookies().get(page))
    const sent = await outcomeOf(await withOldCookies().post(page, form), true)
    expect(looked.outcome, id).toEqual(get.visitor)
    expect(sent.outcome, id).toEqual(send.visitor)
  }
})

/**
 * Removes the data that any request may change: a GET renews sessions, and the shop may send emails
 * at any time.
 */
function withoutSessions(all: AllRows): AllRows {
  return {
    ...all,
    session: [],
    outbox: (all.outbox ?? []).map(({ id, toAddress }) => ({ id, toAddress })),
  }
}

/**
 * Expects a redirect to the home page. The response must not contain the requested page, its data
 * or an action result.
 */
async function expectSentHome(response: Response, what: string) {
  const text = await response.text()
  expect(
    response.status === 302 || response.status === 202,
    `${what} ${response.status} ${text}`,
  ).toBe(true)
  if (response.status === 302) {
    expect(response.headers.get('location'), what).toBe('/')
    expect(text, what).toBe('')
  } else expect(text, what).toContain('"redirect",')
  expect(text.length, what).toBeLessThan(200)
}

test('every URL of the admin area, existing or not, redirects all users except the owner to the home page [NAV-05, ROLES-08, ROLES-10, ROLES-15]', async () => {
  const { people } = await openRoleShop()
  const admin = walkedRoutes.filter(({ path, id }) => path.startsWith('/manage') || id === GATE)
  expect(admin.map(({ id }) => id)).toEqual(
    walkedRoutes.flatMap(({ id }) => (id.startsWith('routes/manage/') ? id : [])),
  )
  expect(admin.length).toBeGreaterThanOrEqual(8)
  for (const { id, path } of admin) {
    // The layout of the admin area has no URL. The test requests the data of the layout from
    // /manage/ with the route id in `?_routes=`.
    const own = id === GATE ? '/manage/' : path
    const [one, data] = [encodeURIComponent(id), dataOf(fill(own, 'x'))]
    const pages = [...new Set([fill(own, 'x'), fill(own, ''), `${fill(own, 'x')}/`])]
    const queries = [
      '',
      `?_routes=${one}`,
      `?_routes=root,${one}`,
      '?_routes=',
      `?index&_routes=${one}`,
    ]
    for (const role of ['visitor', 'guest', 'bea'] as const) {
      for (const address of pages) {
        await expectSentHome(
          await people[role].send(address, { method: 'HEAD' }),
          `${role} HEAD ${address}`,
        )
      }
      for (const address of [...pages, ...queries.map((query) => data + query)]) {
        await expectSentHome(await people[role].get(address), `${role} GET ${address}`)
        const sent = await people[role].post(address, { intent: 'delete', id: 'x', confirm: 'Yes' })
        await expectSentHome(sent, `${role} POST ${address}`)
      }
    }
  }
  for (const unknown of [
    '/manage/unknown',
    '/manage/sales/1/2',
    '/MANAGE',
    '/manage//',
    '/.//manage/',
    '/%6danage/',
    '/manage/../manage/',
  ]) {
    const response = await people.bea.get(unknown)
    expect([302, 301].includes(response.status), unknown).toBe(true)
    expect(new URL(response.headers.get('location')!, ORIGIN).pathname, unknown).toBe('/')
  }
  expect((await people.owner.get('/manage/')).status).toBe(200)
  expect((await people.owner.get(`/manage.data?_routes=${encodeURIComponent(GATE)}`)).status).toBe(
    200,
  )
})
