/** Return addresses and doubled fields: what leads people away from the shop, or lets two readers read two things. */
import { expect, test } from 'vitest'
import { openTestShop, ORIGIN } from './open-test-shop.ts'
import type { Person } from './person.ts'

const away = [
  'https://evil.test/',
  '//evil.test/',
  '/\\evil.test/',
  '\\\\evil.test/',
  '/\t/evil.test/',
  '/\n/evil.test/',
  '\t//evil.test/',
  ' //evil.test/',
  '/.//evil.test/',
  '/..//evil.test/',
  '/a/..//evil.test/',
  '/./\\evil.test/',
  '/%2f%2fevil.test/',
  '/%5cevil.test/',
  'https:evil.test',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://shop.test@evil.test/',
  '//shop.test@evil.test/',
  'https://shop.test.evil.test/',
  '/。/evil。test/',
  '//evil。test/',
  '/\r\nLocation: https://evil.test/',
]

/** Where a browser on the shop's login page would go. */
const originOf = (location: string | null) => new URL(location ?? '/', `${ORIGIN}/login/`).origin

test('S-017 no return address leads out of the shop, by whichever field, with script or without', async () => {
  const shop = await openTestShop()
  const [ann, guest] = [await shop.customer(), await shop.guest()]
  for (const to of away) {
    const query = encodeURIComponent(to)
    const answers = [
      await ann.post('/theme', { theme: 'light', back: to }),
      await ann.post('/account/name', { name: 'Ann', back: to }),
      await shop.visitor().post('/logout', { from: to }),
      await ann.get(`/login/?messages=${query}&from=${query}&next=${query}`),
      await shop.visitor().get(`/login/google/back?state=${query}&error=${query}`),
      await guest.post(`/link-guest/?from=${query}`, { intent: 'leave', from: to }),
    ]
    for (const { headers } of answers) expect([to, originOf(headers.get('location'))]).toEqual([to, ORIGIN])
    expect([to, answers.map(({ headers }) => headers.get('refresh')).join('')]).toEqual([to, ''])
    const told = [(await ann.act('/theme', { theme: 'light', back: to })).text, (await shop.visitor().act('/logout', { from: to })).text]
    for (const text of told) {
      const location = /"redirect","([^"]*)"/.exec(text)?.[1] ?? '/'
      expect([to, originOf(location)]).toEqual([to, ORIGIN])
    }
    for (const html of [
      await guest.page(`/link-guest/?from=${query}`),
      await shop.visitor().page(`/login/?from=${query}&messages=${query}`),
    ])
      for (const [, address] of html.matchAll(/(?:href|action)="([^"]*)"/g))
        expect([to, originOf(address!.replaceAll('&amp;', '&'))]).toEqual([to, ORIGIN])
  }
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('a field that comes twice counts once, the first one, and what stands in the address is no field', async () => {
  const shop = await openTestShop()
  const [ann, bea] = [await shop.customer('ann@mail.test'), await shop.customer('bea@mail.test')]
  const send = (path: string, body: string, who: Person = ann) =>
    who.send(path, { method: 'POST', body, headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' } })
  const names = async () =>
    (await shop.db.selectFrom('user').select(['id', 'name']).where('name', 'in', ['One', 'Two', 'Three']).execute()).map(({ id, name }) => [
      id === ann.id,
      name,
    ])
  await send(`/account/name?name=Two&userId=${bea.id}`, `name=One&name=Three&name[]=Two&id=${bea.id}`)
  expect(await names()).toEqual([[true, 'One']])

  // Asked for by the address, not by the form: nothing of it is done.
  await send('/account/devices?intent=others&confirm=Yes', '')
  await send('/account/devices?confirm=Yes', 'intent=others&confirm=No&confirm=Yes')
  await send('/account/photo?intent=remove', 'x=1')
  expect((await ann.get('/account/')).status).toBe(200)
  expect((await send('/account/delete?password=a-good-password', 'back=/account/')).headers.get('location')).toBe('/account/')
  expect((await send('/account/delete', 'password=wrong-password&password=a-good-password&back=/account/')).headers.get('location')).toBe(
    '/account/',
  )
  const guest = await shop.guest()
  expect((await send('/logout?confirm=Yes', 'back=/', guest)).status).toBe(303)
  expect((await send('/logout', 'confirm=No&confirm=Yes&back=/', guest)).status).toBe(303)
  const users = await shop.db.selectFrom('user').select('id').execute()
  expect(users.map(({ id }) => id).toSorted()).toEqual(['owner', ann.id, bea.id, guest.id].toSorted())

  // Whose password is asked for, and whose tries are counted, is one and the same address.
  const twice = shop.visitor()
  await send('/login/', 'intent=login&email=ann@mail.test&email=bea@mail.test&password=wrong-password&password=a-good-password', twice)
  expect(twice.cookies.has('shop.session_token')).toBe(false)
  await send('/login/?intent=guest', 'intent=login&intent=guest&email=nobody@mail.test&password=wrong-password', twice)
  expect(twice.cookies.has('shop.session_token')).toBe(false)
})
