/** What the gallery's page shows of a search: fields as typed, filters that can be taken away, pages. Made on the server, so that browsers need not know how. */
import { formatMoney } from '#app/features/money/money.ts'
import { colorName } from './catalog.ts'
import {
  galleryAddress,
  isUnreadablePrice,
  pageNumbers,
  priceRange,
  searchParams,
  searchWords,
  type GallerySearch,
  type GalleryView,
  type Sort,
} from './gallery-search.ts'

export type FilterColor = { id: string; name: string; placeholder: string | null }

const sortNames: Record<Sort, string> = {
  newest: 'Newest first',
  'price-up': 'Price: low to high',
  'price-down': 'Price: high to low',
  name: 'Name: A to Z',
}

/** The order that comes by itself has a name of its own where it is not the newest first. */
function sortOptions(view: GalleryView, search: GallerySearch): { value: string; label: string }[] {
  const all = Object.entries(sortNames).map(([value, label]) => ({ value, label }))
  if (searchWords(search).length > 0) return [{ value: '', label: 'Best match' }, ...all]
  if (view === 'favourites') return [{ value: '', label: 'Last favorite first' }, ...all]
  return all.map((option) => (option.value === 'newest' ? { ...option, value: '' } : option))
}

function priceName(search: GallerySearch): string | null {
  const { min, max } = priceRange(search)
  if (min === null) return max === null ? null : `Up to ${formatMoney(max)}`
  return max === null ? `From ${formatMoney(min)}` : `${formatMoney(min)} – ${formatMoney(max)}`
}

/** Each filter with the address of the same view without it. */
function chips(view: GalleryView, search: GallerySearch, colors: FilterColor[]): { label: string; href: string }[] {
  const without = (label: string, changed: Partial<GallerySearch>) => ({ label, href: galleryAddress(view, search, changed) })
  const price = priceName(search)
  return [
    ...(searchWords(search).length > 0 ? [without(`“${search.text.trim()}”`, { text: '' })] : []),
    ...(price === null ? [] : [without(price, { from: '', to: '' })]),
    ...colors
      .filter(({ id }) => search.colorIds.includes(id))
      .map((color) => without(colorName(color), { colorIds: search.colorIds.filter((id) => id !== color.id) })),
    ...(search.isOnSale ? [without('On sale', { isOnSale: false })] : []),
    ...(search.isAvailable ? [without('Available', { isAvailable: false })] : []),
  ]
}

export type GalleryLinks = ReturnType<typeof galleryLinks>

type About = { view: GalleryView; search: GallerySearch; colors: FilterColor[]; page: number; lastPage: number }

export function galleryLinks({ view, search, colors, page, lastPage }: About) {
  const toPage = (number: number) => `${galleryAddress(view, search, { page: number })}#pieces`
  const query = searchParams(search).toString()
  const sorts = sortOptions(view, search)
  return {
    /** this view without any filter */
    plain: galleryAddress(view, null),
    /** the same search in everything; null where that is this view */
    everywhere: view === 'everything' ? null : galleryAddress('everything', search),
    /** what other views' addresses end in, so that a search goes along from view to view */
    query,
    isPlain: query === '',
    typed: { text: search.text, from: search.from, to: search.to },
    unreadable: { from: isUnreadablePrice(search.from), to: isUnreadablePrice(search.to) },
    colors: colors.map((color) => ({
      id: color.id,
      name: colorName(color),
      placeholder: color.placeholder,
      isChosen: search.colorIds.includes(color.id),
    })),
    isOnSale: search.isOnSale,
    isAvailable: search.isAvailable,
    sort: sorts.find(({ value }) => value === search.sort)?.value ?? '',
    sorts,
    chips: chips(view, search, colors),
    page,
    pages: lastPage > 1 ? pageNumbers(page, lastPage).map((number) => (number === null ? null : { number, href: toPage(number) })) : [],
    previous: page > 1 ? toPage(page - 1) : null,
    next: page < lastPage ? toPage(page + 1) : null,
  }
}
