// The command npm run import, as a process of its own.
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { HOSTED_OWNER, HOSTED_SHOP, writeHostedBucket } from './hosted-bucket.ts'
import { newFolder } from './moving-shops.ts'
import { runCommand, startCommand } from './run-command.ts'

const countItems = async (dataDir: string) => {
  const { db, close } = openSqliteDatabase(dataDir)
  const rows = await db.selectFrom('items').select('id').execute()
  await close()
  return rows.length
}

test('one command moves a shop in, and a second run changes nothing', async () => {
  const folder = await newFolder()
  const [dataDir, files] = [join(folder, 'data'), await writeHostedBucket(join(folder, 'bucket'))]
  const args = [HOSTED_SHOP, '--files', files, '--admin-id', HOSTED_OWNER]

  const dry = await runCommand('import', [...args, '--dry-run'], { DATA_DIR: dataDir })
  expect([dry.code, existsSync(dataDir)]).toEqual([0, false])
  expect(dry.printed).toContain('items/item-moon/stock: 3 is a field that this shop does not know; not taken')
  expect(dry.printed).toContain('nothing was written')

  const first = await runCommand('import', args, { DATA_DIR: dataDir })
  expect(first.code, first.printed).toBe(0)
  expect(first.printed).toMatch(/items +5 found: 3 taken, 2 NOT TAKEN/)
  // A bare npm start would open another shop.
  expect(first.printed).toContain(`Start it with DATA_DIR=${dataDir} npm start;`)
  const [report] = await readdir(join(dataDir, 'reports'))
  expect(await readFile(join(dataDir, 'reports', report!), 'utf8')).toContain('items/item-nan/price: "NaN" is no price')
  const again = await runCommand('import', args, { DATA_DIR: dataDir })
  expect([again.code, again.printed]).toEqual([0, expect.stringContaining('Nothing was changed')])
})

test('a slip in the line is named and nothing is made: an option, the accounts, the folder of pictures, the owner’s uid', async () => {
  const folder = await newFolder()
  const [dataDir, readme] = [join(folder, 'our-shop'), 'README.md']
  const slips: [args: string[], said: string][] = [
    [['--file', folder], "Unknown option '--file'"],
    [['--accounts', join(folder, 'none.json')], `There is no file ${join(folder, 'none.json')}`],
    [['--accounts', readme], 'is not what "firebase auth:export accounts.json" writes'],
    [['--accounts', HOSTED_SHOP], 'is not what "firebase auth:export accounts.json" writes'],
    [['--files', join(folder, 'buket')], `There is no folder ${join(folder, 'buket')}`],
    [['--admin-id', `${HOSTED_OWNER}x`], `Say it with --admin-id ${HOSTED_OWNER} `],
  ]
  for (const [args, said] of slips) {
    const { code, printed } = await runCommand('import', [HOSTED_SHOP, ...args, '--dry-run'], { DATA_DIR: dataDir })
    expect([code, printed]).toEqual([1, expect.stringContaining(said)])
    expect(printed).not.toMatch(/cannot be used|at file:/)
  }
  expect(existsSync(dataDir)).toBe(false)
})

test('while another process has the shop open, an import refuses and changes nothing', async () => {
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const shop = openSqliteDatabase(dataDir)
  await migrate(shop.db, shop.dialect)
  // Idle, as a shop at night: it has read once and does nothing.
  await shop.db.selectFrom('items').select('id').execute()

  const refused = await runCommand('import', [HOSTED_SHOP, '--admin-id', HOSTED_OWNER], { DATA_DIR: dataDir })
  expect([refused.code, refused.printed]).toEqual([1, expect.stringMatching(/is open in another process\. Stop it first/)])
  await shop.close()

  expect(await countItems(dataDir)).toBe(0)
})

test('what cannot be understood is said in words, with exit code 1 and nothing changed', async () => {
  const folder = await newFolder()
  const dataDir = join(folder, 'data')
  const broken = join(folder, 'broken.json')
  await writeFile(broken, '{"items":{"a":{"na')
  for (const [args, words] of [
    [[broken], /broken\.json is no whole JSON file[\s\S]*Nothing was changed/],
    [[join(folder, 'nothing')], /There is no .*nothing/],
    [[HOSTED_SHOP], /Which of these was the owner's uid[\s\S]*kTq2MarisolAdmin0000000001   2 messages in 2 conversations/],
    [[], /npm run import -- <file or folder>/],
  ] as const) {
    const { code, printed } = await runCommand('import', args, { DATA_DIR: dataDir })
    expect([code, printed]).toEqual([1, expect.stringMatching(words)])
    expect(printed).not.toMatch(/\n +at /)
  }
  expect(await countItems(dataDir)).toBe(0)
})

test('an import that is killed has written nothing or everything, and can be begun again', async () => {
  const folder = await newFolder()
  const [dataDir, large] = [join(folder, 'data'), join(folder, 'large.json')]
  const items = Array.from({ length: 4000 }, (_, index) => ({
    id: `item-${index}`,
    name: `Item ${index}`,
    category: 'w',
    price: 5,
    images: [],
  }))
  await writeFile(large, JSON.stringify({ category: { w: { title: 'W', color: '#112233' } }, items }))
  await mkdir(dataDir)
  const empty = openSqliteDatabase(dataDir)
  await migrate(empty.db, empty.dialect)
  await empty.close()
  const command = startCommand('import', [large], { DATA_DIR: dataDir })
  // In the midst of the work: as soon as the transaction has begun to fill the side file.
  const wal = join(dataDir, 'shop.db-wal')
  await expect
    .poll(async () => (await readFile(wal).catch(() => Buffer.alloc(0))).length, { timeout: 30_000, interval: 1 })
    .toBeGreaterThan(0)
  command.kill()
  await command.ended
  expect([0, 4000]).toContain(await countItems(dataDir))
  expect((await runCommand('import', [large], { DATA_DIR: dataDir })).code).toBe(0)
  expect(await countItems(dataDir)).toBe(4000)
})
