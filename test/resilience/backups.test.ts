import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import {
  newDataDir,
  openProcess,
  runCommand,
  settings,
  startCommand,
} from '#test/fixtures/processes.ts'
import { readFolder } from '#test/fixtures/data-folders.ts'
import { sized } from '#test/fixtures/size.ts'

const patient = { timeout: sized(600_000, 3_600_000) }
/** SQLite cannot cache so many rows, and writes some of them to the disk before the commit. */
const [ROWS, IMAGES] = [8000, 75]

/** Fills a data folder with rows and images that all contain the text "old" or "new". */
async function fill(dataDir: string, shop: 'old' | 'new') {
  await mkdir(dataDir, { recursive: true })
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  await db.deleteFrom('settings').execute()
  for (let first = 0; first < ROWS; first += 1000) {
    const rows = Array.from({ length: 1000 }, (_, at) => ({
      key: `k${first + at}`,
      value: shop.padEnd(400, '.'),
      updatedAt: 1,
    }))
    await db.insertInto('settings').values(rows).execute()
  }
  await close()
  await mkdir(join(dataDir, 'files', 'items'), { recursive: true })
  for (let number = 0; number < IMAGES; number += 1) {
    // One in three files has the same name in the old and the new shop.
    const name = number % 3 === 0 ? `shared${number}` : `${shop}${number}`
    await writeFile(join(dataDir, 'files', 'items', `${name}.webp`), shop.repeat(1000))
  }
}

async function stateOf(dataDir: string) {
  const { db, close } = openSqliteDatabase(dataDir)
  const values = (await db.selectFrom('settings').select('value').execute()).map(({ value }) =>
    value.slice(0, 3),
  )
  await close()
  return {
    count: values.length,
    shops: [...new Set(values)],
    files: Object.entries(await readFolder(join(dataDir, 'files', 'items'))).map(
      ([name, text]) => `${name} ${text.slice(0, 3)}`,
    ),
  }
}

const listFolder = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

test(
  'when the backup command is killed, no incomplete zip file remains, and the shop continues to respond [S-268]',
  patient,
  async () => {
    const dataDir = await newDataDir()
    await fill(dataDir, 'old')
    const address = await openProcess(settings(dataDir)).opened()
    const folder = join(dataDir, 'backups')
    for (let round = 0; round < sized(1, 10); round += 1) {
      const command = startCommand('backup', [], { DATA_DIR: dataDir })
      await expect
        .poll(async () => (await listFolder(folder)).length, { interval: 1 + round })
        .toBeGreaterThan(round)
      command.kill()
      await command.ended
      expect((await fetch(`${address}/health`)).status).toBe(200)
    }
    for (const name of (await readdir(folder)).filter((one) => one.endsWith('.zip'))) {
      expect((await runCommand('restore', [join(folder, name), '--check'], {})).code).toBe(0)
    }
    expect((await runCommand('backup', [], { DATA_DIR: dataDir })).code).toBe(0)
  },
)

test(
  'after a restore was killed, the next start completes or undoes it, and never mixes old and new data [S-268]',
  patient,
  async () => {
    const [oldDir, newDir] = [await newDataDir(), await newDataDir()]
    await fill(newDir, 'new')
    expect((await runCommand('backup', ['--to', newDir], { DATA_DIR: newDir })).code).toBe(0)
    const archive = (await readdir(newDir)).find((name) => name.endsWith('.zip'))!
    await fill(oldDir, 'old')
    const wanted = [await stateOf(oldDir), await stateOf(newDir)]
    const moments: (() => Promise<boolean>)[] = [
      // The restore command is unpacking the backup while this condition is true.
      async () => (await listFolder(join(oldDir, 'restoring'))).includes('shop.db'),
      // All files are unpacked when this condition is true, so the next start of the shop completes
      // the restore.
      async () => (await readdir(oldDir)).includes('restored'),
      // The restore command is moving the unpacked files to their folders while this condition is
      // true.
      async () => !(await listFolder(join(oldDir, 'files', 'items'))).includes('old73.webp'),
    ]
    for (let round = 0; round < sized(3, 12); round += 1) {
      const command = startCommand('restore', [join(newDir, archive), '--without-backup'], {
        DATA_DIR: oldDir,
      })
      const isTime = moments[round % moments.length]!
      let isOver = false
      void command.ended.then(() => (isOver = true))
      await expect.poll(async () => isOver || (await isTime()), { interval: 1 }).toBe(true)
      command.kill()
      await command.ended
      const shop = openProcess(settings(oldDir))
      expect((await fetch(`${await shop.opened()}/health`)).status).toBe(200)
      await shop.stop()
      const state = await stateOf(oldDir)
      expect(wanted).toContainEqual(state)
      for (const name of ['restoring', 'restored']) {
        expect(await readdir(oldDir)).not.toContain(name)
      }
      if (state.shops[0] === 'old') continue
      for (const name of ['shop.db', 'shop.db-wal', 'shop.db-shm', 'files', 'secrets']) {
        await rm(join(oldDir, name), { recursive: true, force: true })
      }
      await fill(oldDir, 'old')
    }
  },
)
