/** npm run backup: the whole shop in one archive; the shop may be open meanwhile (docs/decisions/045-backups.md). */
import { join } from 'node:path'
import { shapeOf } from '../db/migrate.ts'
import { countText, sizeText } from '../app/ui/amounts.ts'
import { makeBackup, NoRoom } from '../app/features/backups/make-backup.server.ts'
import { isShopThere, openBeside, whereOf } from './beside-shop.ts'
import { readArguments, runCommand, typedPath } from './command.ts'

const usage = `npm run backup [-- --to <folder>]

Writes the whole shop into one archive: rows, pictures, keys. It is read again and compared before it gets its name.
It goes into BACKUP_DIR, or else into backups/ of the data folder. The shop is the one of DATA_DIR and DATABASE_URL, as for
npm start, and may be open meanwhile.`

const { values } = readArguments(usage, { options: { to: { type: 'string' }, help: { type: 'boolean', default: false } } })

await runCommand(async (env) => {
  if (values.help) {
    console.log(usage)
    return 0
  }
  const refuse = (why: string) => {
    console.error(`${why} Nothing was written.`)
    return 1
  }
  if (!isShopThere(env)) return refuse(`There is no shop in ${whereOf(env)}. Name its folder with DATA_DIR.`)
  const shop = await openBeside(env, { isAlone: false })
  try {
    if ((await shapeOf(shop.db, shop.dialect)) === 'none') return refuse(`There is no shop in ${whereOf(env)}.`)
    const folder = values.to === undefined ? env.backup.folder : typedPath(values.to)
    const made = await makeBackup({ ...shop, backup: { ...env.backup, ...shop, folder, secrets: join(env.dataDir, 'secrets') } }, 'by-hand')
    for (const path of made.missing) console.error(`The file of the picture ${path} is missing in the shop; its row is in the backup.`)
    console.log(
      `${made.path}\n${countText(made.rows, 'row')}, ${countText(made.files, 'picture file')}, ${sizeText(made.size)}; every checksum is right.`,
    )
    return 0
  } catch (error) {
    if (error instanceof NoRoom) return refuse(error.message)
    throw error
  } finally {
    await shop.close()
  }
})
