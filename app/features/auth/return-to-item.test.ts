import { expect, test } from 'vitest'
import { hrefsIn, pageOf, within } from '#test/fixtures/html.ts'
import { emailTo } from '#test/fixtures/accounts.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { itemPageBefore } from './redirects.ts'

const credentials = { email: 'ann@mail.test', password: 'a-good-password' }
const PIECE = '/item/moon?color=sage'
const LOGIN = `/login/?from=${encodeURIComponent(PIECE)}`

test.for(['login', 'register', 'guest'])(
  'after a %s from an item page, the visitor returns to the item in the color that she had selected, and sees a toast [OWN-75]',
  async (intent) => {
    const shop = await openTestShop()
    await addCategory(shop.db, 'walls')
    await addItem(shop.db, 'moon', 'walls')
    if (intent === 'login') await shop.customer(credentials.email)
    const visitor = shop.visitor()

    const answer = await visitor.post(LOGIN, { intent, ...credentials })

    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(PIECE)
    expect(await visitor.page(PIECE)).toContain('You are logged in, and back at your piece.')
  },
)

test('a login from an item page leads back to the item page, and a login from any other page to the home page [OWN-75, S-017]', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const linksOn = async (path: string) =>
    hrefsIn(pageOf(await shop.visitor().page(path))).filter((href) => /^\/login\//.test(href!))
  expect(await linksOn('/item/moon?picture=1')).toEqual([
    '/login/?from=%2Fitem%2Fmoon%3Fpicture%3D1',
    '/login/?from=%2Fitem%2Fmoon&order',
  ])
  expect(await linksOn('/gallery/')).toEqual(['/login/'])
  expect(
    (await shop.visitor().post('/login/?from=%2Fgallery%2F', { intent: 'guest' })).headers.get(
      'location',
    ),
  ).toBe('/')
})

test('a login page that was opened from an item page redirects a logged-in user to the item page [OWN-75]', async () => {
  const shop = await openTestShop()
  const ann = await shop.customer(credentials.email)
  expect(
    (await shop.visitor().post(LOGIN, { intent: 'login', ...credentials, password: 'wrong' }))
      .status,
  ).toBe(401)
  expect((await ann.get(LOGIN)).headers.get('location')).toBe(PIECE)
})

test('a visitor who sets a new password returns to the item page from which she came [OWN-121]', async () => {
  const shop = await openTestShop()
  await shop.customer(credentials.email)
  const visitor = shop.visitor()
  const back = LOGIN.slice('/login/'.length)
  const linkHrefs = (html: string) =>
    hrefsIn(within(pageOf(html).getByRole('main'))).filter((href) =>
      /login|reset-password/.test(href!),
    )
  const reset = `/reset-password/${back}`
  expect(linkHrefs(await visitor.page(LOGIN))).toContain(reset)
  expect(linkHrefs(await visitor.page(reset))).toEqual([
    `/reset-password/?code=${back.replace('?', '&')}`,
    LOGIN,
  ])
  const asked = await visitor.post(reset, { intent: 'ask', email: credentials.email })
  expect(linkHrefs(await asked.text())).toEqual([reset, LOGIN])
  const { code } = await emailTo(shop, credentials.email)
  const answer = await visitor.post(`/reset-password/?code=${back.replace('?', '&')}`, {
    intent: 'choose',
    code,
    password: 'another-good-password',
  })
  expect(linkHrefs(await answer.text())).toEqual([LOGIN])
})

test('"Please Login to Order" leads to the login page, which shows a toast once [OWN-76, ITEM-35]', async () => {
  const shop = await openTestShop()
  const visitor = shop.visitor()

  const sent = await visitor.get(`${LOGIN}&order`)

  expect(sent.status).toBe(302)
  expect(sent.headers.get('location')).toBe(`${LOGIN}&ordering`)
  expect(await visitor.page(LOGIN)).toContain('Please Login to Submit an Order Request')
  expect(
    (await shop.visitor().post(`${LOGIN}&ordering`, { intent: 'guest' })).headers.get('location'),
  ).toBe(`${PIECE}#order-request`)
  expect(await visitor.page(LOGIN)).not.toContain('Please Login to Submit an Order Request')
})

test('on the login page, the button for guests is the first for a visitor who is ordering, and otherwise the last [OWN-137]', async () => {
  const shop = await openTestShop()
  const buttonsAt = async (path: string) => {
    const main = within(pageOf(await shop.visitor().page(path)).getByRole('main'))
    return main.getAllByRole('button').map(({ textContent }) => textContent)
  }
  expect((await buttonsAt(`${LOGIN}&ordering`))[0]).toBe('Log In Anonymously')
  expect((await buttonsAt(LOGIN)).at(-1)).toBe('Log In Anonymously')
})

test('a login leads back only to item pages of this shop, and closes the message panel [OWN-75]', () => {
  const pageFor = (from: string) => itemPageBefore(`?from=${encodeURIComponent(from)}`)
  expect(pageFor('/item/moon/?color=sage&messages=')).toBe('/item/moon/?color=sage')
  for (const from of [
    '',
    '/manage/',
    '//evil.test/item/moon',
    '/item/..//evil.test',
    '/item/a/b',
    '/item/',
    'https://evil.test/item/moon',
  ]) {
    expect(pageFor(from), from).toBe(null)
  }
})
