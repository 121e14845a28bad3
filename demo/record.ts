// The shapes of the demo shop's records. Money is integer cents; every time is an offset into the past, so the data never ages.

export type Kind = 'wall-hanging' | 'plant-hanger' | 'key-chain' | 'coaster' | 'bag' | 'garland' | 'dream-catcher' | 'earrings'

/** `value` is in hundredths: of a percent for 'percent' (1000 = 10 %), of a dollar for 'amount' (250 = $2.50). */
export type DemoDiscount = { type: 'percent' | 'amount'; value: number }

/** `base` and `shade` are the lit and the shaded tone the drawing program spins the cord from. */
export type DemoColor = {
  id: string
  name: string
  base: string
  shade: string
  isAvailable: boolean
  isLowOnStock: boolean
  discount?: DemoDiscount
}

export type DemoCategory = { id: string; title: string; color: string; kind: Kind }

/** What the drawing program builds; one member for each kind, so that a drawing cannot be asked of the wrong piece. */
export type Design =
  | { kind: 'wall-hanging'; pattern: 'diamonds' | 'chevron' | 'leaves' | 'net' | 'moon' | 'rainbow' | 'layers' | 'mountains' }
  | {
      kind: 'plant-hanger'
      sinnet: 'square' | 'spiral' | 'beaded'
      plant: 'pothos' | 'snake-plant' | 'pearls' | 'fern' | 'aloe'
      pot: string
      tiers: 1 | 2
    }
  | { kind: 'key-chain'; motif: 'bar' | 'spiral' | 'heart' | 'feather' | 'rainbow' | 'tassel' }
  | { kind: 'coaster'; shape: 'round' | 'scalloped' | 'square' | 'striped' | 'heart' }
  | { kind: 'bag'; body: 'net' | 'diamonds' | 'clutch' | 'bucket' | 'tote' | 'bottle' }
  | { kind: 'garland'; pendant: 'tassels' | 'leaves' | 'triangles' | 'hearts' | 'stars' }
  | { kind: 'dream-catcher'; web: 'classic' | 'flower' | 'moon' | 'double' | 'heart' }
  | { kind: 'earrings'; shape: 'fan' | 'hoop' | 'teardrop' | 'tassel' | 'leaf' | 'rainbow' }

export type View = 'front' | 'detail' | 'side' | 'room'

export type DemoPicture = { view: View; colorIds: string[]; isAvailable: boolean }

export type DemoItem = {
  id: string
  name: string
  categoryId: string
  priceCents: number
  description: string
  width: string
  soleType: string
  size: string
  discount?: DemoDiscount
  design: Design
  pictures: DemoPicture[]
}

export type DemoShowcase = { title: string; categoryId: string; deg: 0 | 45 | 90 | 135 | 180 | 225 | 270 | 315 }

/** `id` names the record in other demo data and seeds the portrait; the shop gives its own ids. */
export type DemoTestimonial = {
  id: string
  writerName: string
  writerEmail: string
  text: string
  items: { itemId: string; salePriceCents: number }[]
  isValidated: boolean
  isShownOnPage: boolean
}

export type DemoMessage = { from: 'customer' | 'owner'; text: string; minutesAgo: number; isReadByOther: boolean }

export type DemoConversation = {
  itemIds: string[]
  soldItemIds: string[]
  isClosed: boolean
  messages: DemoMessage[]
}

export type DemoCustomer = {
  id: string
  name: string
  email: string
  password: string
  favouriteItemIds: string[]
  conversation: DemoConversation
}

/** A guest has no account; without an e-mail she bought over the counter. `daysAgo` may be a fraction. */
export type DemoReceipt = {
  tag: string
  daysAgo: number
  buyer: { customerId: string } | { name: string; email?: string }
  lines: { itemId: string; salePriceCents: number }[]
}

export type SceneName = 'table' | 'dowel-rack' | 'window' | 'shelves' | 'parcel'

export function picture(view: View, ...colorIds: string[]): DemoPicture {
  return { view, colorIds, isAvailable: true }
}

export function soldOutPicture(view: View, ...colorIds: string[]): DemoPicture {
  return { view, colorIds, isAvailable: false }
}
