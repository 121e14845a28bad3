import { flag } from './001-initial-schema-orders.ts'

export const agreementTables = [
  `create table "offers" (
    "id" text primary key not null,
    "orderId" text not null references "orders" ("id") on delete cascade,
    "state" text not null check ("state" in ('sent', 'seen', 'change-requested', 'accepted', 'withdrawn', 'expired', 'replaced', 'canceled')),
    "shippingCents" integer not null check ("shippingCents" >= 0),
    ${flag('isShipped', 0)},
    "depositCents" integer not null default 0 check ("depositCents" >= 0),
    "creditCode" text,
    "creditCents" integer not null default 0 check ("creditCents" >= 0),
    "soldDifferenceCents" integer not null default 0,
    "readyBy" text not null default '',
    "validUntil" bigint not null,
    "createdAt" bigint not null,
    "changedAt" bigint not null
  )`,
  `create unique index "offers_open" on "offers" ("orderId") where "state" in ('sent', 'seen', 'change-requested')`,
  `create index "offers_due" on "offers" ("validUntil") where "state" in ('sent', 'seen', 'change-requested')`,
  `create index "offers_state" on "offers" ("state", "createdAt")`,
  `create index "offers_order" on "offers" ("orderId", "state")`,
  // "itemId" is '' for a typed line. It is no foreign key, because items may be deleted.
  `create table "offerLines" (
    "offerId" text not null references "offers" ("id") on delete cascade,
    "position" integer not null,
    "itemId" text not null,
    "name" text not null,
    "color" text not null,
    "notes" text not null,
    "quantity" integer not null check ("quantity" > 0),
    "priceCents" integer not null check ("priceCents" >= 0),
    primary key ("offerId", "position")
  )`,
  `create table "holds" (
    "itemId" text primary key not null references "items" ("id") on delete cascade,
    "orderId" text not null references "orders" ("id") on delete cascade,
    "offerId" text references "offers" ("id") on delete cascade,
    "until" bigint not null,
    "createdAt" bigint not null
  )`,
  `create index "holds_until" on "holds" ("until")`,
  `create index "holds_order" on "holds" ("orderId")`,
  `create table "queueEntries" (
    "offerId" text not null references "offers" ("id") on delete cascade,
    "line" integer not null,
    "step" text not null default 'waiting' check ("step" in ('waiting', 'making', 'ready', 'handed-over')),
    "position" integer not null,
    "handedOverAt" bigint,
    primary key ("offerId", "line")
  )`,
  `create index "queueEntries_open" on "queueEntries" ("position") where "step" <> 'handed-over'`,
  `create index "queueEntries_done" on "queueEntries" ("handedOverAt") where "step" = 'handed-over'`,
  `create table "payments" (
    "offerId" text not null references "offers" ("id") on delete cascade,
    "position" integer not null,
    "kind" text not null check ("kind" in ('deposit', 'balance')),
    "cents" integer not null check ("cents" > 0),
    "paidOn" text not null,
    "method" text not null,
    "createdAt" bigint not null,
    primary key ("offerId", "position")
  )`,
  `create table "parcels" (
    "offerId" text primary key not null references "offers" ("id") on delete cascade,
    "recipient" text not null,
    "address" text not null,
    "carrier" text not null default '',
    "trackingNumber" text not null default '',
    "trackingUrl" text not null default '',
    "shippedAt" bigint,
    "arrivedAt" bigint,
    "changedAt" bigint not null
  )`,
  `create table "credits" (
    "code" text primary key not null,
    "userId" text not null references "user" ("id") on delete cascade,
    "receiptTag" text not null unique,
    "cents" integer not null check ("cents" > 0),
    "createdAt" bigint not null,
    "offerId" text,
    "usedAt" bigint
  )`,
  `create index "credits_user" on "credits" ("userId")`,
]
