/** Money is in cents, time in UTC ms. */
import type { OptionalItemText } from '#catalog/item-fields.ts'
import type { Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'
type Cents = number
type DiscountType = 'percent' | 'amount'

/** `widths` is a JSON list. */
export type ImageTable = {
  id: string
  path: string
  width: number
  height: number
  widths: string
  placeholder: string
  createdAt: number
  state: Generated<ImageState>
  attempts: Generated<number>
  nextAttemptAt: Generated<number>
}
type ImageState = 'waiting' | 'finished' | 'failed'

/** `createdAt` is the time of the last write. [S-137] */
type Stamped = { createdAt: number; firstCreatedAt: number }
type Discounted = { discountType: DiscountType | null; discountValue: number | null }

export type ColorTable = Stamped &
  Discounted & {
    id: string
    name: string
    imageId: string | null
    isAvailable: boolean
    isLowOnStock: boolean
  }
/** Visitors do not see a 'draft'. A 'sold' item was one of a kind. */
export type ItemState = 'listed' | 'draft' | 'retired' | 'sold'
/** The owner makes a 'made-to-order' item after an offer is accepted. '' means not chosen yet. */
export type ItemKind = '' | 'unique' | 'made-to-order'
export type ItemTable = Stamped &
  Discounted &
  Record<OptionalItemText, Generated<string>> & {
    id: string
    name: string
    categoryId: string
    priceCents: number
    description: string
    state: Generated<ItemState>
    kind: Generated<ItemKind>
    /** Counts from 1. 0 means that the owner has not arranged the item. */
    position: Generated<number>
    tieRank: Generated<number>
    /** Edits by forms and imports increase it; discounts do not. */
    revision: Generated<number>
  }

/** The `id` of a customer's order is the uid of the customer. [S-032] */
export type OrderTable = Stamped & {
  id: string
  /** Null if the account was deleted or never existed. */
  userId: string | null
  userName: string
  userEmail: string
  userPhotoURL: string
  receiptTag: string | null
  isClosed: boolean
  fromContactPage: boolean
  lastSeq: number
  /** The time of the newest message, or of the start of the conversation. [S-081] */
  lastMessageAt: number
}

export type SaleTable = {
  id: string
  buyerId: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  itemId: string
  itemName: string
  /** Null if unknown. [S-109] */
  itemPriceCents: number | null
  salePriceCents: number
  receiptTag: string | null
  createdAt: number
  /** The canceled sale, if this is a cancellation with negative prices. [S-301] */
  cancels: string | null
}
/**
 * '' means unknown. The prices are for all `quantity` pieces. A cancellation has negative prices,
 * but a positive quantity.
 */
type SaleDetails = Record<
  'categoryId' | 'categoryTitle' | 'color' | 'method',
  Generated<string>
> & { quantity: Generated<number> }

export type OutboxTable = {
  id: string
  kind: string
  toAddress: string
  replyTo: string | null
  subject: string
  text: string
  createdAt: number
  attempts: number
  nextAttemptAt: number
  claimedUntil: number | null
  sentAt: number | null
  failedAt: number | null
  lastError: string | null
}
export type PreviousDiscountTable = Discounted & { seq: number; id: string; name: string }

export type OfferState =
  | 'sent'
  | 'seen'
  | 'change-requested'
  | 'accepted'
  | 'withdrawn'
  | 'expired'
  | 'replaced'
  | 'canceled'
export type QueueStep = 'waiting' | 'making' | 'ready' | 'handed-over'
/** The offer expires at `validUntil`. `readyBy` is '2026-03-04' or ''. */
export type OfferTable = {
  id: string
  orderId: string
  state: OfferState
  shippingCents: Cents
  isShipped: boolean
  depositCents: Cents
  creditCode: string | null
  creditCents: Cents
  /** The sum of the sale prices minus the sum of the agreed prices. */
  soldDifferenceCents: Cents
  readyBy: string
  validUntil: number
  createdAt: number
  changedAt: number
}
export type ParcelTable = {
  offerId: string
  recipient: string
  address: string
  carrier: string
  trackingNumber: string
  trackingUrl: string
  shippedAt: number | null
  arrivedAt: number | null
  changedAt: number
}

export type Tables = {
  /** better-auth's table. Types of booleans and dates depend on the database. */
  user: {
    id: string
    name: string
    email: string
    emailVerified: unknown
    image: string | null
    isAnonymous: unknown
    twoFactorEnabled: unknown
    createdAt: unknown
    updatedAt: unknown
  }
  session: {
    id: string
    token: string
    userId: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
    userAgent: string | null
    ipAddress: string | null
  }
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
  /** `secret` and `backupCodes` are encrypted. The first correct code sets `verified`. */
  twoFactor: {
    id: string
    userId: string
    secret: string
    backupCodes: string
    failedVerificationCount: number | null
  }
  usedCodes: { userId: string; code: string; usedAt: number }
  account: {
    id: string
    accountId: string
    providerId: string
    userId: string
    password: string | null
    createdAt: unknown
    updatedAt: unknown
  }
  guestLinks: { guestId: string; userId: string; at: number }
  /** `newEmail` is the new address if the account changes its address. */
  verificationTokens: {
    id: string
    kind: string
    codeHash: string
    userId: string
    email: string
    newEmail: string | null
    createdAt: number
    expiresAt: number
  }
  images: ImageTable
  categories: Stamped & {
    id: string
    title: string
    color: string
    imageId: string | null
    position: number
    isHidden: Generated<boolean>
  }
  colors: ColorTable
  items: ItemTable & {
    searchName: GeneratedAlways<string>
    searchText: GeneratedAlways<string>
    soldSaleId: Generated<string | null>
  }
  itemImages: {
    id: string
    itemId: string
    imageId: string
    position: number
    isAvailable: boolean
  }
  itemImageColors: { itemImageId: string; colorId: string }
  showcase: {
    id: string
    title: string
    imageId: string | null
    categoryId: string
    deg: number
    position: number
  }
  favorites: { userId: string; itemId: string; createdAt: number }
  orders: OrderTable & { userPhone: Generated<string>; searchText: GeneratedAlways<string> }
  /** An order has at most one unsold row of an item. */
  orderItems: {
    orderId: string
    itemId: string
    name: string
    priceCents: number
    /** The price at the last request; null if unknown. */
    shownPriceCents: number | null
    isSold: boolean
    saleId: string | null
    position: number
    color: Generated<string>
    offerId: string | null
    /** The price of all pieces together. */
    agreedCents: Cents | null
    quantity: Generated<number>
    searchName: GeneratedAlways<string>
  }
  messages: {
    orderId: string
    seq: number
    id: string
    message: string
    sender: string
    createdAt: number
    itemId: string | null
    itemName: string | null
    itemColor: string | null
    itemPriceCents: number | null
    offerId: string | null
  }
  /** Only its sender sees an upload. */
  chatUploads: { imageId: string; sender: string }
  messageImages: {
    orderId: string
    messageId: string
    position: number
    imageId: string | null
  }
  readReceipts: { orderId: string; reader: string; seq: number }
  reminders: { orderId: string; reader: string; seq: number; at: number; emailId: string }
  savedReplies: Stamped & { id: string; title: string; text: string }
  /** `receiptKey` is the receipt tag, or the id of a sale without a tag. */
  invoices: {
    number: number
    receiptKey: string
    shippingCents: number
    createdAt: number
    buyerName: Generated<string>
    buyerAddress: Generated<string>
    buyerEmail: Generated<string>
    seller: Generated<string>
    payments: Generated<string>
  }
  offers: OfferTable
  /** `priceCents` is for one piece. `itemId` is '' for a typed line. */
  offerLines: {
    offerId: string
    position: number
    itemId: string
    name: string
    color: string
    notes: string
    quantity: number
    priceCents: Cents
  }
  /** A hold ends at `until`. `offerId` is null if the hold does not come from an offer. */
  holds: {
    itemId: string
    orderId: string
    offerId: string | null
    until: number
    createdAt: number
  }
  queueEntries: {
    offerId: string
    line: number
    step: Generated<QueueStep>
    position: number
    handedOverAt: number | null
  }
  /** `position` counts from 1. `paidOn` is '2026-03-04'. */
  payments: {
    offerId: string
    position: number
    kind: 'deposit' | 'balance'
    cents: Cents
    paidOn: string
    method: string
    createdAt: number
  }
  parcels: ParcelTable
  /**
   * The customer `userId` earned the credit with a testimony, and used it in the offer `offerId`.
   */
  credits: {
    code: string
    userId: string
    receiptTag: string
    cents: Cents
    createdAt: number
    offerId: string | null
    usedAt: number | null
  }
  sales: SaleTable & SaleDetails
  requests: {
    id: string
    orderId: string
    itemId: string
    categoryId: string
    categoryTitle: string
    at: number
    saleId: string | null
  }
  testimonies: {
    id: string
    receiptTag: string | null
    writerId: string
    writerName: string
    writerEmail: string
    writerPhotoURL: string
    testimony: string
    isAvailable: boolean
    isValidated: boolean
    showOnPage: boolean
    /** When the ticket was created or, after that, when the testimony was written. */
    createdAt: number
    /** When a message offered the ticket; null without such a message. */
    offeredAt: number | null
  }
  testimonyItems: {
    testimonyId: string
    position: number
    itemId: string
    name: string
    priceCents: number | null
    salePriceCents: number | null
  }
  outbox: OutboxTable
  /** `name` is the name at that time. `words` is normalized for the search. */
  audit: {
    seq: Generated<number>
    at: number
    actor: string
    act: string
    subject: string
    detail: string
    name: Generated<string>
    words: Generated<string>
  }
  discountChanges: Discounted & {
    seq: number
    at: number
    noun: 'items' | 'color'
    count: number
    isOffered: boolean
  }
  previousDiscounts: PreviousDiscountTable
  settings: { key: string; value: string; updatedAt: number }
  /** `report` contains only the first findings. */
  imports: {
    id: string
    at: number
    digest: string
    source: string
    findings: number
    summary: string
    report: string
  }
  rateLimits: { key: string; points: number; expire: number | null }
  /** This table replaces files, because some processes have no permanent folder. */
  keyValues: { key: string; value: string }
  /** Calls that the web service has not accepted yet. `claims` is JSON. [S-352] */
  webhookCalls: {
    id: string
    about: string
    method: 'POST' | 'DELETE'
    claims: string
    createdAt: number
    nextAttemptAt: number
  }
  backups: {
    id: string
    reason: string
    startedAt: number
    finishedAt: number | null
    error: string | null
  }
  importPreviews: { checkId: string; part: string; page: number; content: string }
}

/** A `Tx` is also a `Db`, so a function that takes a `Db` can run inside a transaction. */
export type Db = Kysely<Tables>
/**
 * Inside a transaction, use only the `Tx`: a query on `Db` would wait forever for SQLite's only
 * connection.
 */
export type Tx = Transaction<Tables>
