/** Exports the data of the demo shop from the JSON files in this folder. Prices are in cents. Times are relative to the start of the shop, so that the data never looks old. */
import type { ItemKind } from '#db/schema.ts'
import type { OfferState, QueueStep } from '#db/schema-agreements.ts'
import catalog from './catalog.json' with { type: 'json' }
import people from './people.json' with { type: 'json' }

/** `value` is in hundredths of a percent for 'percent' (1000 is 10 %), and in cents for 'amount' (250 is $2.50). */
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
  /** a list of color ids for each image, in the order of the images */
  images: string[][]
}

/** `id` identifies the customer in other demo data and in the path of the photo. The customer's account has another id. */
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

/** An open offer is valid for `openDays` after the start of the demo shop, and any other offer for `validDays` after its message. `readyInDays` is negative for a past day. */
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
  /** the code of a credit that the customer uses in this offer */
  creditCode?: string
  /** the step of each line of an accepted offer */
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

/** A buyer without `customerId` has no account. A buyer without an email address has bought in person. `daysAgo` may be a fraction. */
type DemoReceipt = {
  tag: string
  daysAgo: number
  buyer: { customerId: string } | { name: string; email?: string }
  lines: { itemId: string; salePriceCents: number }[]
}

export const { categories, showcase } = catalog
export const colors = catalog.colors as DemoColor[]
/** The items are sorted as in the gallery: the first item of each category, then the second item of each category, and so on. */
export const items = catalog.items as DemoItem[]
export const customers = people.customers as DemoCustomer[]
export const receipts = people.receipts as DemoReceipt[]
export const { testimonials } = people

/** Returns the path of a stored image without its extension. */
export const itemImage = (item: DemoItem, index: number) =>
  `items/${item.categoryId}/${item.id}-${index + 1}`
export const photo = (id: string) => `people/${id}`

const soldOut = new Set(colors.filter((color) => !color.isAvailable).map((color) => color.id))
/** Returns false if one of the image's colors is sold out. */
export const isAvailable = (colorIds: readonly string[]) => !colorIds.some((id) => soldOut.has(id))
