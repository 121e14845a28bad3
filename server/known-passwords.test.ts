/** A public shop must not hold an account that everybody can enter: the owner's from a trial at home, or one of the demo shop. */
import { expect, test } from 'vitest'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { accountsOfEverybody } from './known-passwords.ts'

test("S-269 the owner's password of a trial and the demo shop's customers are told, one line each; others' passwords are their own", async () => {
  const { shop, customer } = await openTestShop()
  const lines = () => accountsOfEverybody(shop.db, shop.auth)
  // An address of the demo shop is no fault by itself: its password is.
  await customer('clara@example.com')
  expect(await lines()).toEqual([])
  const { internalAdapter, password } = await shop.auth.$context
  const { id } = await customer('mateo@example.com')
  await internalAdapter.updatePassword(id, await password.hash('knots-and-love'))
  expect(await lines()).toEqual([expect.stringMatching(/^mateo@example\.com is a customer of the demo shop/)])
  await internalAdapter.updatePassword(ADMIN_ID, await password.hash('owner-password'))
  expect(await lines()).toEqual([
    expect.stringMatching(/^The owner has a password that everybody knows: npm run admin/),
    expect.any(String),
  ])
})
