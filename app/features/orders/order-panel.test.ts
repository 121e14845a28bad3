import { expect, test } from 'vitest'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openShopWithOffers } from '#test/fixtures/offers.ts'

test('the order panel shows the prices of a line for all of its pieces, and says once how the owner can remove agreed pieces [AGREE-31, AGREE-123]', async () => {
  const { owner, ann, send, customerAct } = await openShopWithOffers()
  const panel = async () => owner.page(`/manage/messages/${ann.id}?view=order`)
  expect(await panel()).not.toContain('To remove a piece')
  const sizes = {
    itemId: ['moon', ''],
    include: 'moon',
    name: ['Moon wall', 'Tag'],
    price: ['80', '5.50'],
    quantity: ['3', '1'],
  }
  await customerAct('accept', await send({ ...sizes, color: ['', ''], notes: ['', ''] }))
  const html = await panel()
  expect(wordsOf(html)).toMatch(
    /3 × Moon wall All 3 together: Original price \$267\.00 · accepted by the customer: \$240\.00 .*Sale price of all 3 .* Tag Original price \$5\.50/,
  )
  const price = pageOf(html).getByRole('textbox', { name: 'Sale price of all 3' })
  expect(price.getAttribute('placeholder')).toBe('$267.00')
  expect(wordsOf(html).match(/To remove a piece/g)).toHaveLength(1)
})

test('a piece without a picture has an icon in the order panel, in the conversation and in "Your orders" [AGREE-124]', async () => {
  const { db, owner, ann, send, customerAct } = await openShopWithOffers()
  await customerAct('accept', await send())
  await db.deleteFrom('itemImages').execute()
  for (const html of [
    await owner.page(`/manage/messages/${ann.id}?view=order`),
    await ann.page('/?messages='),
    await ann.page('/account/orders/'),
  ]) {
    const rows = pageOf(html)
      .getAllByText('Moon wall')
      .map((name) => name.closest('li'))
    expect(rows.filter((row) => row?.querySelector('svg [href$="#image"]'))).not.toEqual([])
  }
})
