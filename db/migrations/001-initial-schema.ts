/** Tables refer only to earlier ones. Both databases share the SQL, except for a few types. */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from '../schema.ts'
import {
  orderTables,
  dialectTypes,
  flag,
  recordTables,
  salesTables,
  type ColumnTypes,
} from './001-initial-schema-orders.ts'
import { agreementTables } from './001-initial-schema-agreements.ts'

/** These functions do the same as `normalizeForSearch` and SQLite's `instr`. */
const postgresFunctions = [
  String.raw`create function fold(words text) returns text language sql immutable parallel safe
    as $$ select lower(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g')) $$`,
  `create function instr(words text, word text) returns integer language sql immutable parallel safe as 'select strpos(words, word)'`,
]

const discount = `"discountType" text check ("discountType" in ('percent', 'amount')),
    "discountValue" integer check ("discountValue" > 0),
    check (("discountType" is null) = ("discountValue" is null))`

/** Must equal the SQL in features/pricing/price-sql.server.ts, or queries ignore the index. */
const shownPrice = `(case
  when "discountType" is null then "priceCents"
  when "discountType" = 'amount' and "discountValue" < "priceCents"
    then "priceCents" - "discountValue"
  when "discountType" = 'percent' and "discountValue" < 10000
    then (cast("priceCents" as bigint) * (10000 - "discountValue") + 5000) / 10000
  else 0 end)`

/** sign-in.test.ts compares these tables with better-auth's own migration. */
const accountTables = ({ bool, date }: ColumnTypes) => [
  `create table "user" (
    "id" text primary key not null,
    "name" text not null,
    "email" text not null unique,
    "emailVerified" ${bool} not null,
    "image" text,
    "createdAt" ${date} not null,
    "updatedAt" ${date} not null,
    "isAnonymous" ${bool},
    "twoFactorEnabled" ${bool}
  )`,
  `create index "user_guests" on "user" ("isAnonymous", "createdAt")`,
  `create table "session" (
    "id" text primary key not null,
    "expiresAt" ${date} not null,
    "token" text not null unique,
    "createdAt" ${date} not null,
    "updatedAt" ${date} not null,
    "ipAddress" text,
    "userAgent" text,
    "userId" text not null references "user" ("id") on delete cascade
  )`,
  `create index "session_userId_idx" on "session" ("userId")`,
  `create table "account" (
    "id" text primary key not null,
    "accountId" text not null,
    "providerId" text not null,
    "userId" text not null references "user" ("id") on delete cascade,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" ${date},
    "refreshTokenExpiresAt" ${date},
    "scope" text,
    "password" text,
    "createdAt" ${date} not null,
    "updatedAt" ${date} not null
  )`,
  `create index "account_userId_idx" on "account" ("userId")`,
  // Two concurrent first logins must not create two accounts.
  `create unique index "account_identity" on "account" ("accountId", "providerId")`,
  `create table "verification" (
    "id" text primary key not null,
    "identifier" text not null,
    "value" text not null,
    "expiresAt" ${date} not null,
    "createdAt" ${date} not null,
    "updatedAt" ${date} not null
  )`,
  `create index "verification_identifier_idx" on "verification" ("identifier")`,
  `create table "twoFactor" (
    "id" text primary key not null,
    "secret" text not null,
    "backupCodes" text not null,
    "userId" text not null references "user" ("id") on delete cascade,
    "verified" ${bool},
    "failedVerificationCount" integer,
    "lockedUntil" ${date}
  )`,
  `create index "twoFactor_secret_idx" on "twoFactor" ("secret")`,
  `create index "twoFactor_userId_idx" on "twoFactor" ("userId")`,
]

const accountStepTables = [
  `create table "usedCodes" (
    "userId" text not null references "user" ("id") on delete cascade,
    "code" text not null,
    "usedAt" bigint not null,
    primary key ("userId", "code")
  )`,
  `create table "guestLinks" (
    "guestId" text primary key not null references "user" ("id") on delete cascade,
    "userId" text not null references "user" ("id") on delete cascade,
    "at" bigint not null
  )`,
  `create index "guestLinks_user" on "guestLinks" ("userId")`,
  `create table "verificationTokens" (
    "id" text primary key not null,
    "kind" text not null,
    "codeHash" text not null unique,
    "userId" text not null references "user" ("id") on delete cascade,
    "email" text not null,
    "newEmail" text,
    "createdAt" bigint not null,
    "expiresAt" bigint not null
  )`,
  `create index "verificationTokens_user" on "verificationTokens" ("userId")`,
  `create index "verificationTokens_expiry" on "verificationTokens" ("expiresAt")`,
]

