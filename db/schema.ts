/** The tables as Kysely sees them. Money is integer cents, time is UTC milliseconds, app booleans are 0 or 1 on every database. */
import type { Generated, GeneratedAlways, Kysely, Transaction } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'
type Flag = 0 | 1
type DiscountType = 'percent' | 'amount'

/** `widths`: a JSON list of those with a WebP beside it, and an AVIF too once it is `finished`. */
export type PictureTable = {
  id: string
  path: string
  width: number
  height: number
  widths: string
  placeholder: string
  createdAt: number
  state: Generated<PictureState>
  attempts: Generated<number>
  nextAttemptAt: Generated<number>
}
type PictureState = 'waiting' | 'finished' | 'failed'

/** createdAt is the time of the last write (DATA-033, S-137), firstCreatedAt that of the first. */
type Stamped = { createdAt: number; firstCreatedAt: number }
type Discounted = { discountType: DiscountType | null; discountValue: number | null }

export type ColorTable = Stamped &
  Discounted & { id: string; name: string; pictureId: string | null; isAvailable: Flag; isLowOnStock: Flag }
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
    /** raised whenever a form or a table changes the item (018); discounts leave it */
    revision: Generated<number>
  }
/** Name, and name with description, as `fold` makes them: what searches look through. The database writes them. */
type ItemSearch = { searchName: GeneratedAlways<string>; searchText: GeneratedAlways<string> }

/** One conversation per customer: id is the customer's uid, or a new 15-character id when it came from the contact page (S-032). */
export type OrderTable = Stamped & {
  id: string
  /** null once the account is gone, and for contact conversations */
  userId: string | null
  userName: string
  userEmail: string
  userPhotoURL: string
  receiptTag: string | null
  isClosed: Flag
  fromContactPage: Flag
  /** sequence of the newest message; raised in the same transaction that adds it */
  lastSeq: number
}
/** Name, email and receipt of the customer, folded for searches. The database writes it. */
type OrderSearch = { searchText: GeneratedAlways<string> }

export type SaleTable = {
  id: string
  buyerId: string
  buyerName: string
  buyerEmail: string
  buyerPhotoURL: string
  itemId: string
  itemName: string
  /** null where only a name was kept (S-109) */
  itemPriceCents: number | null
  salePriceCents: number
  receiptTag: string | null
  createdAt: number
}
/** The category that the item was in, and what it was called then; empty where nobody knows (030). */
type SaleCategory = { categoryId: Generated<string>; categoryTitle: Generated<string> }

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
  /** until then whoever tries to send it has it to themselves */
  claimedUntil: number | null
  sentAt: number | null
  failedAt: number | null
  lastError: string | null
}
export type FormerDiscountTable = Discounted & { seq: number; id: string; name: string }

export type Tables = {
  /** What the authentication library keeps; booleans and dates differ by database, so read them only through it. */
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
  /** What the library remembers for minutes: steps half done, each under a name of its own. */
  verification: {
    id: string
    identifier: string
    value: string
    expiresAt: unknown
    createdAt: unknown
    updatedAt: unknown
  }
  /** The owner's second factor (037): secret and recovery codes encrypted; `verified` once a code has confirmed it. */
  twoFactor: { id: string; userId: string; secret: string; backupCodes: string; verified: unknown; lockedUntil: unknown }
  /** Codes of the app count once; kept until they would not count anyway. */
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
  /** The lasting account that a guest has proven to be hers, and when; her things have not moved yet (033). */
  guestLinks: { guestId: string; userId: string; at: number }
  /** A letter under way that proves who reads an address (036); `codeMark` is what its code is known by, `newEmail` what the address is to become. */
  addressProofs: {
    id: string
    kind: string
    codeMark: string
    userId: string
    email: string
    newEmail: string | null
    createdAt: number
    expiresAt: number
  }
  pictures: PictureTable
  categories: Stamped & { id: string; title: string; color: string; pictureId: string | null; position: number }
  colors: ColorTable
  items: ItemTable & ItemSearch
  itemPictures: { id: string; itemId: string; pictureId: string; position: number; isAvailable: Flag }
  itemPictureColors: { itemPictureId: string; colorId: string }
  showcase: { id: string; title: string; pictureId: string | null; categoryId: string; deg: number; position: number }
  favourites: { userId: string; itemId: string; createdAt: number }
  orders: OrderTable & OrderSearch
  orderItems: { orderId: string; itemId: string; name: string; priceCents: number; isSold: Flag; position: number }
  messages: { orderId: string; seq: number; id: string; message: string; sender: string; createdAt: number }
  /** A picture that its sender has uploaded and not yet sent in a message; nobody else may see it. */
  chatUploads: { pictureId: string; sender: string }
  /** A picture of a message; null once it is gone while the message stays. */
  messagePictures: { orderId: string; messageId: string; position: number; pictureId: string | null }
  /** The newest message that a reader has read; the list of readers of a message is derived from it. */
  readMarks: { orderId: string; reader: string; seq: number }
  /** Up to which message `reader` has been told by letter, when, and by which one (027). */
  reminders: { orderId: string; reader: string; seq: number; at: number; letterId: string }
  savedReplies: Stamped & { id: string; title: string; text: string }
  /** The number that a receipt got when its invoice was first printed (029); `receiptKey`: its tag, or the sale's id where it has none. */
  invoices: { number: number; receiptKey: string; shippingCents: number; createdAt: number }
  sales: SaleTable & SaleCategory
  /** One time that a customer asked for a piece, and the sale that came of it; it outlives conversation, item and category (030). */
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
    /** of the ticket */
    createdAt: number
    /** null until the testimony is written */
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
  /** `name` is what the subject was called then; `words` what searches find it by, folded. */
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
  /** A change of discounts that can still be undone; `seq` is that of its act, the discount the one it gave. */
  discountChanges: Discounted & { seq: number; at: number; noun: 'items' | 'color'; count: number; isOffered: Flag }
  formerDiscounts: FormerDiscountTable
  settings: { key: string; value: string; updatedAt: number }
  /** A shop that was moved here; `report` holds the first findings, one a line. */
  imports: { id: string; at: number; digest: string; source: string; findings: number; summary: string; report: string }
  /** Tries that are counted for all processes on one PostgreSQL (043); made and read by the library that counts. */
  rateLimits: { key: string; points: number; expire: number | null }
  /** What was done at a start, for processes whose folder does not outlive them (043). */
  marks: { key: string; value: string }
  /** A backup that was begun (053); `error` says why it came to nothing, in words for the owner. */
  backups: { id: string; reason: string; startedAt: number; finishedAt: number | null; error: string | null }
  /** A part of what the check of an uploaded table found (021): `content` is JSON. */
  tableChecks: { checkId: string; part: string; page: number; content: string }
}

export type Db = Kysely<Tables>
/** Inside a transaction only this handle may be used: SQLite has one connection, and asking the other one waits for ever. */
export type Tx = Transaction<Tables>
