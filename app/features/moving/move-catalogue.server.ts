/** Categories, colours, items and the showcase of an export, into the tables. */
import type { ItemPictureTable } from '#db/tables.ts'
import { isId15, newId15 } from '#app/platform/ids.ts'
import { moveEach, type Put } from './import-rows.server.ts'
import { UNSORTED } from './moving.ts'
import { readCategory, readColor, readItem, readShowcase, type Known, type ReadItem } from './read-catalogue.ts'
import type { Report } from './report.server.ts'
import type { Spool } from './spool.server.ts'

export type There = Record<'categories' | 'colors' | 'items' | 'itemPictures' | 'showcase', ReadonlySet<string>>
export type MoveCatalogue = {
  spool: Spool
  report: Report
  put: Put
  there: There
  /** id of a kept picture by its address in the documents */
  pictureIds: ReadonlyMap<string, string>
  now: number
}

/** A place keeps its id, since addresses name it (?picture=), unless another has it. */
function freePlaceIds(there: ReadonlySet<string>) {
  const taken = new Set(there)
  return (wanted: string) => {
    const id = (isId15(wanted) || /^[\w-]{1,80}$/.test(wanted)) && !taken.has(wanted) ? wanted : newId15()
    taken.add(id)
    return id
  }
}

/** Gives the ids of the items that are in the shop afterwards. */
export async function moveCatalogue({ spool, report, put, there, pictureIds, now }: MoveCatalogue): Promise<ReadonlySet<string>> {
  const tables = { category: there.categories, colors: there.colors, items: there.items }
  const known: Known = {
    has: (collection, id) => tables[collection].has(id) || spool.has(collection, id),
    picture: (url) => pictureIds.get(url) ?? null,
    placeId: freePlaceIds(there.itemPictures),
    now,
  }
  await moveEach(spool, report, {
    collection: 'category',
    there: there.categories,
    read: (document, note, place) => readCategory(document, note, known, there.categories.size + place),
    put: (rows) => put('categories', rows),
  })
  await moveEach(spool, report, {
    collection: 'colors',
    there: there.colors,
    read: (document, note) => readColor(document, note, known),
    put: (rows) => put('colors', rows),
  })
  const itemIds = new Set(there.items)
  let isUnsortedMade = known.has('category', UNSORTED.id)
  await moveEach<ReadItem>(spool, report, {
    collection: 'items',
    there: there.items,
    read: (document, note) => readItem(document, note, known),
    async put(read) {
      if (!isUnsortedMade && read.some(({ row }) => row.categoryId === UNSORTED.id)) {
        isUnsortedMade = true
        const position = there.categories.size + spool.count('category')
        await put('categories', [{ ...UNSORTED, pictureId: null, position, createdAt: now, firstCreatedAt: now }])
        report.find({
          where: `category/${UNSORTED.id}`,
          field: '',
          what: 'items of no known category',
          done: `the category “${UNSORTED.title}” was made for them`,
        })
      }
      for (const { row } of read) itemIds.add(row.id)
      await put(
        'items',
        read.map(({ row }) => row),
      )
      const images = read.flatMap((item) => item.images)
      await put(
        'itemPictures',
        images.map(({ id, itemId, pictureId, position, isAvailable }): ItemPictureTable => ({
          id,
          itemId,
          pictureId,
          position,
          isAvailable,
        })),
      )
      await put(
        'itemPictureColors',
        images.flatMap(({ id, colorIds }) => colorIds.map((colorId) => ({ itemPictureId: id, colorId }))),
      )
    },
  })
  await moveEach(spool, report, {
    collection: 'showcase',
    there: there.showcase,
    read: (document, note, place) => readShowcase(document, note, known, there.showcase.size + place),
    put: (rows) => put('showcase', rows),
  })
  return itemIds
}
