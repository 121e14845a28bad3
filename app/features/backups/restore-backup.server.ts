/**
 * Everything is unpacked into `restoring` and checked; renaming the folder to `restored` is the
 * commit point. Then the parts move to their places. The next start completes an interrupted move.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import { migrate, migrations } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { parseTimeZone } from '#settings/regional-settings.server.ts'
import { readSettings } from '#settings/settings.server.ts'
import { recordAuditEvent } from '#services/audit-log.server.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { ensureFolder, syncFolder } from '#lib/storage/atomic-write.server.ts'
import type { FileStorage } from '#lib/storage/storage.server.ts'
import { newId15 } from '#lib/text/ids.ts'
import { formatDateTime } from '#ui/format-date-time.ts'
import { DATABASE_FILE, imageEntry, secretEntry } from './backup.ts'
import { UnusableBackupError, type Backup } from './read-backup.server.ts'

type RestoreTarget = {
  dataDir: string
  bucket: FileStorage | null
  isSqlite: boolean
  now: () => number
  timeZone: string
}

const stagingFolder = (dataDir: string) => join(dataDir, 'restoring')
const stagedFolder = (dataDir: string) => join(dataDir, 'restored')

/** No other process may use the database. Throws UnusableBackupError before the commit point. */
export async function restoreBackup(target: RestoreTarget, backup: Backup) {
  const { dataDir, bucket, isSqlite } = target
  if (isSqlite !== backup.hasDatabase) {
    throw new UnusableBackupError(
      isSqlite
        ? `${backup.name} contains no database, because its shop ran on PostgreSQL. Restore it with that DATABASE_URL`
        : `${backup.name} contains a SQLite database. Restore it without DATABASE_URL, and copy it with npm run db:copy`,
    )
  }
  const folder = stagingFolder(dataDir)
  await rm(folder, { recursive: true, force: true })
  await ensureFolder(join(folder, 'files'), 0o700)
  try {
    if (isSqlite) {
      await extract(backup, DATABASE_FILE, join(folder, DATABASE_FILE))
      await prepareDatabase(folder, backup, target)
    }
    for (const name of backup.secrets) {
      await extract(backup, secretEntry(name), join(folder, secretEntry(name)))
    }
    for (const path of backup.files) {
      const entry = imageEntry(path)
      // Image paths are unique, so no image is overwritten before the commit point.
      if (bucket) await bucket.put(path, new Uint8Array(await buffer(await backup.open(entry))))
      else await extract(backup, entry, join(folder, entry))
    }
    if (bucket) await rm(join(folder, 'files'), { recursive: true })
    await rename(folder, stagedFolder(dataDir))
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  await syncFolder(dataDir)
}

/** Runs after the commit point on a closed database. Returns false if nothing is left to move. */
export async function finishRestore(dataDir: string) {
  const folder = stagedFolder(dataDir)
  if (!existsSync(folder)) return false
  // Only one of several starting processes gets the lock. A killed process loses it.
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 60_000 })
  try {
    lock.exec('begin exclusive')
    for (const name of ['files', 'secrets', DATABASE_FILE]) {
      const from = join(folder, name)
      const to = join(dataDir, name)
      if (!existsSync(from)) continue
      // SQLite would apply the old write-ahead log to the new database.
      for (const side of name === DATABASE_FILE ? ['-wal', '-shm'] : ['']) {
        await rm(`${to}${side}`, { recursive: true, force: true })
      }
      await rename(from, to)
    }
    await syncFolder(dataDir)
    await rm(folder, { recursive: true, force: true })
    return true
  } finally {
    lock.close()
  }
}

export const discardStagedRestore = (dataDir: string) =>
  rm(stagingFolder(dataDir), { recursive: true, force: true })

async function extract(backup: Backup, entry: string, path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(await backup.open(entry), createWriteStream(path, { mode: 0o600, flush: true }))
}

async function prepareDatabase(
  folder: string,
  { name, manifest }: Backup,
  { now, timeZone }: RestoreTarget,
) {
  const refuse = (why: string) => new UnusableBackupError(`${name} ${why}`)
  try {
    const { db, close } = openSqliteDatabase(folder)
    try {
      const check = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
      if (check.rows[0]?.quick_check !== 'ok') {
        throw refuse(`is damaged: its database is broken (${check.rows[0]?.quick_check})`)
      }
      const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
      const unknown = rows
        .map((migration) => migration.name)
        .find((migration) => !Object.hasOwn(migrations('sqlite'), migration))
      if (unknown !== undefined) {
        throw refuse(
          `was made by a newer version of the shop (${unknown.slice(0, 60)}). Bring that version here first`,
        )
      }
      await migrate(db, 'sqlite').catch(() => {
        throw refuse('was not made by any version of the shop: its tables do not match')
      })
      const problem = (await schemaProblem(db)) ?? (await valueProblem(db))
      if (problem) throw refuse(problem)
      // These rows are only valid in the shop that made the backup.
      for (const table of ['backups', 'importPreviews'] as const) {
        await db.deleteFrom(table).execute()
      }
      await db.transaction().execute(async (tx) => {
        const { madeAt } = manifest
        // An invalid setting in the backup must not prevent the restore.
        const ownZone = await readSettings(tx)
          .then((settings) => parseTimeZone(settings.timeZone))
          .catch(() => null)
        return recordAuditEvent(tx, {
          at: now(),
          actor: OWNER_ID,
          act: 'restore-backup',
          subject: newId15(),
          name: formatDateTime(Date.parse(madeAt), ownZone || timeZone),
          detail: { madeAt },
        })
      })
    } finally {
      await close()
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') throw error
    throw refuse(
      `is damaged: its database cannot be read (${(error as Error).message.slice(0, 100)})`,
    )
  }
}

/** Compares the schema, because a malicious database could contain triggers. */
async function schemaProblem(db: Db) {
  const own = openSqliteDatabase(null)
  try {
    await migrate(own.db, 'sqlite')
    const isSame = (await schemaOf(db)) === (await schemaOf(own.db))
    return isSame ? null : 'has other tables, columns or triggers than a shop of this version'
  } finally {
    await own.close()
  }
}

async function schemaOf(db: Db) {
  const { rows } =
    await sql`select type, name, sql from sqlite_master where name not like 'sqlite_stat%' order by type, name`.execute(
      db,
    )
  return JSON.stringify(rows)
}

const storageClasses: [type: RegExp, allowed: string[]][] = [
  [/int|bool/i, ['integer']],
  [/real|double|float/i, ['real', 'integer']],
  [/text|char|date/i, ['text']],
]

async function valueProblem(db: Db) {
  for (const { name: table, columns } of await db.introspection.getTables()) {
    for (const { name: column, dataType } of columns) {
      const allowed = storageClasses.find(([type]) => type.test(dataType))?.[1]
      if (!allowed) continue
      const { rows } = await sql`select 1 from ${sql.table(table)}
        where typeof(${sql.ref(column)}) not in (${sql.join([...allowed, 'null'])}) limit 1`.execute(
        db,
      )
      if (rows.length > 0) return `is damaged: a value of ${table}.${column} has the wrong type`
    }
  }
  const { rows } = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  return rows[0] ? `is damaged: a row of ${rows[0].table} refers to one that does not exist` : null
}
