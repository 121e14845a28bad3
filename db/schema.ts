/** The tables as Kysely sees them. Money is in integer cents, time in UTC milliseconds, and booleans are 0 or 1 on both databases. */
import type { Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'
type Flag = 0 | 1
type DiscountType = 'percent' | 'amount'

/** `widths`: JSON list of the widths that have a WebP variant, and once `finished` also an AVIF variant */
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

/** createdAt: the time of the last write [DATA-033, S-137]; firstCreatedAt: the time of the first write. */
type Stamped = { createdAt: number; firstCreatedAt: number }
type Discounted = { discountType: DiscountType | null; discountValue: number | null }

export type ColorTable = Stamped &
  Discounted & { id: string; name: string; pictureId: string | null; isAvailable: Flag; isLowOnStock: Flag }
/** listed: for sale; draft: visitors do not see it; retired: not for sale any more */
export type ItemState = 'listed' | 'draft' | 'retired'
export type ItemTable = Stamped &
  Discounted & {
    id: string
    name: string
    categoryId: string
    priceCents: number
    description: string
    width: string
    soleType: string
    size: string
    state: Generated<ItemState>
    /** the owner's order of pieces, from 1; 0: she has not placed the item */
    position: Generated<number>
    /** the order of items that one bulk change has changed at the same time */
    tieRank: Generated<number>
    /** raised whenever a form or a CSV import changes the item; discounts do not count */
    revision: Generated<number>
  }
/** Generated columns for searches: the normalized name, and the name with the description. */
type ItemSearch = { searchName: GeneratedAlways<string>; searchText: GeneratedAlways<string> }

/** Each customer has one conversation: its id is the customer's uid, or a new id for a message from the contact page. [S-032] */
export type OrderTable = Stamped & {
  id: string
  /** null: the account was deleted, or the conversation comes from the contact page */
  userId: string | null
  userName: string
  userEmail: string
  userPhotoURL: string
  receiptTag: string | null
  isClosed: Flag
  fromContactPage: Flag
  /** sequence number of the newest message, raised in the transaction that adds the message */
  lastSeq: number
  /** time of the newest message, or of the order without messages; the owner's list is sorted by it [S-081] */
  lastMessageAt: number
}
/** A generated column for searches: normalized name, email address and receipt tag. */
type OrderSearch = { searchText: GeneratedAlways<string> }
/** The phone number that the writer typed on the contact page; otherwise ''. [OWN-114] */
type OrderPhone = { userPhone: Generated<string> }

export type SaleTable = {
  id: string
  buyerId: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  itemId: string
  itemName: string
  /** null: only the item's name was stored [S-109] */
  itemPriceCents: number | null
  salePriceCents: number
  receiptTag: string | null
  createdAt: number
  /** id of the sale that this row cancels; its prices are negative, so that sums are right [S-301] */
  cancels: string | null
}
/** The item's category when it was sold, and the color that was requested; empty if unknown. */
type SaleDetails = { categoryId: Generated<string>; categoryTitle: Generated<string>; color: Generated<string> }

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
  /** UTC milliseconds until which a worker has claimed the email */
  claimedUntil: number | null
  sentAt: number | null
  failedAt: number | null
  lastError: string | null
}
export type PreviousDiscountTable = Discounted & { seq: number; id: string; name: string }

/** The item, color and shown price of an order request, as they were when its message was sent; null in other messages. */
type RequestedItem = { itemId: string | null; itemName: string | null; itemColor: string | null; itemPriceCents: number | null }

