import { expect, test } from 'vitest'
import { addCategory, addItem } from '#test/fixtures/catalog.ts'
import { pageOf, within, wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { saveSettings } from '#settings/settings.server.ts'
import { addInches } from './item-notes.server.ts'

async function openShopWithTote() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'bags')
  await addItem(shop.db, 'tote', 'bags', { name: 'Tote', width: '30 cm', size: '30 x 40 cm' })
  return shop
}

test('an item page shows the owner’s notes about lead time, place of shipping and returns [OWN-94]', async () => {
  const shop = await openShopWithTote()
  const empty = await shop.visitor().page('/item/tote')
  expect(empty).not.toMatch(/Ships from|Returns| · /)

  await saveSettings(shop.db, { shipsFrom: 'Lisbon' }, 1)
  const page = pageOf(await shop.visitor().page('/item/tote'))
  const fact = within(page.getByRole('main')).getByText('Ships from Lisbon')
  expect(fact.parentElement!.textContent).toBe('Ships from Lisbon ')
  await saveSettings(shop.db, { leadTime: 'Made in 2 weeks', returns: 'No returns' }, 1)
  expect(wordsOf(await shop.visitor().page('/item/tote'))).toContain(
    'Made in 2 weeks · Ships from Lisbon · No returns',
  )
})

test('when the owner turns on inches, an item page shows each size in centimeters and inches [OWN-95]', async () => {
  const shop = await openShopWithTote()
  expect(await shop.visitor().page('/item/tote')).not.toContain(' in)')
  await saveSettings(shop.db, { sizeUnits: 'inches' }, 1)
  const html = await shop.visitor().page('/item/tote')
  expect(html).toContain('30 cm (11.8 in)')
  expect(html).toContain('30 x 40 cm (11.8 x 15.7 in)')
})

test.for([
  ['1,5cm', '1,5cm (0.6 in)'],
  ['30 to 45 cm wide, 2.54 CM thick', '30 to 45 cm (11.8 to 17.7 in) wide, 2.54 CM (1 in) thick'],
  ['Ø 20–25 cm', 'Ø 20–25 cm (7.9–9.8 in)'],
  ['30 cm (12")', '30 cm (12")'],
  ['30 cm / 12 in', '30 cm / 12 in'],
  ['one size, 40 mm', 'one size, 40 mm'],
  ['', ''],
])('the size %j is shown as %j [OWN-95]', ([typed, shown]) => {
  expect(addInches(typed!)).toBe(shown)
})

test('the printed item page begins with the name and the contact data of the shop [OWN-98]', async () => {
  const shop = await openShopWithTote()
  const imprint = async () =>
    pageOf(await shop.visitor().page('/item/tote')).getByText(/^Knots & Love/, {
      selector: 'main > p',
    }).textContent
  expect(await imprint()).toBe('Knots & Love')
  await saveSettings(shop.db, { city: 'Lisbon', email: 'ida@example.com', phone: '1234567890' }, 1)
  expect(await imprint()).toBe('Knots & Love · Lisbon · ida@example.com · 1234567890')
  await saveSettings(shop.db, { address: 'Rua Nova 1\nPorto' }, 1)
  expect(await imprint()).toContain(' · Rua Nova 1 · Porto · ida')
})

test('an item page does not repeat its own item among the favorites and the most ordered items [OWN-96]', async () => {
  const shop = await openShopWithTote()
  await addItem(shop.db, 'net', 'bags', { name: 'Net' })
  const ann = await shop.customer()
  for (const id of ['tote', 'net']) {
    await ann.act('/favourite', { itemId: id, wanted: 'yes' })
    await ann.act('/order-request', {
      itemId: id,
      message: 'Please',
      messageId: `abcdefghijklm${id.slice(0, 2)}`,
    })
  }
  const cards = async (path: string) =>
    pageOf(await ann.page(path))
      .getAllByRole('article')
      .map((card) => within(card).getByRole('link').getAttribute('href'))
  expect(await cards('/item/tote')).toEqual(['/item/net', '/item/net'])
  expect(await cards('/item/net')).toEqual(['/item/tote', '/item/tote'])
})
