import type { Dialect } from '../schema.ts'

export const dialectTypes = {
  sqlite: { bool: 'integer', date: 'date', counter: 'integer' },
  postgres: { bool: 'boolean', date: 'timestamptz', counter: 'bigserial' },
}
export type ColumnTypes = (typeof dialectTypes)[Dialect]

export const flag = (name: string, start: 0 | 1) =>
  `"${name}" integer not null default ${start} check ("${name}" in (0, 1))`

export const orderTables = [
  `create table "orders" (
    "id" text primary key not null,
    "userId" text unique references "user" ("id") on delete set null,
    "userName" text not null,
    "userEmail" text not null,
    "userPhotoURL" text not null,
    "userPhone" text not null default '',
    "receiptTag" text,
    ${flag('isClosed', 0)},
    ${flag('fromContactPage', 0)},
    "lastSeq" integer not null default 0,
    "lastMessageAt" bigint not null,
    "createdAt" bigint not null,
    "firstCreatedAt" bigint not null,
    "searchText" text generated always as (fold("userName" || ' ' || "userEmail" || ' ' || coalesce("receiptTag", ''))) stored
  )`,
  `create index "orders_newest" on "orders" ("lastMessageAt")`,
  `create index "orders_open" on "orders" ("isClosed", "lastMessageAt")`,
  `create index "orders_receipt" on "orders" ("receiptTag")`,
  `create index "orders_last" on "orders" ("id", "lastSeq")`,
  // Items may be deleted, so "itemId" is not a foreign key.
  `create table "orderItems" (
    "orderId" text not null references "orders" ("id") on delete cascade,
    "itemId" text not null,
    "name" text not null,
    "priceCents" integer not null,
    "shownPriceCents" integer,
    ${flag('isSold', 0)},
    "saleId" text,
    "position" integer not null,
    "color" text not null default '',
    "offerId" text,
    "agreedCents" integer,
    "quantity" integer not null default 1,
    "searchName" text generated always as (fold("name")) stored,
    primary key ("orderId", "position")
  )`,
  `create unique index "orderItems_requested" on "orderItems" ("orderId", "itemId") where "isSold" = 0`,
  `create index "orderItems_unsold" on "orderItems" ("isSold", "orderId")`,
  `create index "orderItems_name" on "orderItems" ("searchName", "orderId")`,
  `create index "orderItems_item" on "orderItems" ("itemId")`,
  `create index "orderItems_sale" on "orderItems" ("saleId")`,
  `create table "messages" (
    "orderId" text not null references "orders" ("id") on delete cascade,
    "seq" integer not null,
    "id" text not null,
    "message" text not null,
    "sender" text not null,
    "createdAt" bigint not null,
    "itemId" text,
    "itemName" text,
    "itemColor" text,
    "itemPriceCents" integer,
    "offerId" text,
    primary key ("orderId", "seq"),
    unique ("orderId", "id")
  )`,
  // Counting unread messages reads only this index.
  `create index "messages_unread" on "messages" ("orderId", "seq", "sender")`,
  `create index "messages_with_request" on "messages" ("orderId", "seq") where "itemId" is not null`,
  `create index "messages_offer" on "messages" ("offerId") where "offerId" is not null`,
  `create table "chatUploads" (
    "imageId" text primary key not null references "images" ("id") on delete cascade,
    "sender" text not null
  )`,
  `create index "chatUploads_sender" on "chatUploads" ("sender")`,
  `create table "messageImages" (
    "orderId" text not null,
    "messageId" text not null,
    "position" integer not null,
    "imageId" text references "images" ("id") on delete set null,
    primary key ("orderId", "messageId", "position"),
    foreign key ("orderId", "messageId") references "messages" ("orderId", "id") on delete cascade
  )`,
  `create index "messageImages_image" on "messageImages" ("imageId")`,
  `create table "readReceipts" (
    "orderId" text not null references "orders" ("id") on delete cascade,
    "reader" text not null,
    "seq" integer not null,
    primary key ("orderId", "reader")
  )`,
  `create table "reminders" (
    "orderId" text not null references "orders" ("id") on delete cascade,
    "reader" text not null,
    "seq" integer not null,
    "at" bigint not null,
    "emailId" text not null,
    primary key ("orderId", "reader")
  )`,
  `create index "reminders_letter" on "reminders" ("emailId")`,
  `create table "savedReplies" (
    "id" text primary key not null,
    "title" text not null,
    "text" text not null,
    "createdAt" bigint not null,
    "firstCreatedAt" bigint not null
  )`,
]