export type Tables = {
  /** better-auth's tables. Read their booleans and dates only through better-auth, because they differ by database. */
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
  /** better-auth's values for flows with several steps, valid for some minutes. */
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
  /** better-auth encrypts the secret and the recovery codes; `verified`: set by the first correct code. */
  twoFactor: { id: string; userId: string; secret: string; backupCodes: string; verified: unknown; lockedUntil: unknown }
  /** Two-factor codes that were used, stored until they would have expired. */
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
  /** The account to which a guest has logged in, and to which the guest's data has not moved yet. */
  guestLinks: { guestId: string; userId: string; at: number }
  /** A verification email. `codeHash`: the hash of its code; `newEmail`: the address to change to. */
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
  pictures: ImageTable
  categories: Stamped & { id: string; title: string; color: string; pictureId: string | null; position: number; isHidden: Generated<Flag> }
  colors: ColorTable
  items: ItemTable & ItemSearch
  itemPictures: { id: string; itemId: string; pictureId: string; position: number; isAvailable: Flag }
  itemPictureColors: { itemPictureId: string; colorId: string }
  showcase: { id: string; title: string; pictureId: string | null; categoryId: string; deg: number; position: number }
  favorites: { userId: string; itemId: string; createdAt: number }
  orders: OrderTable & OrderSearch & OrderPhone
  /** A sold item may be requested again: then the order has both rows, but only one unsold row for each item. `color`: the name; empty: none. */
  orderItems: {
    orderId: string
    itemId: string
    name: string
    priceCents: number
    /** the price, discount included, that the customer saw at her last request; null: unknown */
    shownPriceCents: number | null
    isSold: Flag
    saleId: string | null
    position: number
    color: Generated<string>
  }
  messages: { orderId: string; seq: number; id: string; message: string; sender: string; createdAt: number } & RequestedItem
  /** An uploaded image that no message contains yet; only its sender may see it. */
  chatUploads: { pictureId: string; sender: string }
  /** null: the image was deleted, but the message stays. */
  messagePictures: { orderId: string; messageId: string; position: number; pictureId: string | null }
  /** The newest message up to which a reader has read the conversation. */
  readReceipts: { orderId: string; reader: string; seq: number }
  /** The last message of which an email has reminded `reader`, and the id of that email. */
  reminders: { orderId: string; reader: string; seq: number; at: number; emailId: string }
  savedReplies: Stamped & { id: string; title: string; text: string }
  /** `receiptKey`: the receipt's tag, or the sale's id if it has none. */
  invoices: {
    number: number
    receiptKey: string
    shippingCents: number
    createdAt: number
    /** as the owner typed them; empty: the name in the sale, and no address */
    buyerName: Generated<string>
    buyerAddress: Generated<string>
    /** JSON: the shop's own data when the invoice got its number */
    seller: Generated<string>
  }
  sales: SaleTable & SaleDetails
  /** A request for an item, and the sale that followed; stays when conversation, item and category are deleted. */
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
    isAvailable: Flag
    isValidated: Flag
    showOnPage: Flag
    /** creation time of the ticket */
    createdAt: number
    /** null: the testimony was not written yet */
    writtenAt: number | null
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
  /** `name`: the subject's name when the event happened; `words`: normalized text for searches. */
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
  /** A change of discounts that the owner can undo. `seq`: number of its audit event. */
  discountChanges: Discounted & { seq: number; at: number; noun: 'items' | 'color'; count: number; isOffered: Flag }
  previousDiscounts: PreviousDiscountTable
  settings: { key: string; value: string; updatedAt: number }
  /** `report`: the first findings of the import, one per line. */
  imports: { id: string; at: number; digest: string; source: string; findings: number; summary: string; report: string }
  /** rate-limiter-flexible creates and reads this table. */
  rateLimits: { key: string; points: number; expire: number | null }
  /** Values that the process needs after a restart, for processes without a permanent folder. */
  keyValues: { key: string; value: string }
  /** `error`: why the backup failed, in words that the owner understands. */
  backups: { id: string; reason: string; startedAt: number; finishedAt: number | null; error: string | null }
  /** A part of the preview of a CSV import; `content` is JSON. */
  importPreviews: { checkId: string; part: string; page: number; content: string }
}

export type Db = Kysely<Tables>
/** Inside a transaction, use only this handle: SQLite has one connection, and waiting for another one would deadlock. */
export type Tx = Transaction<Tables>
