/** The demo shop's records, from the JSON files beside this one. Money is integer cents; times are offsets into the past, so the data never ages. */
import catalog from './catalog.json' with { type: 'json' }
import people from './people.json' with { type: 'json' }

/** `value` is in hundredths: of a percent for 'percent' (1000 = 10 %), of a dollar for 'amount' (250 = $2.50). */
export type DemoDiscount = { type: 'percent' | 'amount'; value: number }

type DemoColor = { id: string; name: string; isAvailable: boolean; isLowOnStock: boolean; discount?: DemoDiscount }

type DemoItem = {
  id: string
  name: string
  categoryId: string
  priceCents: number
  description: string
  width: string
  soleType?: string
  size: string
  discount?: DemoDiscount
  /** the color ids of each image, in the order of the images */
  images: string[][]
}

/** `id` identifies the customer in other demo data and in the path of the photo; the account gets its own id. */
export type DemoCustomer = {
  id: string
  name: string
  email: string
  password: string
  favoriteItemIds: string[]
  conversation: {
    itemIds: string[]
    soldItemIds: string[]
    isClosed: boolean
    messages: { from: 'customer' | 'owner'; text: string; minutesAgo: number; isReadByOther: boolean }[]
  }
}

/** A guest has no account; a buyer without an email address bought in person. `daysAgo` may be a fraction. */
type DemoReceipt = {
  tag: string
  daysAgo: number
  buyer: { customerId: string } | { name: string; email?: string }
  lines: { itemId: string; salePriceCents: number }[]
}

export const { categories, showcase } = catalog
export const colors = catalog.colors as DemoColor[]
/** In the order of the gallery: the first of each category, then the second of each, and so on. */
export const items = catalog.items as DemoItem[]
export const customers = people.customers as DemoCustomer[]
export const receipts = people.receipts as DemoReceipt[]
export const { testimonials } = people

/** Paths of the stored images, without the extension. */
export const itemImage = (item: DemoItem, index: number) => `items/${item.categoryId}/${item.id}-${index + 1}`
export const photo = (id: string) => `people/${id}`

const soldOut = new Set(colors.filter((color) => !color.isAvailable).map((color) => color.id))
/** An image is available unless one of its colors is not. */
export const isAvailable = (colorIds: readonly string[]) => !colorIds.some((id) => soldOut.has(id))
