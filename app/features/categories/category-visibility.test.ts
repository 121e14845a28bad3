import { expect, test } from 'vitest'
import { addCategory, addItem, addPicture } from '#test/fixtures/catalog.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'

const path = '/manage/category/'

/** Opens a shop with four categories in the showcase. `walls` has a listed item, `drafts` has only a draft item, `hidden` is hidden, and `empty` has no items. */
async function open() {
  const shop = await openTestShop()
  for (const [position, id] of ['walls', 'drafts', 'hidden', 'empty'].entries()) {
    await addCategory(shop.db, id, { title: `The ${id}`, position })
    const pictureId = await addPicture(shop.db, `cover-${id}`)
    await shop.db
      .insertInto('showcase')
      .values({ id, title: id, pictureId, categoryId: id, deg: position * 90, position })
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
  expect(await owner.page(path)).toMatch(
    /The drafts.*Visitors see it once it contains a piece.*The hidden.*Its pieces stay in the shop/s,
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
  for (const person of [visitor, owner])
    for (const query of ['', '?q=star', '?page=2']) {
      const shown = async (id: string) => {
        const [html] = (await person.page(`/gallery/${id}${query}`)).split('</main>')
        return html!.replaceAll(`/gallery/${id}`, '').replaceAll(/nonce="[^"]*"/g, '')
      }
      expect((await shown('hidden')) === (await shown('nowhere'))).toBe(true)
    }
  expect([
    (await visitor.get('/share/category/walls.jpg')).status,
    (await visitor.get('/share/category/hidden.jpg')).status,
  ]).toEqual([200, 404])
  for (const state of ['listed', 'retired'] as const) {
    await db.updateTable('items').set({ state }).where('id', '=', 'star').execute()
    expect(await visitor.page('/item/star')).not.toMatch(/The hidden|\/gallery\/hidden/)
  }
  expect(await visitor.page('/item/moon')).toContain('href="/gallery/walls"')
})

test('the owner can remove a category without items, unless it is the last category [OWN-52, OWN-124]', async () => {
  const { db, owner, acts } = await open()
  const remove = (id: string, confirm = 'Yes') => owner.act(path, { intent: 'remove', id, confirm })
  const ids = async () =>
    (await db.selectFrom('categories').select('id').orderBy('position').execute()).map(
      ({ id }) => id,
    )
  expect(await owner.page(path)).toMatch(
    /Remove the category The empty for good\? It has no pieces\. Its picture and its circle on Home are deleted, its page \/gallery\/empty[\s\S]*“Hide” deletes nothing/,
  )
  expect(await owner.page(path)).not.toMatch(/Remove the category The (walls|drafts) for good/)
  await db
    .updateTable('categories')
    .set({ pictureId: await addPicture(db, 'banner-empty') })
    .where('id', '=', 'empty')
    .execute()

  await remove('empty', 'No')
  expect(await remove('drafts')).toMatchObject({
    status: 409,
    text: expect.stringContaining('This category contains pieces.'),
  })
  expect(await ids()).toEqual(['walls', 'drafts', 'hidden', 'empty'])

  expect(await remove('empty')).toMatchObject({
    status: 200,
    text: expect.stringContaining('Category removed'),
  })
  expect((await remove('empty')).status).toBe(404)
  expect(await ids()).toEqual(['walls', 'drafts', 'hidden'])
  expect(await db.selectFrom('showcase').select('id').where('id', '=', 'empty').execute()).toEqual(
    [],
  )
  expect(
    await db.selectFrom('pictures').select('id').where('id', 'like', '%-empty').execute(),
  ).toEqual([])

  await db.deleteFrom('items').execute()
  for (const id of ['hidden', 'drafts']) await remove(id)
  expect(await remove('walls')).toMatchObject({
    status: 409,
    text: expect.stringContaining('The last category stays'),
  })
  expect(await acts()).toEqual([
    'hide-category',
    'delete-category',
    'delete-category',
    'delete-category',
  ])
})

test('the gallery shows the initial of a category without a picture, and the word “All” in the link to all items [OWN-53]', async () => {
  const { visitor } = await open()
  const html = await visitor.page('/gallery/')
  const initials = [...html.matchAll(/<a[^>]*title="([^"]*)"[^>]*><i data-initial="([^"]*)"/g)].map(
    ([, title, initial]) => [title, initial],
  )
  expect(initials).toEqual([
    ['All items', 'All'],
    ['The walls', 'T'],
  ])
})
