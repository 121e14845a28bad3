import { expect, test } from 'vitest'
import { addCategory, addColor, addItem } from '#test/sample-catalogue.ts'
import { openTestShop } from '#test/open-test-shop.ts'
import { canBeHad } from './catalog.ts'
import { findItems } from './gallery.server.ts'
import { readGallerySearch } from './gallery-search.ts'
import { findItem } from './catalog.server.ts'

test('S-061 the database calls those items available that pages do', async () => {
  const { db } = await openTestShop()
  await addCategory(db, 'bags')
  await addColor(db, 'there')
  await addColor(db, 'gone', { isAvailable: 0 })
  const worn = [[], ['there'], ['gone'], ['gone', 'there']]
  const looks = worn.flatMap((colors) => [{ colors }, { colors, isAvailable: 0 as const }])
  const sets = [[], ...looks.map((look) => [look]), ...looks.map((look, at) => [look, looks[(at * 3 + 2) % looks.length]!])]
  for (const [at, pictures] of sets.entries()) await addItem(db, `item-${at}`, 'bags', { pictures })

  const find = (query: string) => findItems(db, { view: 'everything', search: readGallerySearch(new URLSearchParams(query)), userId: null })
  const all = (await find('')).items
  const had: string[] = []
  for (const { id } of all) if (canBeHad((await findItem(db, id))!)) had.push(id)

  expect(all).toHaveLength(sets.length)
  expect(all.filter(({ isAvailable }) => isAvailable).map(({ id }) => id)).toEqual(had)
  expect((await find('available=on')).items.map(({ id }) => id)).toEqual(had)
  expect([had.includes('item-0'), had.includes('item-1'), had.includes('item-5')]).toEqual([false, true, false])
})
