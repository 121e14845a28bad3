/**
 * Prices are in cents. Times are relative to the start of the shop, so that they never look old.
 */
import type { ItemKind, OfferState, QueueStep } from '#db/schema.ts'
import catalog from './catalog.json' with { type: 'json' }
import people from './people.json' with { type: 'json' }

/** `value`: hundredths of a percent, or cents. */
export type DemoDiscount = { type: 'percent' | 'amount'; value: number }

type DemoColor = {
  id: string
  name: string
  isAvailable: boolean
  isLowOnStock: boolean
  discount?: DemoDiscount
}

type DemoItem = {
  id: string
  kind?: ItemKind
  name: string
  categoryId: string
  priceCents: number
  description: string
  width: string
  soleType?: string
  size: string
  discount?: DemoDiscount
  /** color ids for each image */
  images: string[][]
}

/** `id` is also in the path of the photo; the account has another id. */
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
    messages: {
      from: 'customer' | 'owner'
      text: string
      minutesAgo: number
      isReadByOther: boolean
      offer?: DemoOffer
    }[]
  }
}

/**
 * An open offer is valid for `openDays` from the start, others for `validDays` from their message.
 */
export type DemoOffer = {
  state: OfferState
  lines: {
    itemId: string
    name: string
    color: string
    notes: string
    quantity: number
    priceCents: number
  }[]
  shippingCents: number
  isShipped?: boolean
  depositCents?: number
  readyInDays: number
  validDays?: number
  openDays?: number
  creditCode?: string
  /** of each line of an accepted offer */
  steps?: QueueStep[]
  deposit?: DemoPayment
  balance?: DemoPayment
  parcel?: {
    recipient: string
    address: string
    carrier?: string
    trackingNumber?: string
    shippedDaysAgo?: number
    arrivedDaysAgo?: number
  }
}
type DemoPayment = { daysAgo: number; method: string }

/** Without `customerId`, no account; without an email address, bought in person. */
type DemoReceipt = {
  tag: string
  daysAgo: number
  buyer: { customerId: string } | { name: string; email?: string }
  lines: { itemId: string; salePriceCents: number }[]
}

export const { categories, showcase } = catalog
export const colors = catalog.colors as DemoColor[]
/** As in the gallery: the first of each category, then the second, and so on. */
export const items = catalog.items as DemoItem[]
export const customers = people.customers as DemoCustomer[]
export const receipts = people.receipts as DemoReceipt[]
export const { testimonials } = people

export const itemImage = (item: DemoItem, index: number) =>
  `items/${item.categoryId}/${item.id}-${index + 1}`
export const photo = (id: string) => `people/${id}`

const soldOut = new Set(colors.filter((color) => !color.isAvailable).map((color) => color.id))
/** false: one of the colors is sold out. */
export const isAvailable = (colorIds: readonly string[]) => !colorIds.some((id) => soldOut.has(id))