/** A sale survives its item, conversation and account, so it has no foreign keys. */
export const salesTables = [
  `create table "sales" (
    "id" text primary key not null,
    "buyerId" text not null,
    "buyerName" text not null,
    "buyerEmail" text not null,
    "buyerPhotoURL" text not null,
    "itemId" text not null,
    "itemName" text not null,
    "itemPriceCents" integer,
    "salePriceCents" integer not null,
    "receiptTag" text,
    "createdAt" bigint not null,
    "categoryId" text not null default '',
    "categoryTitle" text not null default '',
    "color" text not null default '',
    "method" text not null default '',
    "cancels" text,
    "quantity" integer not null default 1 check ("quantity" > 0),
    check ("salePriceCents" >= 0 and "cancels" is null or "salePriceCents" <= 0 and "cancels" is not null)
  )`,
  `create index "sales_sums" on "sales" ("createdAt", "salePriceCents", "itemPriceCents", "cancels", "quantity")`,
  `create index "sales_lines" on "sales" ("receiptTag", "createdAt", "id")`,
  `create index "sales_item" on "sales" ("itemId")`,
  `create index "sales_buyer" on "sales" ("buyerId")`,
  // Without the condition, SQLite would use this index to find the many sales whose "cancels" is
  // null.
  `create unique index "sales_cancels" on "sales" ("cancels") where "cancels" is not null`,
  // The expressions must equal those of features/reports/reports.server.ts.
  `create index "sales_of_category" on "sales" ("categoryId", "createdAt")`,
  `create index "sales_of_item" on "sales" ((coalesce(nullif("itemId", ''), "itemName")), "createdAt")`,
  `create index "sales_of_buyer" on "sales" ((coalesce(nullif("buyerId", ''), nullif("buyerEmail", ''), "buyerName")), "createdAt")`,
  `create table "requests" (
    "id" text primary key not null,
    "orderId" text not null,
    "itemId" text not null,
    "categoryId" text not null,
    "categoryTitle" text not null,
    "at" bigint not null,
    "saleId" text
  )`,
  `create index "requests_at" on "requests" ("at", "saleId")`,
  `create index "requests_sale" on "requests" ("saleId")`,
  `create index "requests_item" on "requests" ("orderId", "itemId", "at")`,
  `create table "invoices" (
    "number" integer primary key not null,
    "receiptKey" text not null unique,
    "shippingCents" bigint not null,
    "createdAt" bigint not null,
    "buyerName" text not null default '',
    "buyerAddress" text not null default '',
    "buyerEmail" text not null default '',
    "seller" text not null default '{}',
    "payments" text not null default ''
  )`,
  `create table "testimonies" (
    "id" text primary key not null,
    "receiptTag" text unique,
    "writerId" text not null,
    "writerName" text not null,
    "writerEmail" text not null,
    "writerPhotoURL" text not null,
    "testimony" text not null default '',
    ${flag('isAvailable', 1)},
    ${flag('isValidated', 0)},
    ${flag('showOnPage', 0)},
    "createdAt" bigint not null,
    "offeredAt" bigint
  )`,
  `create index "testimonies_shown" on "testimonies" ("showOnPage", "createdAt")`,
  `create index "testimonies_writer" on "testimonies" ("writerId")`,
  `create index "testimonies_voices" on "testimonies" ("isAvailable", "isValidated", "createdAt" desc, "id")`,
  `create index "testimonies_marks" on "testimonies" ("isAvailable", "isValidated", "showOnPage")`,
  `create table "testimonyItems" (
    "testimonyId" text not null references "testimonies" ("id") on delete cascade,
    "position" integer not null,
    "itemId" text not null,
    "name" text not null,
    "priceCents" integer,
    "salePriceCents" integer,
    primary key ("testimonyId", "position")
  )`,
]

export const recordTables = ({ counter }: ColumnTypes) => [
  `create table "outbox" (
    "id" text primary key not null,
    "kind" text not null,
    "toAddress" text not null,
    "replyTo" text,
    "subject" text not null,
    "text" text not null,
    "createdAt" bigint not null,
    "attempts" integer not null default 0,
    "nextAttemptAt" bigint not null,
    "claimedUntil" bigint,
    "sentAt" bigint,
    "failedAt" bigint,
    "lastError" text
  )`,
  `create index "outbox_waiting" on "outbox" ("sentAt", "failedAt", "nextAttemptAt")`,
  `create table "audit" (
    "seq" ${counter} primary key not null,
    "at" bigint not null,
    "actor" text not null,
    "act" text not null,
    "subject" text not null,
    "detail" text not null,
    "name" text not null default '',
    "words" text not null default ''
  )`,
  `create index "audit_act" on "audit" ("act", "seq")`,
  `create index "audit_subject" on "audit" ("subject")`,
  `create table "settings" ("key" text primary key not null, "value" text not null, "updatedAt" bigint not null)`,
  `create table "imports" (
    "id" text primary key not null,
    "at" bigint not null,
    "digest" text not null,
    "source" text not null,
    "findings" integer not null,
    "summary" text not null,
    "report" text not null
  )`,
  `create index "imports_digest" on "imports" ("digest")`,
  `create table "importPreviews" (
    "checkId" text not null,
    "part" text not null,
    "page" integer not null,
    "content" text not null,
    primary key ("checkId", "part", "page")
  )`,
  `create table "backups" (
    "id" text primary key not null,
    "reason" text not null,
    "startedAt" bigint not null,
    "finishedAt" bigint,
    "error" text
  )`,
  `create index "backups_newest" on "backups" ("startedAt")`,
  `create table "rateLimits" ("key" text primary key not null, "points" integer not null default 0, "expire" bigint)`,
  `create index "rateLimits_expire" on "rateLimits" ("expire")`,
  `create table "keyValues" ("key" text primary key not null, "value" text not null)`,
  `create table "webhookCalls" (
    "id" text primary key not null,
    "about" text not null,
    "method" text not null check ("method" in ('POST', 'DELETE')),
    "claims" text not null,
    "createdAt" bigint not null,
    "nextAttemptAt" bigint not null
  )`,
  `create index "webhookCalls_due" on "webhookCalls" ("nextAttemptAt")`,
  `create index "webhookCalls_about" on "webhookCalls" ("about", "createdAt")`,
]
