import { expect, test } from 'vitest'
import { answerWith, like, seenBy } from '#test/guest-moves.ts'
import { openTestProvider, type ProviderPerson } from '#test/open-provider.ts'
import { openTestShop, ORIGIN, type TestShop } from '#test/open-test-shop.ts'
import { addCategory, addItem } from '#test/sample-catalogue.ts'
import { goingTo, signInWith, visitProvider } from '#test/visit-provider.ts'

const gina: ProviderPerson = { sub: 'g-1', email: 'Gina@mail.test', email_verified: true, name: 'Gina Google' }
const link = { purpose: 'link' }

async function openWithGuest(people: Record<string, ProviderPerson> = { gina }) {
  const provider = await openTestProvider({ people, redirects: [`${ORIGIN}/login/google/back`] })
  const shop = await openTestShop({ providers: { list: [provider.settings], origin: ORIGIN } })
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls')
  const guest = await shop.guest()
  await like(guest, 'moon')
  return { shop, guest }
}
const whoLikes = async ({ db }: TestShop) => (await db.selectFrom('favourites').select('userId').execute()).map(({ userId }) => userId)

test('S-002 LOGIN-13 a guest keeps everything with a new Google account, in place, also by a popup', async () => {
  const { shop, guest } = await openWithGuest()
  expect(await guest.page('/link-guest/')).toContain('Log In with Google')

  const back = await signInWith(guest, 'gina', { ...link, popup: 'one' })

  expect(await back.text()).toContain('{"ok":true,"to":"/"}')
  const html = await guest.page('/')
  expect([html.includes('Hello, Gina<'), html.includes('Your account is kept. Welcome!')]).toEqual([true, true])
  expect(await whoLikes(shop)).toEqual([guest.id])
  const later = shop.visitor()
  await signInWith(later, 'gina')
  expect(await later.page('/gallery/')).toContain('Hello, Gina<')
  expect(await shop.db.selectFrom('user').select('id').where('id', '!=', 'owner').execute()).toEqual([{ id: guest.id }])
})

test('S-002 with a Google account that is there already nothing moves before Yes', async () => {
  const { shop, guest } = await openWithGuest()
  const gone = shop.visitor()
  await signInWith(gone, 'gina')
  const { id } = await shop.db.selectFrom('user').select('id').where('email', '=', 'gina@mail.test').executeTakeFirstOrThrow()

  const back = await signInWith(guest, 'gina', link)

  expect(back.headers.get('location')).toBe('/link-guest/')
  expect([await whoLikes(shop), (await guest.page('/about/')).includes('Hello, Guest<')]).toEqual([[guest.id], true])
  await answerWith(guest, 'Yes', await seenBy(guest))
  expect([await whoLikes(shop), (await guest.page('/about/')).includes('Hello, Gina<')]).toEqual([[id], true])
})

test("S-002 S-018 refused consent, an unverified address and the owner's leave the guest a guest, with the text on the page of linking", async () => {
  const eve = { sub: 'g-eve', email: 'eve@mail.test', email_verified: false, name: 'Eve' }
  const sly = { sub: 'g-sly', email: 'owner@shop.test', email_verified: true, name: 'Sly' }
  const { shop, guest } = await openWithGuest({ eve, sly })
  for (const who of ['Cancel', 'eve', 'sly']) {
    const back = await signInWith(guest, who, link)
    expect([who, back.headers.get('location')]).toEqual([who, '/link-guest/'])
    const html = await guest.page('/link-guest/')
    expect([html.includes('An Error has Occured...'), html.includes('Hello, Guest<'), html.includes('name="seen"')]).toEqual([
      true,
      true,
      false,
    ])
  }
  expect(await whoLikes(shop)).toEqual([guest.id])
})

test('S-002 a guest who logged out in the other tab meanwhile, or is another one now, links nothing', async () => {
  const { shop, guest } = await openWithGuest()

  const address = await visitProvider(goingTo(await guest.post('/login/google', { ...link, popup: '' })), 'gina')
  await guest.post('/logout', { confirm: 'Yes', from: '/' })
  await guest.post('/login/', { intent: 'guest' })

  await guest.get(address)

  expect(await guest.page('/about/')).toContain('Hello, Guest<')
  expect(await shop.db.selectFrom('account').select('id').where('providerId', '=', 'google').execute()).toEqual([])
  expect(await whoLikes(shop)).toEqual([])
})
