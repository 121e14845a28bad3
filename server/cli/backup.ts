import { schemaState } from '../../db/migrate.ts'
import { pluralize, formatBytes } from '#app/ui/format-count.ts'
import {
  createBackup,
  InsufficientSpaceError,
} from '../../app/features/backups/create-backup.server.ts'
import type { Command } from './command.ts'
import {
  backupSourceOf,
  databaseExists,
  noShopText,
  openDatabase,
  openImageStorage,
  optionalPath,
  refuse,
} from './command.ts'

export const command: Command = {
  usage: `npm run backup [-- --to <folder>]

Writes the database, the pictures and the secrets into one zip file, and verifies it. With PostgreSQL the zip file contains no
database: back it up with pg_dump. The file is stored in BACKUP_DIR, or in backups/ of the data folder. The command uses the shop of
DATA_DIR and DATABASE_URL, as npm start does. The shop may be running.`,
  options: { to: { type: 'string' } },
  async run(env, { to }, positionals) {
    if (positionals.length > 0) return null
    if (!databaseExists(env)) return refuse(noShopText(env))
    const database = await openDatabase(env, false)
    try {
      if ((await schemaState(database.db, database.dialect)) === 'none')
        return refuse(noShopText(env))
      const source = backupSourceOf(env, database, await openImageStorage(env))
      const folder = optionalPath(to) ?? env.backup.folder
      const made = await createBackup(
        { ...source, backup: { ...source.backup, folder } },
        'by-hand',
      )
      for (const path of made.missing)
        console.error(
          `The shop has no file for the picture ${path}; the backup contains its record.`,
        )
      console.log(
        `${made.path}\n${pluralize(made.files, 'picture file')}, ${formatBytes(made.size)}; all checksums match.`,
      )
      if (!source.backup.copyDatabase)
        console.log(
          'The backup does not contain the database. Back it up with pg_dump (docs/deployment.md, "PostgreSQL").',
        )
      return 0
    } catch (error) {
      if (error instanceof InsufficientSpaceError) return refuse(error.message)
      throw error
    } finally {
      await database.close()
    }
  },
}
