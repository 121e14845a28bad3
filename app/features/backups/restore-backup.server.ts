/**
 * Restores a backup in three steps. First, everything is unpacked into the folder `restoring` and checked. Then this folder is renamed to
 * `restored`, which is the commit point. Finally, each part is moved to its place in the data folder. If the process is killed after the commit
 * point, the next start of the shop finds `restored` and completes the move.
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
import { ADMIN_ID } from '#app/services/admin-id.ts'
import { parseTimeZone } from '#app/features/settings/regional-settings.server.ts'
import { readSettings } from '#app/features/settings/settings.server.ts'
import { recordAuditEvent } from '#app/services/audit-log.server.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { ensureFolder, syncFolder } from '#app/lib/storage/atomic-write.server.ts'
import type { FileStorage } from '#app/lib/storage/storage.server.ts'
import { newId15 } from '#app/lib/text/ids.ts'
import { formatDateTime } from '#app/ui/format-date-time.ts'
import { DATABASE_FILE, imageEntry, secretEntry } from './backup.ts'
import { UnusableBackupError, type Backup } from './read-backup.server.ts'

type RestoreTarget = {
  dataDir: string
  /** The image storage outside the data folder (STORAGE_URL), or null if the images are in the data folder. */
  bucket: FileStorage | null
  /** Is false for a shop on PostgreSQL, whose rows must be restored with pg_restore. */
  isSqlite: boolean
  now: () => number
  /** the time zone that is used if the settings of the backup contain none */
  timeZone: string
}

const stagingFolder = (dataDir: string) => join(dataDir, 'restoring')
const stagedFolder = (dataDir: string) => join(dataDir, 'restored')

/** The backup must be verified, and no other process may use the database. If the backup is unusable, throws UnusableBackupError before the commit point. */
export async function restoreBackup(target: RestoreTarget, backup: Backup): Promise<void> {
  const { dataDir, bucket, isSqlite } = target
  if (isSqlite !== backup.hasDatabase)
    throw new UnusableBackupError(
      isSqlite
        ? `${backup.name} contains no database, because its shop ran on PostgreSQL. Restore it with that DATABASE_URL`
        : `${backup.name} contains a SQLite database. Restore it without DATABASE_URL, and copy it with npm run db:copy`,
    )
  const folder = stagingFolder(dataDir)
  await rm(folder, { recursive: true, force: true })
  await ensureFolder(join(folder, 'files'), 0o700)
  try {
    if (isSqlite) {
      await extract(backup, DATABASE_FILE, join(folder, DATABASE_FILE))
      await prepareDatabase(folder, backup, target)
    }
    for (const name of backup.secrets)
      await extract(backup, secretEntry(name), join(folder, secretEntry(name)))
    for (const path of backup.files) {
      const entry = imageEntry(path)
      // An image may be stored before the commit point, because it overwrites nothing: no other image ever has the same path.
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

/** Completes a restore that has reached its commit point, even if the process that began the restore was killed. Returns false if there is no such restore. The database must be closed. */
export async function finishRestore(dataDir: string): Promise<boolean> {
  const folder = stagedFolder(dataDir)
  if (!existsSync(folder)) return false
  // If several processes start at the same time, only one of them gets the lock. The operating system releases the lock of a killed process.
  const lock = new DatabaseSync(join(folder, 'lock.db'), { timeout: 60_000 })
  try {
    lock.exec('begin exclusive')
    for (const name of ['files', 'secrets', DATABASE_FILE]) {
      const [from, to] = [join(folder, name), join(dataDir, name)]
      if (!existsSync(from)) continue
      // Also deletes the write-ahead log of the old database, which SQLite would apply to the new database.
      for (const side of name === DATABASE_FILE ? ['-wal', '-shm'] : [''])
        await rm(`${to}${side}`, { recursive: true, force: true })
      await rename(from, to)
    }
    await syncFolder(dataDir)
    await rm(folder, { recursive: true, force: true })
    return true
  } finally {
    lock.close()
  }
}

/** Deletes the files of a restore that has not reached its commit point. */
export const discardStagedRestore = (dataDir: string): Promise<void> =>
  rm(stagingFolder(dataDir), { recursive: true, force: true })

async function extract(backup: Backup, entry: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await pipeline(await backup.open(entry), createWriteStream(path, { mode: 0o600, flush: true }))
}

/** Checks and migrates the unpacked database, and records the restore in its audit log. */
async function prepareDatabase(
  folder: string,
  { name, manifest }: Backup,
  { now, timeZone }: RestoreTarget,
): Promise<void> {
  const refuse = (why: string) => new UnusableBackupError(`${name} ${why}`)
  try {
    const { db, close } = openSqliteDatabase(folder)
    try {
      const check = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
      if (check.rows[0]?.quick_check !== 'ok')
        throw refuse(`is damaged: its database is broken (${check.rows[0]?.quick_check})`)
      const { rows: made } = await sql<{ name: string }>`select name from kysely_migration`.execute(
        db,
      )
      const unknown = made
        .map(({ name }) => name)
        .find((migration) => !Object.hasOwn(migrations('sqlite'), migration))
      if (unknown !== undefined)
        throw refuse(
          `was made by a newer version of the shop (${unknown.slice(0, 60)}). Bring that version here first`,
        )
      await migrate(db, 'sqlite').catch(() => {
        throw refuse('was not made by any version of the shop: its tables do not match')
      })
      const problem = (await schemaProblem(db)) ?? (await valueProblem(db))
      if (problem) throw refuse(problem)
      // Deletes rows about backups and imports, which are only meaningful on the machine that made the backup.
      for (const table of ['backups', 'importPreviews'] as const)
        await db.deleteFrom(table).execute()
      await db.transaction().execute(async (tx) => {
        const { madeAt } = manifest
        // An invalid setting in the backup must not prevent the restore.
        const ownZone = await readSettings(tx)
          .then((settings) => parseTimeZone(settings.timeZone))
          .catch(() => null)
        const about = {
          subject: newId15(),
          name: formatDateTime(Date.parse(madeAt), ownZone || timeZone),
          detail: { madeAt },
        }
        return recordAuditEvent(tx, { at: now(), actor: ADMIN_ID, act: 'restore-backup', ...about })
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

/** Returns null if the database has exactly the schema that the migrations create. A malicious database could contain triggers, for example. */
async function schemaProblem(db: Db): Promise<string | null> {
  const own = openSqliteDatabase(null)
  try {
    await migrate(own.db, 'sqlite')
    const isSame = (await schemaOf(db)) === (await schemaOf(own.db))
    return isSame ? null : 'has other tables, columns or triggers than a shop of this version'
  } finally {
    await own.close()
  }
}

async function schemaOf(db: Db): Promise<string> {
  const { rows } =
    await sql`select type, name, sql from sqlite_master where name not like 'sqlite_stat%' order by type, name`.execute(
      db,
    )
  return JSON.stringify(rows)
}

/** For each type of column, the types of values that the shop can read. SQLite accepts values of any type in any column. */
const storageClasses: [type: RegExp, allowed: string[]][] = [
  [/int|bool/i, ['integer']],
  [/real|double|float/i, ['real', 'integer']],
  [/text|char|date/i, ['text']],
]

async function valueProblem(db: Db): Promise<string | null> {
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
  const broken = await sql<{ table: string }>`pragma foreign_key_check`.execute(db)
  return broken.rows[0]
    ? `is damaged: a row of ${broken.rows[0].table} refers to one that does not exist`
    : null
}
