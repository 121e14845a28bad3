import { expect, test } from 'vitest'
import { hiddenValueOf, pageOf, wordsOf } from '#test/fixtures/html.ts'
import {
  greetingOf,
  answerWith,
  favoritesOf,
  googleAccounts,
  like,
  sameBrowser,
  seenBy,
  verifyEmail,
} from '#test/fixtures/accounts.ts'
import {
  goingTo,
  type ProviderPerson,
  signInWith,
  visitProvider,
} from '#test/fixtures/oidc-provider.ts'
import { gina, openShopWithGoogle } from '#test/fixtures/prepared-shops.ts'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'

const link = { purpose: 'link' }

async function openWithGuest(people: Record<string, ProviderPerson> = { gina }) {
  const { shop } = await openShopWithGoogle(people)
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const guest = await shop.guest()
  await like(guest, 'moon')
  return { shop, guest }
}

test('a guest who links a new Google account in a popup keeps her uid and favorites and gets a new session [S-002] [LOGIN-13] [ROLES-09]', async () => {
  const { shop, guest } = await openWithGuest()
  const page = await guest.page('/link-guest/')
  const form = pageOf(page)
    .getByRole('button', { name: /Google$/ })
    .closest('form')!
  expect(form.getAttribute('action')).toBe('/login/google')
  expect(form.querySelector('[name=purpose]')!.getAttribute('value')).toBe('link')
  const before = sameBrowser(shop, guest)

  const back = await signInWith(guest, 'gina', { ...link, popup: 'one' })

  expect(await back.text()).toContain('{"ok":true,"to":"/"}')
  const html = await guest.page('/')
  expect(wordsOf(html)).toContain('Hello, Gina')
  expect(html).toContain('Your account is saved. Welcome!')
  expect(await before.page('/about/')).toContain('Login | Register')
  expect(await favoritesOf(shop, guest.id)).toEqual(['moon'])
  await signInWith(shop.visitor(), 'gina')
  const users = await shop.db
    .selectFrom('user')
    .select(['id', 'email'])
    .where('id', '!=', 'owner')
    .execute()
  expect(users).toEqual([{ id: guest.id, email: 'gina@mail.test' }])
})

test('a guest’s data moves to the account of an existing Google user only after the guest answers "Yes" [S-002, S-212]', async () => {
  const { shop, guest } = await openWithGuest()
  await signInWith(shop.visitor(), 'gina')
  const { userId } = (await googleAccounts(shop))[0]!

  const back = await signInWith(guest, 'gina', link)

  expect(back.headers.get('location')).toBe('/link-guest/')
  expect(await favoritesOf(shop, guest.id)).toEqual(['moon'])
  expect(await greetingOf(guest)).toBe('Hello, Guest')
  await answerWith(guest, 'Yes', await seenBy(guest))
  expect(await favoritesOf(shop, userId)).toEqual(['moon'])
  expect(await greetingOf(guest)).toBe('Hello, Gina')
})

test('a guest can link the account with her Google address only if Google and the shop have verified the address [S-212]', async () => {
  const { shop, guest } = await openWithGuest()
  const account = await shop.customer('gina@mail.test')
  await signInWith(guest, 'gina', link)
  expect(await seenBy(guest)).toBe('')
  await verifyEmail(shop, account.id)
  await signInWith(guest, 'gina', link)
  expect(await seenBy(guest)).not.toBe('')
})

const failures = ['Cancel', 'an unverified address', 'the address of the owner']
test.each(failures)(
  'a guest who comes back from Google with %s stays a guest and sees an error message [S-002, S-018]',
  async (who) => {
    const { shop, guest } = await openWithGuest({
      'an unverified address': {
        sub: 'g-eve',
        email: 'eve@mail.test',
        email_verified: false,
        name: 'Eve',
      },
      'the address of the owner': {
        sub: 'g-sly',
        email: 'owner@shop.test',
        email_verified: true,
        name: 'Sly',
      },
    })

    const back = await signInWith(guest, who, link)

    expect(back.headers.get('location')).toBe('/link-guest/')
    const html = await guest.page('/link-guest/')
    expect(html).toContain('An Error has Occured...')
    expect(wordsOf(html)).toContain('Hello, Guest')
    expect(hiddenValueOf(html, 'seen')).toBeUndefined()
    expect(await favoritesOf(shop, guest.id)).toEqual(['moon'])
  },
)

test.each(['another guest', 'a customer', 'a visitor'])(
  'no data moves when %s comes back from Google [S-002]',
  async (next) => {
    const { shop, guest } = await openWithGuest()
    const address = await visitProvider(goingTo(await guest.post('/login/google', link)), 'gina')
    await guest.post('/logout', { confirm: 'Yes' })
    if (next === 'another guest') await guest.post('/login/', { intent: 'guest' })
    if (next === 'a customer') {
      await guest.post('/login/', {
        intent: 'register',
        email: 'ann@mail.test',
        password: 'a-good-password',
      })
    }

    await guest.get(address)

    expect(await googleAccounts(shop)).toEqual([])
  },
)
