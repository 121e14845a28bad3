import { pluralize } from '#ui/format-count.ts'
import { backupError, createBackup } from '#backups/create-backup.server.ts'
import {
  openBackup,
  UnusableBackupError,
  verifyBackup,
  type Backup,
} from '#backups/read-backup.server.ts'
import { finishRestore, restoreBackup } from '#backups/restore-backup.server.ts'
import type { Database } from '#services/database.server.ts'
import type { Env } from '#lib/config/env.server.ts'
import { schemaState } from '#db/migrate.ts'
import { withStartupLock } from '../startup-lock.ts'
import {
  backupSourceOf,
  openDatabase,
  openImageStorage,
  OthersConnectedError,
  refuse,
  startCommand,
  resolveUserPath,
  describeTarget,
  type Command,
} from './command.ts'

async function restore(env: Env, backup: Backup, mayBackUp: boolean) {
  const database = await openDatabase(env, true)
  try {
    const isNew = (await schemaState(database.db, database.dialect)) === 'none'
    if (mayBackUp && !isNew && !(await backUpBefore(env, database))) return 1
    const bucket = env.filesUrl ? await openImageStorage(env) : null
    const isSqlite = env.databaseUrl === null
    await restoreBackup(
      { dataDir: env.dataDir, bucket, isSqlite, now: () => Date.now(), timeZone: env.timeZone },
      backup,
    )
  } finally {
    await database.close()
  }
  await finishRestore(env.dataDir)
  for (const path of backup.manifest.missing) {
    console.log(`The picture ${path} was missing when the backup was made.`)
  }
  console.log(
    `\nThe shop in ${describeTarget(env)} is as it was on ${backup.manifest.madeAt}. Start it with ${startCommand(env)}.`,
  )
  if (!backup.hasDatabase) {
    console.log(
      'The backup does not contain the database. Restore it with pg_restore (docs/deployment.md, "PostgreSQL").',
    )
  }
  return 0
}

async function backUpBefore(env: Env, database: Database) {
  try {
    const backup = await createBackup(
      backupSourceOf(env, database, await openImageStorage(env)),
      'before-restore',
    )
    console.log(`The previous state is in ${backup.path}`)
    return true
  } catch (error) {
    console.error(
      `The current state cannot be backed up: ${backupError(error)} Nothing was changed. Use --without-backup to restore without a backup.`,
    )
    return false
  }
}

export const command: Command = {
  usage: `npm run restore -- <file> [--check]

  <file>             a backup: made by npm run backup, on the Backups page or automatically
  --check            only read the whole backup and compare its checksums; change nothing
  --without-backup   do not back up the current state (when it is too damaged)

The backup replaces the whole content of the shop, or nothing. The command backs up the current state first. It uses the shop of
DATA_DIR and DATABASE_URL, as npm start does. The shop must not be running. See docs/deployment.md, "Backup".`,
  options: { check: { type: 'boolean' }, 'without-backup': { type: 'boolean' } },
  async run(env, values, [path, ...more]) {
    if (path === undefined || more.length > 0) return null
    try {
      const backup = await openBackup(resolveUserPath(path))
      try {
        await verifyBackup(backup)
        const contents = `${backup.hasDatabase ? 'the database and ' : ''}${pluralize(backup.files.length, 'picture file')}`
        console.log(
          `${backup.name} is complete: ${contents} of ${backup.manifest.madeAt}; all checksums match.`,
        )
        if (values.check) return 0
        return await withStartupLock(
          env.listenUrl,
          () => restore(env, backup, !values['without-backup']),
          console.log,
        )
      } finally {
        backup.close()
      }
    } catch (error) {
      if (error instanceof UnusableBackupError || error instanceof OthersConnectedError) {
        return refuse(error.message)
      }
      throw error
    }
  },
}
