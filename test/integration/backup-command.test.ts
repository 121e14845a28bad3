// Runs the commands backup, restore and db-copy as separate processes, while a shop is open or
// stopped.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { copyDatabase } from '#backups/copy-database.server.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { openPostgres } from '#services/postgres.server.ts'
import { archiveOf, bringBack, newDataFolder, rowsIn } from '#test/fixtures/backups.ts'
import { migrate } from '#db/migrate.ts'
import { openTestShop } from '#test/fixtures/test-shop.ts'
import { createEmptyDatabase, onPostgres, onSqlite } from '#test/fixtures/database.ts'
import { fillRichShop } from '#test/fixtures/full-shop.ts'
import { runCommand } from '#test/fixtures/processes.ts'
import { LOCK_APP_NAME, withStartupLock } from '#server/startup-lock.ts'

/**
 * Returns the data folder of a closed shop that has rows in every table, and the path of a backup
 * of that shop.
 */
async function fillFolder() {
  const shop = await openTestShop()
  await fillRichShop(shop)
  const dataDir = await newDataFolder()
  const path = await archiveOf(shop.shop)
  if (shop.dialect === 'sqlite') await bringBack(path, dataDir)
  else {
    const database = openSqliteDatabase(dataDir)
    await migrate(database.db, database.dialect)
    await copyDatabase(shop, database)
    await database.close()
  }
  return { dataDir, path, rows: await rowsIn(dataDir) }
}

const said = (code: number, text: string | RegExp) => ({
  code,
  printed: expect.stringMatching(text) as string,
})
const zipsIn = async (folder: string) =>
  (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.zip'))

onSqlite(
  '"backup" saves a running shop, and "restore" saves the current state before it restores a backup [S-267] [S-268]',
  async () => {
    const { dataDir, path, rows } = await fillFolder()
    const env = { DATA_DIR: dataDir }
    const open = openSqliteDatabase(dataDir)
    await open.db.selectFrom('items').select('id').execute()

    const backups = join(dataDir, 'backups')
    expect(await runCommand('backup', [], env)).toEqual(
      said(0, /backups\/shop-.*-by-hand\.zip\n\d+ picture files, .*; all checksums match\.\n$/),
    )
    expect(await runCommand('restore', [path], env)).toEqual(
      said(1, /Another process uses the shop in/),
    )
    await open.db.updateTable('items').set({ name: 'Changed since' }).execute()
    await open.close()
    const [archive] = await zipsIn(backups)
    const copy = join(dirname(path), 'copy.zip')
    await copyFile(join(backups, archive!), copy)

    const nowhere = join(dataDir, 'nowhere')
    expect(await runCommand('restore', [copy, '--check'], { DATA_DIR: nowhere })).toEqual(
      said(0, /^copy\.zip is complete: the database and \d+ picture files of /),
    )
    expect(existsSync(nowhere)).toBe(false)

    expect(await runCommand('restore', [copy], env)).toEqual(
      said(
        0,
        /The previous state is in .*-before-restore\.zip[\s\S]*Start it with DATA_DIR=.* npm start\./,
      ),
    )
    const after = await rowsIn(dataDir)
    expect(after.items).toEqual(rows.items)
    expect(after.audit!.filter(({ act }) => act === 'restore-backup')).toHaveLength(2)
    const before = (await zipsIn(backups)).find((name) => name.endsWith('before-restore.zip'))!
    expect((await runCommand('restore', [join(backups, before)], env)).code).toBe(0)
    expect(new Set((await rowsIn(dataDir)).items!.map(({ name }) => name))).toEqual(
      new Set(['Changed since']),
    )
  },
)

test.each<[what: string, to: string, text: string]>([
  [
    'a port without a server',
    'shop:hunter2@127.0.0.1:1/shop',
    'The database that --to names cannot be used (ECONNREFUSED)',
  ],
  [
    'a missing certificate',
    'shop:hunter2@127.0.0.1:1/shop?sslrootcert=/hunter2',
    'The database that --to names cannot be used (ENOENT)',
  ],
  [
    'a password with a slash',
    'shop:hunter2/x@127.0.0.1/shop',
    '--to must be a postgres:// URL, or sqlite',
  ],
])(
  '"db-copy" refuses %s, prints no password and does not change the shop [S-268]',
  async (_, to, text) => {
    const { dataDir, rows } = await fillFolder()
    const { code, printed } = await runCommand('db-copy', ['--to', `postgres://${to}`], {
      DATA_DIR: dataDir,
    })
    expect(code).toBe(1)
    expect(printed).toBe(`${text}. Nothing was changed.\n`)
    expect(printed).not.toContain('hunter2')
    expect(await rowsIn(dataDir)).toEqual(rows)
  },
)

onPostgres(
  '"db-copy" copies every row from SQLite to PostgreSQL and back, and does not change the source [S-268]',
  async () => {
    const { dataDir, rows } = await fillFolder()
    const url = await createEmptyDatabase()
    const source = await readFile(join(dataDir, 'shop.db'))
    expect(await runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })).toEqual(
      said(0, /messages +\d+ +[0-9a-f]{16} {2}equal/),
    )
    expect((await readFile(join(dataDir, 'shop.db'))).equals(source)).toBe(true)

    const back = await newDataFolder()
    const env = { DATA_DIR: back, DATABASE_URL: url }
    // Creates the partial copy that a killed db-copy leaves behind.
    await mkdir(join(back, 'copying'))
    await writeFile(join(back, 'copying', 'shop.db'), 'half of it')
    expect((await runCommand('db-copy', ['--to', 'sqlite'], env)).code).toBe(0)
    expect(await readdir(back)).toEqual(['shop.db'])
    const came = await rowsIn(back)
    for (const [table, all] of Object.entries(rows)) expect(came[table], table).toEqual(all)
    expect(await runCommand('db-copy', ['--to', 'sqlite'], env)).toEqual(
      said(1, 'already contains a shop.db'),
    )
    expect(await rowsIn(back)).toEqual(came)
    expect(await runCommand('db-copy', ['--to', url], env)).toEqual(
      said(1, 'use pg_dump and pg_restore'),
    )
  },
)

