import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { ask } from '#test/fixtures/accounts.ts'
import { pageOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

test('order box and conversation tell a guest, but no customer, that the answer waits only in this browser [LOGIN-61, S-488]', async () => {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  await addItem(shop.db, 'moon', 'walls', { name: 'Moon', priceCents: 1000 })
  const guest = await shop.guest()
  const places = ['/item/moon/', '/about/?messages=']
  for (const state of ['before', 'after']) {
    if (state === 'after') await ask(guest, 'moon', 'Hello')
    for (const place of places) {
      const page = pageOf(await guest.page(place))
      expect(page.getByText(/answer waits only in this browser/), place).toBeTruthy()
      const form = page
        .getAllByRole('button', { name: 'Link Guest Account' })
        .map((button) => button.closest('form')!)
        .find((shown) => !shown.closest('[popover]'))!
      expect(form.getAttribute('action')).toBe('/link-guest/')
    }
  }
  const customer = await shop.customer()
  for (const place of places) {
    expect(await customer.page(place)).not.toContain('waits only in this browser')
  }
})
