// The commands npm run backup, restore and db:copy, as processes of their own beside the shop or in its place.
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { copyDatabase } from '#app/features/backups/copy-database.server.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { openPostgres } from '#app/lib/db/postgres.server.ts'
import { archiveOf, bringBack, newDataFolder, rowsIn } from './archives.ts'
import { newFolder } from './moving-shops.ts'
import { migrate } from '#db/migrate.ts'
import { openTestShop } from './open-test-shop.ts'
import { createDatabase, dropDatabase } from './postgres-databases.ts'
import { fillRichShop } from './rich-shop.ts'
import { runCommand } from './run-command.ts'
import { LOCK_APP_NAME, withStartupLock } from '#server/startup-lock.ts'

/** A data folder with something of everything, closed; and a backup of the same. */
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

const zipsIn = async (folder: string) => (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.zip'))

/** Processes take long; one database for each is enough. */
const [onSqlite, onPostgres] = process.env.TEST_DATABASE === 'postgres' ? [() => {}, test] : [test, () => {}]

onSqlite('S-267 S-268 backup while the shop is open, check, and a restore that backs up before: as commands', async () => {
  const { dataDir, path, rows } = await fillFolder()
  const open = openSqliteDatabase(dataDir)
  await open.db.selectFrom('items').select('id').execute()

  const made = await runCommand('backup', [], { DATA_DIR: dataDir })
  expect([made.code, made.printed]).toEqual([
    0,
    expect.stringMatching(/backups\/shop-.*-by-hand\.zip\n\d+ picture files, .*; every checksum is right\.\n$/),
  ])
  const refused = await runCommand('restore', [path], { DATA_DIR: dataDir })
  expect([refused.code, refused.printed]).toEqual([1, expect.stringMatching(/is open in another process\. Stop it first/)])
  await open.db.updateTable('items').set({ name: 'Changed since' }).execute()
  await open.close()
  const [archive] = await zipsIn(join(dataDir, 'backups'))
  const kept = join(dirOf(path), 'kept.zip')
  await copyFile(join(dataDir, 'backups', archive!), kept)

  const checked = await runCommand('restore', [kept, '--check'], { DATA_DIR: join(dataDir, 'nowhere') })
  expect([checked.code, checked.printed]).toEqual([0, expect.stringMatching(/^kept\.zip is whole: the database and \d+ picture files of /)])
  expect(existsSync(join(dataDir, 'nowhere'))).toBe(false)

  const restored = await runCommand('restore', [kept], { DATA_DIR: dataDir })
  expect([restored.code, restored.printed]).toEqual([
    0,
    expect.stringMatching(/What was there is in .*-before-restore\.zip[\s\S]*Start it with DATA_DIR=.* npm start\./),
  ])
  const after = await rowsIn(dataDir)
  expect(after.items).toEqual(rows.items)
  expect(after.audit!.filter(({ act }) => act === 'restore-backup')).toHaveLength(2)
  // What was there before the restore can be had again.
  const before = (await zipsIn(join(dataDir, 'backups'))).find((name) => name.endsWith('before-restore.zip'))!
  expect((await runCommand('restore', [join(dataDir, 'backups', before)], { DATA_DIR: dataDir })).code).toBe(0)
  expect(new Set((await rowsIn(dataDir)).items!.map(({ name }) => name))).toEqual(new Set(['Changed since']))
})

onSqlite('S-268 a copy to an address that leads nowhere says so in a line, and repeats no password', async () => {
  const { dataDir, rows } = await fillFolder()
  for (const [to, said] of [
    ['postgres://shop:hunter2@127.0.0.1:1/shop', 'The database that --to names cannot be used (ECONNREFUSED). Nothing was changed.\n'],
    ['postgres://shop:hunter2@127.0.0.1:1/shop?sslrootcert=/no/hunter2', 'The database that --to names cannot be used (ENOENT). Nothing'],
    ['postgres://shop:hunter2/x@127.0.0.1/shop', '--to must be a postgres:// address, or sqlite. Nothing was changed.\n'],
    ['../../hunter2', '--to must be a postgres:// address, or sqlite. Nothing was changed.\n'],
  ] as const) {
    const moved = await runCommand('db-copy', ['--to', to], { DATA_DIR: dataDir })
    expect([moved.code, moved.printed]).toEqual([1, expect.stringContaining(said)])
    expect(moved.printed).not.toContain('hunter2')
  }
  expect(await rowsIn(dataDir)).toEqual(rows)
  expect(await zipsIn(join(dataDir, 'backups'))).toEqual([])
})

const dirOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

onSqlite('S-268 a slip in the line is said in words, and neither makes nor changes a shop', async () => {
  const folder = await newFolder()
  const dataDir = join(folder, 'slip')
  const slips: ['backup' | 'restore' | 'db-copy', string[], string][] = [
    ['backup', [], 'There is no shop in'],
    ['restore', [join(folder, 'none.zip')], 'none.zip is not there. Nothing was changed.'],
    ['restore', ['README.md'], 'README.md is no whole archive: its end is missing'],
    ['db-copy', ['--to', 'mysql://x'], '--to must be a postgres:// address, or sqlite. Nothing was changed.'],
    ['db-copy', ['--to', 'postgres://localhost/x'], 'There is no shop in'],
  ]
  for (const [program, args, said] of slips) {
    const { code, printed } = await runCommand(program, args, { DATA_DIR: dataDir })
    expect([code, printed], args.join(' ')).toEqual([1, expect.stringContaining(said)])
    expect(printed).not.toMatch(/\n +at /)
  }
  expect(existsSync(dataDir)).toBe(false)
})

onPostgres(
  'S-268 one command copies every row from SQLite to PostgreSQL, compared, and back; the source stays, a target in use or full is refused',
  async () => {
    const { dataDir, path, rows } = await fillFolder()
    const name = `moved_${randomBytes(6).toString('hex')}`
    const url = await createDatabase(name)
    onTestFinished(() => dropDatabase(name))
    const source = await readFile(join(dataDir, 'shop.db'))

    const busy = openPostgres(url)
    await busy.db.introspection.getTables()
    const refused = await runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })
    expect([refused.code, refused.printed]).toEqual([1, expect.stringContaining('in use by another program')])
    await busy.close()

    // Another program's database, by a slip: not even the shop's empty tables come into it.
    const strange = openPostgres(url)
    await sql`create table bills (id integer)`.execute(strange.db)
    await strange.close()
    const slip = await runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })
    expect([slip.code, slip.printed]).toEqual([1, expect.stringMatching(/The other database is not empty.*\. Nothing was changed\.\n$/)])
    const cleared = openPostgres(url)
    expect((await cleared.db.introspection.getTables({ withInternalKyselyTables: true })).map((table) => table.name)).toEqual(['bills'])
    await sql`drop table bills`.execute(cleared.db)
    await cleared.close()

    const moved = await runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })
    expect(moved.code, moved.printed).toBe(0)
    expect(moved.printed).toMatch(/messages +\d+ +[0-9a-f]{16} {2}the same/)
    expect((await readFile(join(dataDir, 'shop.db'))).equals(source)).toBe(true)
    const again = await runCommand('db-copy', ['--to', url], { DATA_DIR: dataDir })
    expect([again.code, again.printed]).toEqual([1, expect.stringContaining('The other database is not empty')])

    // A shop that is just starting is not met halfway: the command waits for its turn, and then sees that it is open.
    const opened = Promise.withResolvers<void>()
    const starting = withStartupLock(url, () => opened.promise)
    const shop = openPostgres(url)
    const restoring = runCommand('restore', [path], { DATA_DIR: dataDir, DATABASE_URL: url })
    const waiting = async () =>
      (await sql`select 1 from pg_stat_activity where application_name = ${LOCK_APP_NAME} and wait_event_type = 'Lock'`.execute(shop.db))
        .rows
    await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1)
    opened.resolve()
    await starting
    expect(await restoring).toMatchObject({ code: 1, printed: expect.stringContaining('in use by another program') })
    await shop.close()
    const restored = await runCommand('restore', [path], { DATA_DIR: dataDir, DATABASE_URL: url })
    expect([restored.code, restored.printed]).toEqual([0, expect.stringContaining('bring that back with pg_restore')])

    const back = join(await newFolder(), 'back')
    await mkdir(back)
    const env = { DATA_DIR: back, DATABASE_URL: url }
    // A copy was killed before.
    await mkdir(join(back, 'copying'))
    await writeFile(join(back, 'copying', 'shop.db'), 'half of it')
    expect((await runCommand('db-copy', ['--to', url], env)).printed).toContain('pg_dump and pg_restore do the work')
    expect((await runCommand('db-copy', ['--to', 'sqlite'], env)).code).toBe(0)
    expect(await readdir(back)).toEqual(['shop.db'])
    const came = await rowsIn(back)
    for (const [table, all] of Object.entries(rows)) expect(came[table], table).toEqual(all)
    const full = await runCommand('db-copy', ['--to', 'sqlite'], env)
    expect([full.code, full.printed]).toEqual([1, expect.stringContaining('There is a shop.db in')])
    expect(await rowsIn(back), 'what is there already stays').toEqual(came)

    const none = `none_${randomBytes(6).toString('hex')}`
    onTestFinished(() => dropDatabase(none))
    const mistyped = { DATA_DIR: join(back, 'mistyped'), DATABASE_URL: await createDatabase(none) }
    expect((await runCommand('db-copy', ['--to', 'sqlite'], mistyped)).printed).toContain('There is no shop in')
    expect(existsSync(mistyped.DATA_DIR)).toBe(false)
  },
)
