import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate, schemaState } from '#db/migrate.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { openPostgres } from '#services/postgres.server.ts'
import { createEmptyDatabase, onPostgres } from '#test/fixtures/database.ts'
import {
  HOSTED_OWNER,
  HOSTED_SHOP,
  newFolder,
  readFolder,
  writeHostedBucket,
} from '#test/fixtures/data-folders.ts'
import { runCommand, startCommand } from '#test/fixtures/processes.ts'

/** Opens a data folder whose database has all tables but no rows. */
async function openEmptyShop() {
  const dataDir = join(await newFolder(), 'data')
  await mkdir(dataDir)
  const shop = openSqliteDatabase(dataDir)
  await migrate(shop.db, shop.dialect)
  return { ...shop, dataDir }
}

const countItems = async (dataDir: string) => {
  const { db, close } = openSqliteDatabase(dataDir)
  const rows = await db.selectFrom('items').select('id').execute()
  await close()
  return rows.length
}

test('"import" copies the export of a hosted shop, and changes nothing when it runs again', async () => {
  const folder = await newFolder()
  const [dataDir, files] = [join(folder, 'data'), await writeHostedBucket(join(folder, 'bucket'))]
  const args = [HOSTED_SHOP, '--files', files, '--admin-id', HOSTED_OWNER]

  const dry = await runCommand('import', [...args, '--dry-run'], { DATA_DIR: dataDir })
  expect(dry.code).toBe(0)
  expect(existsSync(dataDir)).toBe(false)
  expect(dry.printed).toContain(
    'items/item-moon/stock: 3 is a field that this shop does not know; not imported',
  )
  expect(dry.printed).toContain('nothing was written')

  const first = await runCommand('import', args, { DATA_DIR: dataDir })
  expect(first.code, first.printed).toBe(0)
  expect(first.printed).toMatch(/items +5 found: 3 imported, 2 NOT IMPORTED/)
  // The printed command must contain DATA_DIR, because `npm start` without DATA_DIR would open a
  // different shop.
  expect(first.printed).toContain(`Start the shop with DATA_DIR=${dataDir} npm start;`)
  const [report] = await readdir(join(dataDir, 'reports'))
  expect(await readFile(join(dataDir, 'reports', report!), 'utf8')).toContain(
    'items/item-nan/price: "NaN" is not a price',
  )
  const again = await runCommand('import', args, { DATA_DIR: dataDir })
  expect(again.code).toBe(0)
  expect(again.printed).toEqual(expect.stringContaining('Nothing was changed'))
  expect(await countItems(dataDir)).toBe(3)
  const before = await readFolder(dataDir)
  const late = await runCommand('import', [...args, '--dry-run'], {
    DATA_DIR: dataDir,
    OWNER_PASSWORD: 'another-password',
  })
  expect(late.printed).toEqual(expect.stringContaining('already imported'))
  expect(await readFolder(dataDir)).toEqual(before)
})

test.each<[what: string, args: string[], said: string]>([
  ['half a file', ['broken.json'], 'broken.json is not a complete JSON file'],
  ['a file that is not there', ['nothing.json'], 'There is no nothing.json'],
  ['an unknown option', [HOSTED_SHOP, '--file', 'bucket'], "Unknown option '--file'"],
  [
    'accounts that are not there',
    [HOSTED_SHOP, '--accounts', 'none.json'],
    'The file none.json does not exist',
  ],
  [
    'accounts that are not JSON',
    [HOSTED_SHOP, '--accounts', 'broken.json'],
    'is not what "firebase auth:export accounts.json" writes',
  ],
  [
    'accounts that are a shop',
    [HOSTED_SHOP, '--accounts', HOSTED_SHOP],
    'is not what "firebase auth:export accounts.json" writes',
  ],
  [
    'a folder that is not there',
    [HOSTED_SHOP, '--files', 'buket'],
    'The folder buket does not exist',
  ],
  [
    'a mistyped uid',
    [HOSTED_SHOP, '--admin-id', `${HOSTED_OWNER}x`],
    `Name it with --admin-id ${HOSTED_OWNER} `,
  ],
])('"import" refuses %s and creates no shop', async (_, args, said) => {
  const folder = await newFolder()
  const dataDir = join(folder, 'our-shop')
  await writeFile(join(folder, 'broken.json'), '{"items":{"a":{"na')
  const { code, printed } = await runCommand('import', [...args, '--dry-run'], {
    DATA_DIR: dataDir,
    INIT_CWD: folder,
  })
  expect(code).toBe(1)
  expect(printed.replaceAll(`${folder}/`, '')).toEqual(expect.stringContaining(said))
  expect(printed).not.toMatch(/cannot be used|\n +at |at file:/)
  expect(existsSync(dataDir)).toBe(false)
})

