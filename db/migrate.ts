/** Forward-only migrations, run at every start. Before one changes a SQLite file, the whole file is copied into the backups. */
import { sql } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { Db, Tx } from './tables.ts'
import type { Dialect } from './migrations/dialect.ts'
import { accounts } from './migrations/001-accounts.ts'
import { catalogue } from './migrations/002-catalogue.ts'
import { conversations } from './migrations/003-conversations.ts'
import { salesAndRecords } from './migrations/004-sales-and-records.ts'
import { outboxClaims } from './migrations/005-outbox-claims.ts'
import { testimonyWrittenAt } from './migrations/006-testimony-written-at.ts'
import { search } from './migrations/007-search.ts'
import { pictures } from './migrations/008-pictures.ts'
import { itemRevision } from './migrations/009-item-revision.ts'
import { history } from './migrations/010-history.ts'
import { imports } from './migrations/011-imports.ts'
import { messagePictures } from './migrations/012-message-pictures.ts'
import { awareness } from './migrations/013-awareness.ts'
import { invoices } from './migrations/014-invoices.ts'
import { unread } from './migrations/015-unread.ts'
import { requests } from './migrations/016-requests.ts'
import { conversationList } from './migrations/017-conversation-list.ts'
import { salesByPage } from './migrations/018-sales-by-page.ts'
import { guests } from './migrations/021-guests.ts'
import { addressProofs } from './migrations/024-address-proofs.ts'
import { secondFactor } from './migrations/025-second-factor.ts'
import { byPerson } from './migrations/027-by-person.ts'
import { growth } from './migrations/029-growth.ts'
import { signalsAndLimits } from './migrations/030-signals.ts'
import { backups } from './migrations/031-backups.ts'
import { tableChecks } from './migrations/032-table-checks.ts'
import { identities } from './migrations/033-identities.ts'

/**
 * All that there are, in their order; the names are kept in each database. A new one comes last: a shop that has gone past a free number refuses
 * whatever is put in there.
 */
export const migrations = (dialect: Dialect): Record<string, Migration> => ({
  '001-accounts': accounts(dialect),
  '002-catalogue': catalogue,
  '003-conversations': conversations,
  '004-sales-and-records': salesAndRecords(dialect),
  '005-outbox-claims': outboxClaims,
  '006-testimony-written-at': testimonyWrittenAt,
  '007-search': search(dialect),
  '008-pictures': pictures,
  '009-item-revision': itemRevision,
  '010-history': history,
  '011-imports': imports,
  '012-message-pictures': messagePictures,
  '013-awareness': awareness,
  '014-invoices': invoices,
  '015-unread': unread,
  '016-requests': requests,
  '017-conversation-list': conversationList,
  '018-sales-by-page': salesByPage,
  '021-guests': guests,
  '024-address-proofs': addressProofs,
  '025-second-factor': secondFactor(dialect),
  '027-by-person': byPerson,
  '029-growth': growth(dialect),
  '030-signals': signalsAndLimits(dialect),
  '031-backups': backups,
  '032-table-checks': tableChecks,
  '033-identities': identities,
})

const migratorOf = (db: Db, dialect: Dialect) => new Migrator({ db, provider: { getMigrations: async () => migrations(dialect) } })

/** Names of those that the tables have gone through, as a transaction sees it. */
export async function migrationsOf(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(tx)
  return rows.map(({ name }) => name)
}

/** Whether the tables are those of this version; changes nothing. 'none': there are none at all. */
export async function shapeOf(db: Db, dialect: Dialect): Promise<'ours' | 'older' | 'none'> {
  const known = await migratorOf(db, dialect).getMigrations()
  const executed = known.filter((migration) => migration.executedAt).length
  return executed === known.length ? 'ours' : executed > 0 ? 'older' : 'none'
}

/** Brings the database to the newest shape; `backUp` runs first when something is to change in a database that is in use. */
export async function migrate(db: Db, dialect: Dialect, backUp: () => Promise<void> = async () => {}): Promise<string[]> {
  const migrator = migratorOf(db, dialect)
  const known = await migrator.getMigrations()
  const waiting = known.filter((migration) => !migration.executedAt)
  if (waiting.length === 0) return []
  if (waiting.length < known.length) await backUp()
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}
