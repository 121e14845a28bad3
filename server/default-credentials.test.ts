import { expect, test } from 'vitest'
import { OWNER_ID } from '#services/owner-id.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { findAccountsWithDefaultPasswords } from './passwords.ts'

test('finds the accounts of a public shop that have a trial or demo password [S-269]', async () => {
  const { shop, customer } = await openTestShop()
  const lines = () => findAccountsWithDefaultPasswords(shop.db, shop.auth)
  // An account with a demo email address is not reported if its password is different.
  await customer('clara@example.com')
  expect(await lines()).toEqual([])
  const { internalAdapter, password } = await shop.auth.$context
  const { id } = await customer('mateo@example.com')
  await internalAdapter.updatePassword(id, await password.hash('knots-and-love'))
  expect(await lines()).toEqual([
    expect.stringMatching(/^mateo@example\.com is a customer of the demo shop/),
  ])
  await internalAdapter.updatePassword(OWNER_ID, await password.hash('owner-password'))
  expect(await lines()).toEqual([
    expect.stringMatching(/^The owner has a password that everyone knows: set a new one/),
    expect.any(String),
  ])
})
