import { countText } from '../../app/ui/amounts.ts'
import { backupError, createBackup } from '../../app/features/backups/create-backup.server.ts'
import { openBackup, UnusableBackupError, verifyBackup, type Backup } from '../../app/features/backups/read-backup.server.ts'
import { finishRestore, restoreBackup } from '../../app/features/backups/restore-backup.server.ts'
import type { Database } from '../../app/lib/db/database.server.ts'
import type { Env } from '../../app/platform/env.server.ts'
import { shapeOf } from '../../db/migrate.ts'
import { withStartupLock } from '../startup-lock.ts'
import {
  backupSourceOf,
  openDatabase,
  openImages,
  OthersConnectedError,
  refuse,
  startLine,
  typedPath,
  whereOf,
  type Command,
} from './command.ts'

async function restore(env: Env, backup: Backup, mayBackUp: boolean): Promise<number> {
  // Held open, and so locked, until the restore is decided.
  const database = await openDatabase(env, true)
  try {
    const isNew = (await shapeOf(database.db, database.dialect)) === 'none'
    if (mayBackUp && !isNew && !(await backUpBefore(env, database))) return 1
    const bucket = env.filesUrl ? await openImages(env) : null
    const isSqlite = env.databaseUrl === null
    await restoreBackup({ dataDir: env.dataDir, bucket, isSqlite, now: () => Date.now(), timeZone: env.timeZone }, backup)
  } finally {
    await database.close()
  }
  await finishRestore(env.dataDir)
  for (const path of backup.manifest.missing) console.log(`The picture ${path} was missing when the backup was made.`)
  console.log(`\nThe shop in ${whereOf(env)} is as it was on ${backup.manifest.madeAt}. Start it with ${startLine(env)}.`)
  if (!backup.hasDatabase) console.log('The backup holds no database: bring that back with pg_restore (docs/operating.md, "PostgreSQL").')
  return 0
}

async function backUpBefore(env: Env, database: Database): Promise<boolean> {
  try {
    const made = await createBackup(backupSourceOf(env, database, await openImages(env)), 'before-restore')
    console.log(`What was there is in ${made.path}`)
    return true
  } catch (error) {
    console.error(
      `What is there now cannot be backed up: ${backupError(error)} Nothing was changed. --without-backup restores all the same.`,
    )
    return false
  }
}

export const command: Command = {
  usage: `npm run restore -- <file> [--check]

  <file>             a backup that npm run backup, the page of backups or the night has made
  --check            only read it from front to end and compare every checksum; nothing is changed
  --without-backup   do not back up what is there now (when it is too broken for that)

Everything that the shop holds is replaced by what is in the backup: all or nothing. What is there now is backed up before. The
shop must not be open meanwhile. It is the one of DATA_DIR and DATABASE_URL, as for npm start. More: docs/operating.md, "Backup".`,
  options: { check: { type: 'boolean' }, 'without-backup': { type: 'boolean' } },
  async run(env, values, [path, ...more]) {
    if (path === undefined || more.length > 0) return null
    try {
      const backup = await openBackup(typedPath(path))
      try {
        await verifyBackup(backup)
        const contents = `${backup.hasDatabase ? 'the database and ' : ''}${countText(backup.files.length, 'picture file')}`
        console.log(`${backup.name} is whole: ${contents} of ${backup.manifest.madeAt}; every checksum is right.`)
        if (values.check) return 0
        // A shop that starts meanwhile waits, and finds what was brought back.
        return await withStartupLock(
          env.listenUrl,
          () => restore(env, backup, !values['without-backup']),
          (line) => console.log(line),
        )
      } finally {
        backup.close()
      }
    } catch (error) {
      if (error instanceof UnusableBackupError || error instanceof OthersConnectedError) return refuse(error.message)
      throw error
    }
  },
}
