import fc from 'fast-check'
import { expect, test } from 'vitest'
import { galleryAddress, pageNumbers, priceRange, readGallerySearch, searchWords, type GallerySearch } from './gallery-search.ts'

const read = (query: string) => readGallerySearch(new URLSearchParams(query))
const plain = read('')

test('GALLERY-02 what an address says about a search is read back from the address that is made of it', () => {
  const search: fc.Arbitrary<GallerySearch> = fc.record({
    text: fc.string({ unit: 'binary', maxLength: 40 }).map((text) => text.replaceAll('\0', '').trim()),
    from: fc.constantFrom('', '12', '12,50', 'abc', '-1'),
    to: fc.constantFrom('', '3', '$40'),
    colorIds: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 12 }), { maxLength: 5 }),
    isOnSale: fc.boolean(),
    isAvailable: fc.boolean(),
    sort: fc.constantFrom(null, 'newest', 'price-up', 'price-down', 'name'),
    page: fc.constant(1),
  })
  fc.assert(
    fc.property(search, fc.integer({ min: 1, max: 999 }), (wanted, page) => {
      const { searchParams } = new URL(galleryAddress('favourites', wanted, { page }), 'http://shop.test')
      expect(searchParams.has('favorites')).toBe(true)
      expect(readGallerySearch(searchParams)).toEqual({ ...wanted, page })
    }),
  )
})

test('an address without a search stays as it always was', () => {
  expect(galleryAddress('everything', plain)).toBe('/gallery/')
  expect(galleryAddress('favourites', plain)).toBe('/gallery/?favorites')
  expect(galleryAddress({ categoryId: 'bags' }, plain, { page: 1 })).toBe('/gallery/bags')
  expect(galleryAddress({ categoryId: 'a/b?' }, plain, { page: 2 })).toBe('/gallery/a%2Fb%3F?page=2')
})

test('whatever an address holds is read as some search', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('q', 'from', 'to', 'color', 'sale', 'available', 'sort', 'page'), fc.string({ unit: 'binary' }))),
      (pairs) => {
        const search = readGallerySearch(new URLSearchParams(pairs))
        expect(search.page).toBeGreaterThan(0)
        expect(search.text + search.from + search.to).not.toContain('\0')
      },
    ),
  )
  expect(['0', '-1', 'abc', '1.5', '', '1e9', '٣', '9999999'].map((page) => read(`page=${page}`).page)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  expect(read('page=99999').page).toBe(99_999)
  expect(read('sort=nonsense').sort).toBe(null)
})

test('a very long search is cut between two characters', () => {
  expect(read(`q=${'🧶'.repeat(5000)}`).text).toBe('🧶'.repeat(200))
  expect(searchWords({ text: Array.from({ length: 100 }, (_, at) => `word${at}`).join(' ') })).toHaveLength(12)
})

test('words are compared without capitals and accents, each once', () => {
  expect(searchWords({ text: '  Crème BRÛLÉE\tcreme ﬁn ' })).toEqual(['creme', 'brulee', 'fin'])
  expect(searchWords({ text: ' \u0301 ' })).toEqual([])
})

test('exchanged prices mean what lies between them; what is no price is no limit', () => {
  expect(priceRange({ from: '50', to: '$12,50' })).toEqual({ min: 1250, max: 5000 })
  expect(priceRange({ from: '-5', to: 'cheap' })).toEqual({ min: null, max: null })
  expect(priceRange({ from: '', to: '0' })).toEqual({ min: null, max: 0 })
})

test('the numbers of the pages: first, last, and those beside the current one', () => {
  expect(pageNumbers(1, 2)).toEqual([1, 2])
  expect(pageNumbers(1, 9)).toEqual([1, 2, null, 9])
  expect(pageNumbers(5, 9)).toEqual([1, null, 4, 5, 6, null, 9])
  expect(pageNumbers(3, 5)).toEqual([1, 2, 3, 4, 5])
})