const catalogTables = [
  `create table "images" (
    "id" text primary key not null,
    "path" text not null unique,
    "width" integer not null,
    "height" integer not null,
    "widths" text not null,
    "placeholder" text not null,
    "createdAt" bigint not null,
    "state" text not null default 'waiting' check ("state" in ('waiting', 'finished', 'failed')),
    "attempts" integer not null default 0,
    "nextAttemptAt" bigint not null default 0
  )`,
  `create index "images_waiting" on "images" ("state", "nextAttemptAt")`,
  `create table "categories" (
    "id" text primary key not null,
    "title" text not null,
    "color" text not null,
    "imageId" text references "images" ("id") on delete set null,
    "position" integer not null,
    ${flag('isHidden', 0)},
    "createdAt" bigint not null,
    "firstCreatedAt" bigint not null
  )`,
  `create table "colors" (
    "id" text primary key not null,
    "name" text not null,
    "imageId" text references "images" ("id") on delete set null,
    ${flag('isAvailable', 1)},
    ${flag('isLowOnStock', 0)},
    "createdAt" bigint not null,
    "firstCreatedAt" bigint not null,
    ${discount}
  )`,
  `create table "items" (
    "id" text primary key not null,
    "name" text not null,
    "categoryId" text not null references "categories" ("id") on delete restrict,
    "priceCents" integer not null check ("priceCents" > 0 or ("priceCents" = 0 and "state" = 'draft')),
    "description" text not null,
    "width" text not null default '',
    "soleType" text not null default '',
    "size" text not null default '',
    "state" text not null default 'listed' check ("state" in ('listed', 'draft', 'retired', 'sold')),
    "kind" text not null default '' check ("kind" in ('', 'unique', 'made-to-order')),
    "position" integer not null default 0,
    "tieRank" integer not null default 0,
    "revision" integer not null default 1,
    "soldSaleId" text,
    "createdAt" bigint not null,
    "firstCreatedAt" bigint not null,
    "searchName" text generated always as (fold("name")) stored,
    "searchText" text generated always as (fold("name" || ' ' || "description")) stored,
    ${discount}
  )`,
  `create index "items_newest" on "items" ("state", "createdAt" desc, "tieRank", "id")`,
  `create index "items_category_newest" on "items" ("categoryId", "createdAt" desc, "tieRank", "id")`,
  `create index "items_category_first" on "items" ("categoryId", "state", "id")`,
  `create index "items_first_created" on "items" ("state", "firstCreatedAt" desc, "tieRank", "id")`,
  `create index "items_arranged" on "items" ("state", "position", "createdAt" desc, "tieRank", "id")`,
  `create index "items_by_name" on "items" ("state", "searchName", "id")`,
  `create index "items_of_any_state_by_name" on "items" ("searchName", "id")`,
  `create index "items_by_price" on "items" ("state", ${shownPrice}, "createdAt" desc, "tieRank", "id")`,
  `create index "items_on_sale" on "items" ("state", "createdAt" desc, "tieRank", "id") where ${shownPrice} < "priceCents"`,
  `create table "itemImages" (
    "id" text primary key not null,
    "itemId" text not null references "items" ("id") on delete cascade,
    "imageId" text not null references "images" ("id") on delete cascade,
    "position" integer not null,
    ${flag('isAvailable', 1)}
  )`,
  `create index "itemImages_item" on "itemImages" ("itemId", "position")`,
  `create index "itemImages_image" on "itemImages" ("imageId")`,
  `create table "itemImageColors" (
    "itemImageId" text not null references "itemImages" ("id") on delete cascade,
    "colorId" text not null references "colors" ("id") on delete cascade,
    primary key ("itemImageId", "colorId")
  )`,
  `create index "itemImageColors_color" on "itemImageColors" ("colorId")`,
  `create table "showcase" (
    "id" text primary key not null,
    "title" text not null,
    "imageId" text references "images" ("id") on delete set null,
    "categoryId" text not null references "categories" ("id") on delete cascade,
    "deg" integer not null,
    "position" integer not null
  )`,
  `create table "favorites" (
    "userId" text not null references "user" ("id") on delete cascade,
    "itemId" text not null references "items" ("id") on delete cascade,
    "createdAt" bigint not null,
    primary key ("userId", "itemId")
  )`,
  `create index "favorites_item" on "favorites" ("itemId")`,
  `create table "discountChanges" (
    "seq" bigint primary key not null,
    "at" bigint not null,
    "noun" text not null,
    "discountType" text,
    "discountValue" integer,
    "count" integer not null,
    "isOffered" integer not null
  )`,
  `create table "previousDiscounts" (
    "seq" bigint not null,
    "id" text not null,
    "name" text not null,
    "discountType" text,
    "discountValue" integer,
    primary key ("seq", "id")
  )`,
  `create index "previousDiscounts_id" on "previousDiscounts" ("id", "seq")`,
]

export const initialSchema = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    const types = dialectTypes[dialect]
    const functions = dialect === 'postgres' ? postgresFunctions : []
    const all = [
      functions,
      accountTables(types),
      accountStepTables,
      catalogTables,
      orderTables,
      agreementTables,
      salesTables,
      recordTables(types),
    ].flat()
    for (const statement of all) await sql.raw(statement).execute(db)
  },
})
