/** Role × route × method, over the built route table: who gets what is told by access-table.ts, and a route without a line there fails. */
import { expect, test } from 'vitest'
import { outcomeOf, type Outcome } from './access-outcome.ts'
import { accessTable, outcomeFor, type Cell, type Line } from './access-table.ts'
import { listAllRows, type AllRows } from './all-rows.ts'
import { ORIGIN } from './open-test-shop.ts'
import { ANN, openRoleShop, roles, type Role, type RoleShop } from './role-shop.ts'
import { dataOf, fill, walkedRoutes } from './routes.ts'

const rows = 'ROLES-01 ROLES-02 ROLES-03 ROLES-04 ROLES-05 ROLES-06 ROLES-07 ROLES-08 ROLES-10 ROLES-12 ROLES-13 ROLES-14 ROLES-15 ROLES-16'

/** Each route with its line, at its address in this shop. */
const linesIn = ({ of }: RoleShop) =>
  walkedRoutes.map(({ id, path }) => {
    const named = (text: string) => text.replaceAll('{ann}', of.ann).replaceAll('{picture}', of.picture)
    const { at = fill(path, 'x'), form = {}, look, send }: Line = accessTable[id]!
    const filled = Object.fromEntries(Object.entries(form).map(([name, value]) => [name, named(value)]))
    const [address = '', query = ''] = named(at).split('?')
    const one = `_routes=${encodeURIComponent(id)}`
    return { id, look, send, form: filled, page: named(at), data: `${dataOf(address)}?${query && `${query}&`}${one}` }
  })

/** What the table says against what came, both with the route's name, so that one failure shows them all. */
type Seen = Record<string, Record<Role, Outcome>>
const wanted = (lines: { id: string }[], cellOf: (id: string) => Cell): Seen =>
  Object.fromEntries(
    lines.map(({ id }) => [id, Object.fromEntries(roles.map((role) => [role, outcomeFor(cellOf(id), role)])) as Record<Role, Outcome>]),
  )

/** As data, what is shown is shown in the router's own way. */
const asData = (outcome: Outcome): Outcome => (outcome === 'file' ? 'page' : outcome)
/** Whom an action lets in it may still refuse for what was sent; as data there is no page to be led away from. */
const alike: Partial<Record<Outcome, Outcome[]>> = {
  taken: ['taken', 'refused', 'missing', 'home'],
  no: ['no', 'home'],
  login: ['login', 'refused'],
}
const mayReadAnn = (role: Role) => role === 'ann' || role === 'owner'

test('every route has a line in the table of who gets what, and no line is left of a route that has gone', () => {
  expect(Object.keys(accessTable).toSorted()).toEqual(walkedRoutes.map(({ id }) => id).toSorted())
})

test(`${rows} each role sees what the table says: as a page, as data, by HEAD; looking changes nothing, and tells nobody of Ann`, async () => {
  const world = await openRoleShop()
  const lines = linesIn(world)
  const before = withoutSessions(await listAllRows(world.shop.db))
  const seen: Seen = {}
  const seenAsData: Seen = {}
  const statusOf = new Map<string, number>()
  for (const { id, page, data } of lines)
    for (const role of roles) {
      const someone = world.people[role]
      const response = await someone.get(page)
      statusOf.set(`${role} ${page}`, response.status)
      const looked = await outcomeOf(response)
      const read = await outcomeOf(await someone.get(data))
      ;(seen[id] ??= {} as Seen[string])[role] = looked.outcome
      ;(seenAsData[id] ??= {} as Seen[string])[role] = asData(read.outcome)
      if (!mayReadAnn(role))
        for (const { text } of [looked, read])
          for (const secret of [ANN.email, ANN.message, world.of.picture])
            expect(text.includes(secret), `${role} ${page} ${secret}`).toBe(false)
    }
  expect(seen).toEqual(wanted(lines, (id) => accessTable[id]!.look))
  const data = wanted(lines, (id) => accessTable[id]!.look)
  for (const line of Object.values(data)) for (const role of roles) line[role] = asData(line[role])
  expect(seenAsData).toEqual(data)
  for (const { page } of lines)
    for (const role of ['visitor', 'owner'] as const) {
      const head = await world.people[role].send(page, { method: 'HEAD' })
      expect([page, head.status, await head.text()]).toEqual([page, statusOf.get(`${role} ${page}`), ''])
    }
  expect(withoutSessions(await listAllRows(world.shop.db))).toEqual(before)
})

