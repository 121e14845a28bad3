import { expect, test } from 'vitest'
import { addCategory, addItem, addImage } from '#test/fixtures/catalog.ts'
import { pageOf, wordsOf } from '#test/fixtures/html.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const path = '/manage/category/'

/**
 * Opens a shop with four categories in the showcase. `walls` has a listed item, `drafts` has only a
 * draft item, `hidden` is hidden, and `empty` has no items.
 */
async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'drafts', 'hidden', 'empty'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    const imageId = await addImage(shop.db, `cover-${id}`)
    await shop.db
      .insertInto('showcase')
      .values({ id, title: id, imageId, categoryId: id, deg: position * 90, position })
      .execute()
  }
  await addItem(shop.db, 'moon', 'walls')
  await addItem(shop.db, 'sun', 'drafts', { state: 'draft' })
  await addItem(shop.db, 'star', 'hidden', { name: 'Star' })
  const owner = await shop.owner()
  expect(await owner.act(path, { intent: 'hide', id: 'hidden' })).toMatchObject({
    status: 200,
    text: expect.stringContaining('Hidden. Visitors do not see'),
  })
  const acts = async () =>
    (await shop.db.selectFrom('audit').select('act').orderBy('seq').execute()).map(({ act }) => act)
  return { ...shop, owner, visitor: shop.visitor(), acts }
}

test.each([
  {
    where: 'the list of the gallery',
    url: '/gallery/',
    shown: /href="\/gallery\/walls"/,
    unseen: /The (drafts|hidden|empty)/,
  },
  {
    where: 'the showcase',
    url: '/',
    shown: /\?category=walls/,
    unseen: /category=(drafts|hidden|empty)/,
  },
  {
    where: 'the sitemap',
    url: '/sitemap.xml',
    shown: /\/gallery\/walls/,
    unseen: /\/gallery\/(drafts|hidden|empty)/,
  },
])(
  '$where leaves out categories that are hidden or without a listed item [OWN-51]',
  async ({ url, shown, unseen }) => {
    const { visitor } = await open()
    const text = await (await visitor.get(url)).text()
    expect(text).toMatch(shown)
    expect(text).not.toMatch(unseen)
  },
)

test('visitors still see the items of a hidden category, and the owner can show the category again [OWN-51, OWN-128]', async () => {
  const { owner, visitor, acts } = await open()
  expect(await visitor.page('/gallery/')).toContain('/item/star')
  expect(wordsOf(await owner.page(path))).toMatch(
    /The drafts.*Visitors see it once it contains a piece.*The hidden.*Its pieces stay in the shop/,
  )
  expect(await owner.act(path, { intent: 'show', id: 'hidden' })).toMatchObject({
    text: expect.stringContaining('Visitors see this category again.'),
  })
  expect(await visitor.page('/gallery/')).toContain('The hidden')
  expect((await owner.act(path, { intent: 'hide', id: 'gone' })).status).toBe(404)
  expect(await acts()).toEqual(['hide-category', 'show-category'])
})

test('a hidden category has the same page as an unknown category, and item pages do not name a hidden category [OWN-118]', async () => {
  const { db, owner, visitor } = await open()
  for (const person of [visitor, owner]) {
    for (const query of ['', '?q=star', '?page=2']) {
      const shown = async (id: string) => {
        const [html] = (await person.page(`/gallery/${id}${query}`)).split('</main>')
        return html!.replaceAll(`/gallery/${id}`, '').replaceAll(/nonce="[^"]*"/g, '')
      }
      expect((await shown('hidden')) === (await shown('nowhere'))).toBe(true)
    }
  }
  expect((await visitor.get('/share/category/walls.jpg')).status).toBe(200)
  expect((await visitor.get('/share/category/hidden.jpg')).status).toBe(404)
  for (const state of ['listed', 'retired'] as const) {
    await db.updateTable('items').set({ state }).where('id', '=', 'star').execute()
    expect(await visitor.page('/item/star')).not.toMatch(/The hidden|\/gallery\/hidden/)
  }
  const link = pageOf(await visitor.page('/item/moon')).getByRole('link', { name: 'The walls' })
  expect(link.getAttribute('href')).toBe('/gallery/walls')
})

test('the owner cannot remove a category, because nobody could add it again [OWN-52]', async () => {
  const { db, owner } = await open()
  const page = pageOf(await owner.page(path))
  expect(page.queryByRole('button', { name: /remove/i })).toBe(null)
  const before = await db.selectFrom('categories').selectAll().execute()
  const answer = await owner.act(path, { intent: 'remove', id: 'empty', confirm: 'Yes' })
  expect(answer.status).toBe(400)
  expect(await db.selectFrom('categories').selectAll().execute()).toEqual(before)
})

test('the gallery shows the initial of a category without a picture, and the word “All” in the link to all items [OWN-53]', async () => {
  const { visitor } = await open()
  const page = pageOf(await visitor.page('/gallery/'))
  const initialOf = (title: string) => page.getByTitle(title).querySelector('i')!.dataset.initial
  expect(initialOf('All items')).toBe('All')
  expect(initialOf('The walls')).toBe('T')
})