onPostgres(
  '"db-copy" refuses a target that is in use or not empty, and a source without a shop [S-268]',
  async () => {
    const { dataDir } = await fillFolder()
    const [url, mistyped] = [await createEmptyDatabase(), join(dataDir, 'mistyped')]
    const copy = () => runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })
    const target = openPostgres(url)
    onTestFinished(() => target.close())
    await sql`select 1`.execute(target.db)
    expect(await copy()).toEqual(said(1, 'Another program uses the database'))
    await sql`create table bills (id integer)`.execute(target.db)
    await target.close()
    expect(await copy()).toEqual(
      said(1, /The other database is not empty.*\. Nothing was changed\.\n$/),
    )
    const checked = openPostgres(url)
    onTestFinished(() => checked.close())
    expect(
      (await checked.db.introspection.getTables({ withInternalKyselyTables: true })).map(
        ({ name }) => name,
      ),
    ).toEqual(['bills'])

    const empty = { DATA_DIR: mistyped, DATABASE_URL: await createEmptyDatabase() }
    expect(await runCommand('db-copy', ['--to', 'sqlite'], empty)).toEqual(
      said(1, 'There is no shop in'),
    )
    expect(existsSync(mistyped)).toBe(false)
  },
)

onPostgres(
  '"restore" waits for a starting process, and refuses a database that another process has open [S-268]',
  async () => {
    const { dataDir, path } = await fillFolder()
    const url = await createEmptyDatabase()
    const restore = () => runCommand('restore', [path], { DATA_DIR: dataDir, DATABASE_URL: url })
    const opened = Promise.withResolvers<void>()
    const starting = withStartupLock(url, () => opened.promise)
    const shop = openPostgres(url)
    const restoring = restore()
    const waiting = sql`select 1 from pg_stat_activity where application_name = ${LOCK_APP_NAME} and wait_event_type = 'Lock'`
    await expect
      .poll(async () => (await waiting.execute(shop.db)).rows, { timeout: 60_000 })
      .toHaveLength(1)
    opened.resolve()
    await starting
    expect(await restoring).toEqual(said(1, 'Another program uses the database'))
    await shop.close()
    expect(await restore()).toEqual(said(0, 'Restore it with pg_restore'))
  },
)
