import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/fixtures/catalog.ts'
import { pageOf, within } from '#test/fixtures/html.ts'
import { openTestShop, type Person } from '#test/fixtures/test-shop.ts'
import { listOrderLines } from '#conversation/order-lines.server.ts'
import { saveSettings } from '#settings/settings.server.ts'

/** Opens a shop with an item in two colors, and two more colors, of which one is available. */
async function openShopWithColors() {
  const shop = await openTestShop()
  await addCategory(shop.db, 'walls')
  for (const id of ['sage', 'blush', 'rust']) await addColor(shop.db, id, { name: `Deep_${id}` })
  await addColor(shop.db, 'gray', { name: 'Gray', isAvailable: false })
  await addItem(shop.db, 'moon', 'walls', {
    name: 'Moon wall',
    priceCents: 8900,
    discountType: 'percent',
    discountValue: 5000,
    images: [{ colors: ['sage'] }, { colors: ['blush'] }],
  })
  const box = async (person: Person, search = '') =>
    within(
      pageOf(await person.page(`/item/moon${search}`)).getByRole('region', {
        name: 'Order Request',
      }),
    )
  return { shop, box }
}

const colorsIn = (box: ReturnType<typeof within>) =>
  within(box.getByLabelText('Color'))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

const chosenIn = (box: ReturnType<typeof within>) =>
  box.getByLabelText('Color').querySelector('[selected]')!.textContent

test('the order box shows the steps of an order, and picture, name, color and price of the piece [OWN-140]', async () => {
  const { shop, box } = await openShopWithColors()

  const shown = await box(shop.visitor(), '?color=blush')
  expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Ask for the piece. You pay nothing now.',
    'The answer is an offer with price and date.',
    'You decide whether you accept it.',
  ])
  for (const text of ['Moon wall', 'Deep blush', '$44.50']) {
    expect(shown.getByText(text)).toBeTruthy()
  }
  expect(shown.getByText('Moon wall').parentElement!.previousElementSibling!.outerHTML).toContain(
    'moon-1',
  )

  await saveSettings(shop.db, { orderSteps: 'Write to me' }, shop.now())
  shop.shop.live.changed('settings')
  expect((await box(shop.visitor())).getByRole('listitem').textContent).toBe('Write to me')
  await saveSettings(shop.db, { orderSteps: '' }, shop.now())
  shop.shop.live.changed('settings')
  expect((await box(shop.visitor())).queryByRole('list')).toBeNull()
})

test('a piece made to order comes in all available colors, those of its pictures first [AGREE-143]', async () => {
  const { shop, box } = await openShopWithColors()
  const ann = await shop.customer()
  const request = (color: string) =>
    ann.act('/order-request', { itemId: 'moon', message: '', color })
  expect(colorsIn(await box(ann))).toEqual(['No preference', 'Deep sage', 'Deep blush'])
  expect((await request('rust')).status).toBe(422)

  await shop.db.updateTable('items').set({ kind: 'made-to-order' }).execute()
  shop.shop.live.changed('catalog')

  const offered = await box(ann, '?color=rust')
  expect(colorsIn(offered)).toEqual(['No preference', 'Deep sage', 'Deep blush', 'Deep rust'])
  expect(chosenIn(offered)).toBe('Deep rust')
  expect((await request('gray')).status).toBe(422)
  expect((await request('rust')).status).toBe(200)
  expect(await listOrderLines(shop.db, ann.id)).toMatchObject([{ color: 'Deep rust' }])
})

test('in a gallery filtered by color, a card shows and links the piece in this color, and its page opens with it [AGREE-142]', async () => {
  const { shop, box } = await openShopWithColors()
  const cardIn = async (search: string) => {
    const page = pageOf(await shop.visitor().page(`/gallery/${search}`))
    const link = page.getByRole('link', { name: 'Moon wall' })
    const image = link.closest('article')!.querySelector('img')!
    return { href: link.getAttribute('href')!, image: image.getAttribute('src') }
  }

  const blush = await cardIn('?color=blush')
  expect(blush).toMatchObject({
    href: '/item/moon?color=blush',
    image: expect.stringContaining('moon-1'),
  })
  expect(await cardIn('')).toMatchObject({
    href: '/item/moon',
    image: expect.stringContaining('moon-0'),
  })
  const shown = await box(await shop.customer(), '?color=blush')
  expect(chosenIn(shown)).toBe('Deep blush')
})
