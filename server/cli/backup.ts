import { shapeOf } from '../../db/migrate.ts'
import { countText, sizeText } from '../../app/ui/amounts.ts'
import { createBackup, InsufficientSpaceError } from '../../app/features/backups/create-backup.server.ts'
import { backupSourceOf, isShopThere, noShopIn, openDatabase, openImages, optionalPath, refuse, type Command } from './command.ts'

export const command: Command = {
  usage: `npm run backup [-- --to <folder>]

Writes the database, the pictures and the keys into one zip file, which is read again and compared before it gets its name. With
PostgreSQL it holds no database: pg_dump saves that. It goes into BACKUP_DIR, or else into backups/ of the data folder. The shop is
the one of DATA_DIR and DATABASE_URL, as for npm start, and may be open meanwhile.`,
  options: { to: { type: 'string' } },
  async run(env, { to }) {
    if (!isShopThere(env)) return refuse(noShopIn(env))
    const database = await openDatabase(env, false)
    try {
      if ((await shapeOf(database.db, database.dialect)) === 'none') return refuse(noShopIn(env))
      const source = backupSourceOf(env, database, await openImages(env))
      const folder = optionalPath(to) ?? env.backup.folder
      const made = await createBackup({ ...source, backup: { ...source.backup, folder } }, 'by-hand')
      for (const path of made.missing) console.error(`The file of the picture ${path} is missing in the shop; its row is in the backup.`)
      console.log(`${made.path}\n${countText(made.files, 'picture file')}, ${sizeText(made.size)}; every checksum is right.`)
      if (!source.backup.copyDatabase) console.log('The database is not in it: save it with pg_dump (docs/operating.md, "PostgreSQL").')
      return 0
    } catch (error) {
      if (error instanceof InsufficientSpaceError) return refuse(error.message)
      throw error
    } finally {
      await database.close()
    }
  },
}
