import { pluralize } from '#ui/format-count.ts'
import { formatBytes } from '#ui/format-bytes.ts'
import { createBackup, InsufficientSpaceError } from '#backups/create-backup.server.ts'
import {
  backupSourceOf,
  openImageStorage,
  optionalPath,
  refuse,
  withShop,
  type Command,
} from './command.ts'

export const command: Command = {
  usage: `npm run backup [-- --to <folder>]

Writes the database, the pictures and the secrets into one zip file, and verifies it. With PostgreSQL the zip file contains no
database: back it up with pg_dump. The file is stored in BACKUP_DIR, or in backups/ of the data folder. The command uses the shop of
DATA_DIR and DATABASE_URL, as npm start does. The shop may be running.`,
  options: { to: { type: 'string' } },
  async run(env, { to }, positionals) {
    if (positionals.length > 0) return null
    return withShop(env, { mayBeOlder: true }, async (database) => {
      const source = backupSourceOf(env, database, await openImageStorage(env))
      const folder = optionalPath(to) ?? env.backup.folder
      try {
        const backup = await createBackup(
          { ...source, backup: { ...source.backup, folder } },
          'by-hand',
        )
        report(backup, source.backup.copyDatabase !== null)
        return 0
      } catch (error) {
        if (error instanceof InsufficientSpaceError) return refuse(error.message)
        throw error
      }
    })
  },
}

function report(backup: Awaited<ReturnType<typeof createBackup>>, hasDatabase: boolean) {
  for (const path of backup.missing) {
    console.error(`The shop has no file for the picture ${path}; the backup contains its record.`)
  }
  console.log(
    `${backup.path}\n${pluralize(backup.files, 'picture file')}, ${formatBytes(backup.size)}; all checksums match.`,
  )
  if (!hasDatabase) {
    console.log(
      'The backup does not contain the database. Back it up with pg_dump (docs/deployment.md, "PostgreSQL").',
    )
  }
}
