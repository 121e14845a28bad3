/** A backup or a restore is killed in the midst: no half archive is taken for one, and the shop is whole, the old one or the new one. */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { newDataDir, openProcess } from '../open-process.ts'
import { readFolder } from '../moving-shops.ts'
import { runCommand, startCommand } from '../run-command.ts'
import { sized } from '../size.ts'

/** More than SQLite holds in memory: rows reach the disk before they are committed. */
const [ROWS, PICTURES] = [8000, 75]
const OWNER = { OWNER_EMAIL: 'owner@shop.test', OWNER_PASSWORD: 'a-good-password' }

/** A data folder whose every row and picture says which shop it is of. */
async function fill(dataDir: string, said: string) {
  await mkdir(dataDir, { recursive: true })
  const { db, dialect, close } = openSqliteDatabase(dataDir)
  await migrate(db, dialect)
  await db.deleteFrom('settings').execute()
  for (let first = 0; first < ROWS; first += 1000)
    await db
      .insertInto('settings')
      .values(Array.from({ length: 1000 }, (_, at) => ({ key: `k${first + at}`, value: said.padEnd(400, '.'), updatedAt: 1 })))
      .execute()
  await close()
  await mkdir(join(dataDir, 'files', 'items'), { recursive: true })
  for (let number = 0; number < PICTURES; number += 1) {
    // Some of the same name, some of each shop alone.
    const name = number % 3 === 0 ? `shared${number}` : `${said}${number}`
    await writeFile(join(dataDir, 'files', 'items', `${name}.webp`), said.repeat(1000))
  }
}

async function stateOf(dataDir: string) {
  const { db, close } = openSqliteDatabase(dataDir)
  const values = await db.selectFrom('settings').select('value').distinct().orderBy('value').execute()
  const { count } = await db
    .selectFrom('settings')
    .select((is) => is.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  await close()
  return {
    count,
    said: values.map(({ value }) => value.slice(0, 3)),
    files: Object.entries(await readFolder(join(dataDir, 'files', 'items'))).map(([name, text]) => `${name} ${text.slice(0, 3)}`),
  }
}

test(
  'S-268 a backup that is killed leaves no archive, and the shop answers all the time',
  { timeout: sized(600_000, 3_600_000) },
  async () => {
    const dataDir = await newDataDir()
    await fill(dataDir, 'old')
    const shop = openProcess({ DATA_DIR: dataDir, ...OWNER })
    const address = await shop.opened
    const folder = join(dataDir, 'backups')
    for (let round = 0; round < sized(1, 10); round += 1) {
      const command = startCommand('backup', [], { DATA_DIR: dataDir })
      await expect.poll(async () => (await readdir(folder).catch(() => [])).length, { interval: 1 + round }).toBeGreaterThan(round)
      command.kill()
      await command.ended
      expect((await fetch(`${address}/health`)).status).toBe(200)
    }
    const whole = (await readdir(folder)).filter((name) => name.endsWith('.zip'))
    for (const name of whole) expect((await runCommand('restore', [join(folder, name), '--check'], {})).code).toBe(0)
    expect((await runCommand('backup', [], { DATA_DIR: dataDir })).code).toBe(0)
  },
)

test(
  'S-268 a restore that is killed at any moment is noticed at the next start and finished or undone: one shop or the other, never both',
  { timeout: sized(600_000, 3_600_000) },
  async () => {
    const [oldDir, newDir] = [await newDataDir(), await newDataDir()]
    await fill(newDir, 'new')
    expect((await runCommand('backup', ['--to', newDir], { DATA_DIR: newDir })).code).toBe(0)
    const archive = join(
      newDir,
      (await readdir(newDir)).find((name) => name.endsWith('.zip'))!,
    )
    const wanted = { old: await fill(oldDir, 'old').then(() => stateOf(oldDir)), new: await stateOf(newDir) }
    const seen = new Set<string>()
    const moments: ((dataDir: string) => Promise<boolean>)[] = [
      // The backup is being unpacked.
      async (dataDir) => (await readdir(join(dataDir, 'restoring')).catch((): string[] => [])).includes('shop.db'),
      // Everything is unpacked, and the restore is decided.
      async (dataDir) => (await readdir(dataDir)).includes('restored'),
      // Each part gets its place.
      async (dataDir) => !(await readdir(join(dataDir, 'files', 'items')).catch((): string[] => [])).includes('old73.webp'),
    ]
    for (let round = 0; round < sized(3, 12); round += 1) {
      const command = startCommand('restore', [archive, '--without-backup'], { DATA_DIR: oldDir })
      const isTime = moments[round % moments.length]!
      let isOver = false
      void command.ended.then(() => (isOver = true))
      await expect.poll(async () => isOver || (await isTime(oldDir)), { interval: 1 }).toBe(true)
      command.kill()
      await command.ended
      const shop = openProcess({ DATA_DIR: oldDir, ...OWNER })
      const address = await shop.opened
      expect((await fetch(`${address}/health`)).status).toBe(200)
      shop.kill('SIGTERM')
      await shop.ended
      const state = await stateOf(oldDir)
      expect([wanted.old, wanted.new]).toContainEqual(state)
      seen.add(state.said.join())
      for (const name of ['restoring', 'restored']) expect(await readdir(oldDir)).not.toContain(name)
      if (state.said.join() === 'new') await restoreOld(oldDir)
    }
    expect(seen.size).toBeGreaterThan(0)

    async function restoreOld(dataDir: string) {
      for (const name of ['shop.db', 'shop.db-wal', 'shop.db-shm', 'files', 'secrets'])
        await rm(join(dataDir, name), { recursive: true, force: true })
      await fill(dataDir, 'old')
    }
  },
)
