import type { Db, Tx } from '#db/schema.ts'
import type { AppServices } from '#app/services/context.ts'
import { stockHint, type Category, type Item } from '#app/features/catalog/catalog.ts'
import { findItems } from '#app/features/catalog/gallery.server.ts'
import { parseGallerySearch, type GalleryView } from '#app/features/catalog/gallery-search.ts'
import { ITEMS_PAGE_SIZE, type ItemList, type ListPage, type ListView } from './item-list.ts'

type App = Pick<AppServices, 'db' | 'live' | 'now'>
type ListRequest = {
  view: ListView
  categories: Category[]
  current: Pick<Item, 'id' | 'categoryId'> | null
}

export async function readItemList(
  app: App,
  { view, categories, current }: ListRequest,
): Promise<ItemList> {
  const { db } = app
  const counted = await db
    .selectFrom('items')
    .select(['categoryId', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('categoryId')
    .execute()
  const counts = new Map(counted.map((row) => [row.categoryId, row.count]))
  const titles = new Map(categories.map(({ id, title }) => [id, title]))
  const isSearch = view.text.trim() !== ''
  const list: ItemList = { view, categories: [], found: null }
  for (const { id, title } of categories) {
    const count = counts.get(id) ?? 0
    const page = view.folds.get(id) ?? (current?.categoryId === id ? await pageOf(db, current) : 0)
    const isOpen = page > 0 && count > 0 && !isSearch
    list.categories.push({
      id,
      title,
      count,
      part: isOpen ? await readListPage(app, { categoryId: id }, '', page) : null,
    })
  }
  if (isSearch) list.found = await readListPage(app, 'everything', view.text, view.page, titles)
  return list
}

/** Reads one page of a category or of search results. The first item of a category is the item that was changed last. [S-130] */
async function readListPage(
  app: App,
  shown: GalleryView,
  text: string,
  page: number,
  titles?: Map<string, string>,
): Promise<ListPage> {
  const search = { ...parseGallerySearch(new URLSearchParams({ q: text })), page }
  const {
    items,
    isClose: _,
    ...part
  } = await findItems(app, {
    view: shown,
    search,
    userId: null,
    size: ITEMS_PAGE_SIZE,
    isOwner: true,
  })
  const rows = items.map(
    ({
      id,
      name,
      picture,
      priceCents,
      discount,
      colors,
      categoryId,
      state,
      isAvailable = true,
    }) => {
      const hint = stockHint({
        isAvailable,
        isLowOnStock: colors.some((color) => color.isAvailable && color.isLowOnStock),
      })
      return {
        id,
        name,
        picture,
        priceCents,
        discount,
        state,
        hint,
        category: titles?.get(categoryId) ?? null,
      }
    },
  )
  return { ...part, items: rows }
}

async function pageOf(
  db: Db | Tx,
  { id, categoryId }: Pick<Item, 'id' | 'categoryId'>,
): Promise<number> {
  const row = await db
    .selectFrom('items')
    .select(['createdAt', 'tieRank'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) return 1
  const { before } = await db
    .selectFrom('items')
    .where('categoryId', '=', categoryId)
    .where((where) =>
      where.or([
        where('createdAt', '>', row.createdAt),
        where.and([where('createdAt', '=', row.createdAt), where('tieRank', '<', row.tieRank)]),
        where.and([
          where('createdAt', '=', row.createdAt),
          where('tieRank', '=', row.tieRank),
          where('id', '<', id),
        ]),
      ]),
    )
    .select(({ fn }) => fn.countAll<number>().as('before'))
    .executeTakeFirstOrThrow()
  return Math.floor(before / ITEMS_PAGE_SIZE) + 1
}
