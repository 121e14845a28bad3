/**
 * Several processes on one PostgreSQL (043). There each transaction tells by itself, at its commit and not before, what it has changed: a process
 * that is killed right after it leaves nobody with old pages. And what all of them share: counters of tries, and marks of what has been done.
 */
import { sql, type Kysely } from 'kysely'
import type { Dialect } from './dialect.ts'

/** NOTIFY of this channel: the transaction's number and its topics as a JSON list. */
export const CHANNEL = 'knots_and_love'

/**
 * What a change of a table's rows means to who listens; topics are those of app/platform/live.server.ts. `of`: topics that end in an id, and the
 * column that has it; `end:` says that a session is over. `shown`: told only where the flag is set, before or after. `but`: columns that nobody sees.
 */
export type Signal = {
  topics?: string[]
  of?: Record<string, string>
  shown?: { topic: string; flag: string }
  but?: string[]
  at?: ('insert' | 'update' | 'delete')[]
}

const catalogueHas = { topics: ['catalogue'] } satisfies Signal
const inConversation = { topics: ['orders'], of: { 'order:': 'orderId' } } satisfies Signal
const ofPerson = { of: { 'user:': 'userId' } } satisfies Signal
const lastChanges = ['update', 'delete'] satisfies Signal['at']

/** A table that is not named here tells nothing, which its own test knows (db/signals.test.ts). */
export const signals: Record<string, Signal> = {
  categories: catalogueHas,
  colors: catalogueHas,
  items: catalogueHas,
  itemPictures: catalogueHas,
  itemPictureColors: catalogueHas,
  showcase: catalogueHas,
  discountChanges: catalogueHas,
  settings: { topics: ['settings'] },
  orders: { topics: ['orders'], of: { 'order:': 'id' } },
  orderItems: inConversation,
  messages: inConversation,
  messagePictures: inConversation,
  readMarks: inConversation,
  savedReplies: { topics: ['orders'] },
  sales: { topics: ['sales'] },
  requests: { topics: ['orders'] },
  invoices: { topics: ['sales'] },
  testimonies: { topics: ['tickets'], shown: { topic: 'testimonials', flag: 'showOnPage' } },
  outbox: { topics: ['mail'], but: ['claimedUntil', 'attempts', 'nextAttemptAt'] },
  favourites: ofPerson,
  account: ofPerson,
  twoFactor: ofPerson,
  addressProofs: ofPerson,
  user: { topics: ['orders'], of: { 'user:': 'id', 'order:': 'id' }, at: lastChanges },
  session: { of: { 'end:': 'id', 'user:': 'userId' }, at: ['delete'] },
}

/**
 * Up to a hundred rows of a statement are looked at, so that nobody hears of what is not theirs, nor of a change that was none. Of more, everybody
 * hears. What is said twice within a transaction NOTIFY sends once.
 */
const tellBody = `
declare
  topics text[] := string_to_array(tg_argv[0], ' ');
  is_many boolean := false;
  changed jsonb[];
begin
  if tg_op = 'INSERT' then
    select array_agg(to_jsonb(r)) into changed from (select * from new_rows limit 101) r;
    is_many := cardinality(changed) > 100;
  elsif tg_op = 'DELETE' then
    select array_agg(to_jsonb(r)) into changed from (select * from old_rows limit 101) r;
    is_many := cardinality(changed) > 100;
  elsif (select count(*) from (select from new_rows limit 101) r) > 100 then
    is_many := true;
  else
    with was as (select to_jsonb(r) whole, to_jsonb(r) - string_to_array(tg_argv[4], ' ') part from old_rows r),
      became as (select to_jsonb(r) whole, to_jsonb(r) - string_to_array(tg_argv[4], ' ') part from new_rows r)
    select array_agg(differs.whole) into changed from (
      select whole from was where part not in (select part from became)
      union all select whole from became where part not in (select part from was)
    ) differs;
  end if;
  if changed is null and not is_many then return null; end if;
  if is_many and (tg_argv[1] <> '' or tg_argv[2] <> '') then
    topics := array['*'];
  elsif not is_many then
    topics := topics || array(
      select distinct topic from (
        select split_part(pair, '=', 1) || (whole ->> split_part(pair, '=', 2)) topic
          from unnest(changed) whole, unnest(string_to_array(tg_argv[1], ' ')) pair
        union all select tg_argv[2] from unnest(changed) whole where whole ->> tg_argv[3] = '1'
      ) of_rows where topic is not null order by topic
    );
  end if;
  if octet_length(topics::text) > 7000 then topics := array['*']; end if;
  if cardinality(topics) > 0 then
    perform pg_notify('${CHANNEL}', (jsonb_build_array(pg_current_xact_id()::text) || to_jsonb(topics))::text);
  end if;
  return null;
end`

const rowsOf = { insert: 'new table as new_rows', update: 'old table as old_rows new table as new_rows', delete: 'old table as old_rows' }

/** For migrations that make a table later. */
export async function tellChanges(db: Kysely<unknown>, table: string, signal: Signal): Promise<void> {
  const { topics = [], of = {}, shown = { topic: '', flag: '' }, but = [], at = ['insert', 'update', 'delete'] } = signal
  const pairs = Object.entries(of).map(([prefix, column]) => `${prefix}=${column}`)
  const texts = [topics.join(' '), pairs.join(' '), shown.topic, shown.flag, but.join(' ')]
  const given = sql.join(texts.map((text) => sql.lit(text)))
  for (const event of at)
    await sql`create trigger ${sql.ref(`tell_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      referencing ${sql.raw(rowsOf[event])} for each statement execute function tell_change(${given})`.execute(db)
}

export const signalsAndLimits = (dialect: Dialect) => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('rateLimits')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('points', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('expire', 'bigint')
      .execute()
    await db.schema.createIndex('rateLimits_expire').on('rateLimits').column('expire').execute()
    await db.schema
      .createTable('marks')
      .addColumn('key', 'text', (c) => c.primaryKey().notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .execute()
    if (dialect !== 'postgres') return
    await sql.raw(`create function tell_change() returns trigger language plpgsql as $tell$${tellBody}$tell$`).execute(db)
    for (const [table, signal] of Object.entries(signals)) await tellChanges(db, table, signal)
  },
})