test(`${rows} each role may send what the table says, and whoever is not Ann or the owner changes nothing that is not their own`, async () => {
  const world = await openRoleShop()
  const { shop, people } = world
  const lines = linesIn(world)
  const ids = await shop.db.selectFrom('user').select(['id', 'email', 'isAnonymous']).execute()
  const theirs = ids.filter(({ isAnonymous, email }) => isAnonymous || email === 'bea@mail.test').flatMap(({ id, email }) => [id, email])
  const ofOthers = (all: AllRows) =>
    Object.fromEntries(
      Object.entries(withoutSessions(all)).map(([name, list]) => [
        name,
        list.filter((row) => !theirs.some((id) => JSON.stringify(row).includes(id))),
      ]),
    )
  const before = ofOthers(await listAllRows(shop.db))
  const hostile = { id: 'moon', itemId: 'moon', orderId: world.of.ann, confirm: 'Yes', userId: world.of.ann, role: 'admin' }
  const outsiders = ['visitor', 'guest', 'bea'] as const
  const seen: Seen = {}
  // Signing out comes last of all: it ends what the others need.
  for (const { id, page, data, form, send } of lines.filter((line) => line.id !== 'routes/account/logout'))
    for (const role of outsiders) {
      ;(seen[id] ??= {} as Seen[string])[role] = (await outcomeOf(await people[role].post(page, form), true)).outcome
      if (id === 'routes/account/login') continue
      for (const [intent, address] of [
        ['delete', page],
        ['remove', data],
      ] as const) {
        const { outcome } = await outcomeOf(await people[role].post(address, { ...hostile, intent }), true)
        const allowed = outcomeFor(send, role)
        const fine = alike[allowed] ?? [allowed]
        expect(fine, `${role} ${intent} ${address}`).toContain(outcome)
      }
    }
  expect(ofOthers(await listAllRows(shop.db))).toEqual(before)
  for (const { id, page, form } of lines.filter((line) => line.id !== 'routes/account/logout'))
    for (const role of ['ann', 'owner'] as const) seen[id]![role] = (await outcomeOf(await people[role].post(page, form), true)).outcome
  const table = wanted(lines, (id) => accessTable[id]!.send)
  delete table['routes/account/logout']
  expect(seen).toEqual(table)
})

test('no role, and nobody at all, sends anything from another site or from nowhere, and no other method is taken', async () => {
  const world = await openRoleShop()
  const before = withoutSessions(await listAllRows(world.shop.db))
  for (const { page, data, form } of linesIn(world)) {
    for (const address of [page, data])
      for (const role of ['visitor', 'ann', 'owner'] as const)
        for (const headers of [{ origin: 'https://evil.test' }, { origin: 'null' }, {}] as Record<string, string>[]) {
          const body = new URLSearchParams({ ...form, confirm: 'Yes' })
          const { status } = await world.people[role].send(address, { method: 'POST', body, headers })
          expect([address, role, status]).toEqual([address, role, 403])
        }
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
      for (const role of ['visitor', 'owner'] as const) {
        const response = await world.people[role].send(page, { method, headers: { origin: ORIGIN } })
        expect([page, method, response.status, response.headers.get('allow')]).toEqual([page, method, 405, 'GET, HEAD, POST'])
      }
  }
  expect(withoutSessions(await listAllRows(world.shop.db))).toEqual(before)
})

test('S-001 the cookie of a session that has ended is worth as much as none, on every address', async () => {
  const world = await openRoleShop()
  const { shop, people } = world
  const old = new Map([...people.ann.cookies].filter(([name]) => name !== 'known'))
  await people.ann.post('/logout', {})
  const ghost = shop.visitor()
  for (const { id, page, form, look, send } of linesIn(world)) {
    if (id === 'routes/account/logout') continue
    if (outcomeFor(look, 'ann') === outcomeFor(look, 'visitor') && outcomeFor(send, 'ann') === outcomeFor(send, 'visitor')) continue
    for (const [name, value] of old) ghost.cookies.set(name, value)
    const looked = await outcomeOf(await ghost.get(page))
    for (const [name, value] of old) ghost.cookies.set(name, value)
    const sent = await outcomeOf(await ghost.post(page, form), true)
    expect([id, looked.outcome, sent.outcome]).toEqual([id, outcomeFor(look, 'visitor'), outcomeFor(send, 'visitor')])
  }
})

/** A session is renewed by looking; a letter leaves when it may. */
function withoutSessions(all: AllRows): AllRows {
  return { ...all, session: [], outbox: (all.outbox ?? []).map(({ id, toAddress }) => ({ id, toAddress })) }
}
