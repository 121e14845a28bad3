/** Declares the types of all tables for Kysely. Money is in integer cents, time is in UTC milliseconds, and booleans are 0 or 1 on both databases. */
import type { AgreementTables, SoldItem } from './schema-agreements.ts'
import type { Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'
type Flag = 0 | 1
type Cents = number
type DiscountType = 'percent' | 'amount'

/** `widths` is a JSON list of the widths of the variants. Each width has a WebP variant. When the state is 'finished', each width also has an AVIF variant. */
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

/** `createdAt` is the time of the last write, and `firstCreatedAt` the time of the first write. [DATA-033, S-137] */
type Stamped = { createdAt: number; firstCreatedAt: number }
type Discounted = { discountType: DiscountType | null; discountValue: number | null }

export type ColorTable = Stamped &
  Discounted & {
    id: string
    name: string
    pictureId: string | null
    isAvailable: Flag
    isLowOnStock: Flag
  }
/** A 'listed' item is for sale. Visitors do not see a 'draft'. A 'retired' item is not for sale any more. A 'sold' item was one of a kind. */
export type ItemState = 'listed' | 'draft' | 'retired' | 'sold'
/** A 'unique' item exists once. A 'made-to-order' item is made after a customer has accepted an offer. '' means that the owner has not chosen a kind. */
export type ItemKind = '' | 'unique' | 'made-to-order'
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
    kind: Generated<ItemKind>
    /** the position in the owner's sequence, which counts from 1, or 0 for an item that she has not arranged */
    position: Generated<number>
    /** the sort position among items that have the same `createdAt` after a bulk change */
    tieRank: Generated<number>
    /** a number that grows whenever a form or a CSV import changes the item, but not when a discount changes */
    revision: Generated<number>
  }
/** The database generates these columns for searches. `searchName` is the normalized name, and `searchText` the normalized name and description. */
type ItemSearch = { searchName: GeneratedAlways<string>; searchText: GeneratedAlways<string> }

/** A row is a conversation. Each customer has only one conversation, whose id is the customer's uid. A conversation from the contact page has a new id. [S-032] */
export type OrderTable = Stamped & {
  id: string
  /** the customer's uid, or null if the account was deleted or the conversation comes from the contact page */
  userId: string | null
  userName: string
  userEmail: string
  userPhotoURL: string
  receiptTag: string | null
  isClosed: Flag
  fromContactPage: Flag
  /** the sequence number of the newest message, which the transaction that adds the message increments */
  lastSeq: number
  /** the time of the newest message, or the start of the conversation if there is no message; the owner's list is sorted by this time [S-081] */
  lastMessageAt: number
}
/** The database generates this column for searches. It contains the normalized name, email address and receipt tag. */
type OrderSearch = { searchText: GeneratedAlways<string> }
/** `userPhone` is the phone number that the writer typed on the contact page, or '' for other conversations. [OWN-114] */
type OrderPhone = { userPhone: Generated<string> }

export type SaleTable = {
  id: string
  buyerId: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  itemId: string
  itemName: string
  /** the item's price, or null if only the item's name was stored [S-109] */
  itemPriceCents: number | null
  salePriceCents: number
  receiptTag: string | null
  createdAt: number
  /** the id of the sale that this row cancels; this row has negative prices, so that sums are right [S-301] */
  cancels: string | null
}
/** The item's category at the time of the sale, the requested color, and the payment method of a sale outside a conversation; unknown values are empty. The prices of a sale are for all pieces, and `quantity` is positive even if the row cancels a sale. */
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
  /** the time in UTC milliseconds until which a worker has claimed the email */
  claimedUntil: number | null
  sentAt: number | null
  failedAt: number | null
  lastError: string | null
}
export type PreviousDiscountTable = Discounted & { seq: number; id: string; name: string }

/** In the message of an order request, these columns contain the item, the color and the price that the customer saw. In other messages they are null. */
type RequestedItem = {
  itemId: string | null
  itemName: string | null
  itemColor: string | null
  itemPriceCents: number | null
}