test('a dry run of "import" writes nothing into an existing data folder', async () => {
  const { dataDir, close } = await openEmptyShop()
  await close()
  const before = await readFolder(dataDir)
  const dry = await runCommand('import', [HOSTED_SHOP, '--dry-run'], { DATA_DIR: dataDir })
  expect(dry.code).toBe(0)
  expect(dry.printed).toEqual(expect.stringContaining('nothing was written'))
  expect(await readFolder(dataDir)).toEqual(before)
})

onPostgres('a dry run of "import" writes nothing into an empty PostgreSQL database', async () => {
  const dataDir = join(await newFolder(), 'data')
  const DATABASE_URL = await createEmptyDatabase()
  const dry = await runCommand('import', [HOSTED_SHOP, '--dry-run'], {
    DATA_DIR: dataDir,
    DATABASE_URL,
  })
  expect(dry.code).toBe(0)
  expect(dry.printed).toEqual(expect.stringContaining('nothing was written'))
  const { db, dialect, close } = openPostgres(DATABASE_URL)
  expect(await schemaState(db, dialect)).toBe('none')
  expect(existsSync(dataDir)).toBe(false)
  await close()
})

test('"import" refuses to run without the uid of the owner, and lists the users who may be the owner', async () => {
  const { dataDir, close } = await openEmptyShop()
  await close()
  const { code, printed } = await runCommand('import', [HOSTED_SHOP], { DATA_DIR: dataDir })
  expect(code).toBe(1)
  expect(printed).toEqual(
    expect.stringContaining(`  ${HOSTED_OWNER}   2 messages in 2 conversations`),
  )
  expect(await countItems(dataDir)).toBe(0)
})

test('"import" refuses to run while another process has the shop open', async () => {
  const shop = await openEmptyShop()
  // The shop is open in this process, and has read from the database once.
  await shop.db.selectFrom('items').select('id').execute()
  const refused = await runCommand('import', [HOSTED_SHOP, '--admin-id', HOSTED_OWNER], {
    DATA_DIR: shop.dataDir,
  })
  expect(refused.code).toBe(1)
  expect(refused.printed).toEqual(expect.stringMatching(/Another process uses the shop in/))
  await shop.close()
  expect(await countItems(shop.dataDir)).toBe(0)
})

test('after a killed import, the database contains all imported rows or none, and the import can run again', async () => {
  const { dataDir, close } = await openEmptyShop()
  await close()
  const large = join(dataDir, 'large.json')
  const items = Array.from({ length: 4000 }, (_, at) => ({
    id: `item-${at}`,
    name: `Item ${at}`,
    category: 'w',
    price: 5,
    images: [],
  }))
  await writeFile(
    large,
    JSON.stringify({ category: { w: { title: 'W', color: '#112233' } }, items }),
  )
  const command = startCommand('import', [large], { DATA_DIR: dataDir })
  // Kills the command as soon as its transaction has begun to write to the write-ahead log of
  // SQLite.
  const wal = join(dataDir, 'shop.db-wal')
  await expect
    .poll(async () => (await readFile(wal).catch(() => Buffer.alloc(0))).length, { interval: 1 })
    .toBeGreaterThan(0)
  command.kill()
  await command.ended
  expect([0, 4000]).toContain(await countItems(dataDir))
  expect((await runCommand('import', [large], { DATA_DIR: dataDir })).code).toBe(0)
  expect(await countItems(dataDir)).toBe(4000)
})
