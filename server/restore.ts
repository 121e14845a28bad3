/** npm run restore -- <file>: an archive in the place of whatever the shop holds (docs/decisions/045-backups.md). */
import { join } from 'node:path'
import { migrate, shapeOf } from '../db/migrate.ts'
import { countText } from '../app/ui/amounts.ts'
import { makeBackup, whyNot } from '../app/features/backups/make-backup.server.ts'
import { refuseOthersThings, refuseUnknownVersion } from '../app/features/backups/load-rows.server.ts'
import { openArchive, UnusableArchive, type Archive } from '../app/features/backups/read-archive.server.ts'
import { isEmpty, restoreArchive } from '../app/features/backups/restore.server.ts'
import { settleRestore } from '../app/features/backups/restoring.server.ts'
import { listAll } from '../app/features/backups/shape.server.ts'
import { verifyArchive } from '../app/features/backups/verify-archive.server.ts'
import type { Env } from '../app/platform/env.server.ts'
import { openBeside, OthersAreThere, whereOf } from './beside-shop.ts'
import { readArguments, runCommand, typedPath } from './command.ts'
import { inTurn } from './start-in-turn.ts'

const usage = `npm run restore -- <file> [--check]

  <file>             an archive that npm run backup, the page of backups or the night has made
  --check            only read it from front to end and compare every checksum; nothing is changed
  --without-backup   do not back up what is there now (when it is too broken for that)

Everything that the shop holds is replaced by what is in the archive: all or nothing. What is there now is backed up before. The
shop must not be open meanwhile. It is the one of DATA_DIR and DATABASE_URL, as for npm start. More: docs/operating.md, "Backup".`

const { values, positionals } = readArguments(usage, {
  allowPositionals: true,
  options: {
    check: { type: 'boolean', default: false },
    'without-backup': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

async function restore(env: Env, archive: Archive): Promise<number> {
  const shop = await openBeside(env, { isAlone: true })
  try {
    refuseUnknownVersion(archive, shop.dialect)
    const place = { dataDir: env.dataDir, files: shop.files }
    // A shop of an older version is kept as it is: only the copy of it is read again.
    const isNew = (await shapeOf(shop.db, shop.dialect)) === 'none'
    if (isNew) refuseOthersThings(await listAll(shop.db, shop.dialect))
    const isBare = isNew || (await isEmpty(shop.db, shop.dialect))
    if (!isBare && !values['without-backup'] && !(await backUpBefore(env, shop))) return 1
    await migrate(shop.db, shop.dialect)
    await settleRestore(shop.db, place)
    const loaded = await restoreArchive({ ...shop, ...place, timeZone: env.timeZone }, archive)
    for (const { table, rows, sum } of loaded) console.log(`  ${table.padEnd(20)} ${String(rows).padStart(8)}  ${sum.slice(0, 12)}`)
    console.log(`\nThe shop in ${whereOf(env)} is as it was on ${archive.manifest.madeAt}, row by row. Start it with npm start.`)
    for (const path of archive.manifest.files.missing) console.log(`The picture ${path} was missing when the backup was made.`)
    return 0
  } finally {
    await shop.close()
  }
}

async function backUpBefore(env: Env, shop: Awaited<ReturnType<typeof openBeside>>): Promise<boolean> {
  try {
    const made = await makeBackup({ ...shop, backup: { ...env.backup, ...shop, secrets: join(env.dataDir, 'secrets') } }, 'before-restore')
    console.log(`What was there is in ${made.path}`)
    return true
  } catch (error) {
    console.error(`What is there now cannot be backed up: ${whyNot(error)} Nothing was changed. --without-backup restores all the same.`)
    return false
  }
}

await runCommand(async (env) => {
  const path = positionals[0]
  if (values.help || path === undefined || positionals.length > 1) {
    console.log(usage)
    return values.help ? 0 : 1
  }
  try {
    const archive = await openArchive(typedPath(path))
    try {
      const { rows, files, tables } = await verifyArchive(archive)
      console.log(
        `${archive.name} is whole: ${countText(rows, 'row')} in ${countText(tables, 'table')} and ${countText(files, 'picture file')} of ${archive.manifest.madeAt}; every checksum is right.`,
      )
      // A shop that starts meanwhile waits, and finds what was brought back.
      return values.check
        ? 0
        : await inTurn(
            env.listenUrl,
            () => restore(env, archive),
            (line) => console.log(line),
          )
    } finally {
      archive.close()
    }
  } catch (error) {
    if (!(error instanceof UnusableArchive) && !(error instanceof OthersAreThere)) throw error
    console.error(error instanceof UnusableArchive ? `${error.message}. Nothing was changed.` : error.message)
    return 1
  }
})