export type Tables = AgreementTables & {
  /** better-auth defines `user`, `session`, `verification`, `twoFactor` and `account`. Other code must not read their booleans and dates directly, because the types depend on the database. */
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
  /** better-auth stores values between two steps of a login in this table. The values expire after some minutes. */
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
  /** better-auth encrypts the secret and the recovery codes. The first correct code sets `verified`. */
  twoFactor: {
    id: string
    userId: string
    secret: string
    backupCodes: string
    failedVerificationCount: number | null
  }
  /** Used two-factor codes are stored until they expire, so that no code is accepted twice. */
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
  /** A row names the account to which a guest has logged in. The row exists until the guest's data has moved to this account. */
  guestLinks: { guestId: string; userId: string; at: number }
  /** A row belongs to a verification email. `codeHash` is the hash of the code in this email. If the code confirms a new address of the account, `newEmail` is the new address. */
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
  categories: Stamped & {
    id: string
    title: string
    color: string
    pictureId: string | null
    position: number
    isHidden: Generated<Flag>
  }
  colors: ColorTable
  items: ItemTable & ItemSearch & SoldItem
  itemPictures: {
    id: string
    itemId: string
    pictureId: string
    position: number
    isAvailable: Flag
  }
  itemPictureColors: { itemPictureId: string; colorId: string }
  showcase: {
    id: string
    title: string
    pictureId: string | null
    categoryId: string
    deg: number
    position: number
  }
  favorites: { userId: string; itemId: string; createdAt: number }
  orders: OrderTable & OrderSearch & OrderPhone
  /** A row is an item of an order. A sold item that is requested again has another row, but an order has only one unsold row per item. `color` is the color's name, or empty. */
  orderItems: {
    orderId: string
    itemId: string
    name: string
    priceCents: number
    /** the discounted price that the customer saw at the last request, or null if this price is unknown */
    shownPriceCents: number | null
    isSold: Flag
    saleId: string | null
    position: number
    color: Generated<string>
    /** the accepted offer that contains the item, or null */
    offerId: string | null
    /** the price that the customer has accepted for all pieces of this line, or null without an accepted offer */
    agreedCents: Cents | null
    quantity: Generated<number>
    /** the normalized name, which the database generates for searches */
    searchName: GeneratedAlways<string>
  }
  messages: {
    orderId: string
    seq: number
    id: string
    message: string
    sender: string
    createdAt: number
  } & RequestedItem & {
      offerId: string | null
    }
  /** A row is an uploaded image that no message contains yet. Only its sender may see the image. */
  chatUploads: { pictureId: string; sender: string }
  /** A row is an image of a message. `pictureId` is null if the image was deleted, because the message stays. */
  messagePictures: {
    orderId: string
    messageId: string
    position: number
    pictureId: string | null
  }
  /** `seq` is the number of the newest message that the reader has read. */
  readReceipts: { orderId: string; reader: string; seq: number }
  /** `seq` is the number of the last message about which the email `emailId` has reminded `reader`. */
  reminders: { orderId: string; reader: string; seq: number; at: number; emailId: string }
  savedReplies: Stamped & { id: string; title: string; text: string }
  /** `receiptKey` is the tag of the receipt, or the id of the sale if the sale has no tag. */
  invoices: {
    number: number
    receiptKey: string
    shippingCents: number
    createdAt: number
    /** the buyer's name that the owner typed; if it is empty, the invoice shows the name in the sale */
    buyerName: Generated<string>
    buyerAddress: Generated<string>
    /** the shop's name and address as JSON, as they were when the invoice got its number */
    seller: Generated<string>
    /** the payments on the invoice as JSON, stored when the invoice got its number, or '' */
    payments: Generated<string>
  }
  sales: SaleTable & SaleDetails
  /** A row is a request for an item, with the sale that followed. The row stays when the conversation, item or category is deleted. */
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
    /** the time at which the ticket was created */
    createdAt: number
    /** the time at which the testimony was written, or null if it was not written yet */
    writtenAt: number | null
    /** when the shop sent the testimony ticket as a message, or null */
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
  /** A row is an event of the audit log. `name` is the subject's name when the event happened, and `words` is normalized text for searches. */
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
  /** A row is a change of discounts that the owner can undo. `seq` is the number of its audit event. */
  discountChanges: Discounted & {
    seq: number
    at: number
    noun: 'items' | 'color'
    count: number
    isOffered: Flag
  }
  previousDiscounts: PreviousDiscountTable
  settings: { key: string; value: string; updatedAt: number }
  /** `report` contains the first findings of the import, one per line. */
  imports: {
    id: string
    at: number
    digest: string
    source: string
    findings: number
    summary: string
    report: string
  }
  /** rate-limiter-flexible reads and writes this table. */
  rateLimits: { key: string; points: number; expire: number | null }
  /** This table stores values that a process needs after a restart, because some processes have no permanent folder. */
  keyValues: { key: string; value: string }
  /** A call to the auth webhook that the service has not accepted yet. `claims` is JSON. [S-352] */
  webhookCalls: {
    id: string
    about: string
    method: 'POST' | 'DELETE'
    claims: string
    createdAt: number
    nextAttemptAt: number
  }
  /** `error` explains to the owner why the backup failed. */
  backups: {
    id: string
    reason: string
    startedAt: number
    finishedAt: number | null
    error: string | null
  }
  /** A row is a part of the preview of a CSV import. `content` is JSON. */
  importPreviews: { checkId: string; part: string; page: number; content: string }
}

export type Db = Kysely<Tables>
/** Code inside a transaction must use only this handle. SQLite has one connection, so waiting for another connection would never end. */
export type Tx = Transaction<Tables>
