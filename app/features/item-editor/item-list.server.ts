import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { AppServices } from '#services/context.ts'
import { stockHint, type Category, type Item } from '#catalog/catalog.ts'
import { countItems } from '#catalog/catalog.server.ts'
import { findItems } from '#catalog/gallery.server.ts'
import { parseGallerySearch, type GalleryView } from '#catalog/gallery-search.ts'
import { lastChangedFirst } from '#catalog/shown-items.server.ts'
import { ITEMS_PAGE_SIZE, type ListView } from './item-list.ts'

type App = Pick<AppServices, 'db' | 'live' | 'now'>
type ListRequest = {
  view: ListView
  categories: Category[]
  current: Pick<Item, 'id' | 'categoryId'> | null
}

export type ItemList = Awaited<ReturnType<typeof readItemList>>
export type ListPage = Awaited<ReturnType<typeof readListPage>>

export async function readItemList(app: App, { view, categories, current }: ListRequest) {
  const { db } = app
  const counts = await countItems(db)
  const titles = new Map(categories.map(({ id, title }) => [id, title]))
  const isSearch = view.text.trim() !== ''
  const listedCategories = []
  for (const { id, title } of categories) {
    const count = counts.get(id) ?? 0
    const page = view.folds.get(id) ?? (current?.categoryId === id ? await pageOf(db, current) : 0)
    const isOpen = page > 0 && count > 0 && !isSearch
    listedCategories.push({
      id,
      title,
      count,
      part: isOpen ? await readListPage(app, { categoryId: id }, '', page) : null,
    })
  }
  return {
    view,
    categories: listedCategories,
    searchPage: isSearch
      ? await readListPage(app, 'everything', view.text, view.page, titles)
      : null,
  }
}

async function readListPage(
  app: App,
  view: GalleryView,
  text: string,
  page: number,
  titles?: Map<string, string>,
) {
  const { items, count, ...position } = await findItems(app, {
    view,
    search: { ...parseGallerySearch(new URLSearchParams({ q: text })), page },
    userId: null,
    size: ITEMS_PAGE_SIZE,
    isOwner: true,
  })
  return {
    count,
    page: position.page,
    lastPage: position.lastPage,
    items: items.map(({ id, name, image, priceCents, discount, state, ...item }) => ({
      id,
      name,
      image,
      priceCents,
      discount,
      state,
      hint: stockHint({
        isAvailable: item.isAvailable ?? true,
        isLowOnStock: item.colors.some((color) => color.isAvailable && color.isLowOnStock),
      }),
      category: titles?.get(item.categoryId) ?? null,
    })),
  }
}

async function pageOf(db: Db, { id, categoryId }: Pick<Item, 'id' | 'categoryId'>) {
  const place = sql<number>`row_number() over (order by ${lastChangedFirst})`.as('place')
  const row = await db
    .selectFrom(
      db
        .selectFrom('items')
        .select(['id', place])
        .where('categoryId', '=', categoryId)
        .as('ranked'),
    )
    .select('place')
    .where('id', '=', id)
    .executeTakeFirst()
  return Math.ceil((row?.place ?? 1) / ITEMS_PAGE_SIZE)
}
