import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { copiesFolder, copyBeforeMigration, listCopies, MOST_COPIES } from './database-copies.server.ts'

async function open() {
  const dataDir = await mkdtemp(join(tmpdir(), 'copies-'))
  const file = new DatabaseSync(join(dataDir, 'shop.db'))
  file.exec('create table items (id text); insert into items values (0)')
  onTestFinished(async () => {
    if (file.isOpen) file.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { dataDir, file, folder: copiesFolder(dataDir) }
}
const day = (day: number) => new Date(Date.UTC(2026, 0, day))
const nameOf = (at: Date) => `before-migration-${at.toISOString().replaceAll(':', '-')}.db`
const namesIn = async (dataDir: string) => (await listCopies(dataDir)).map(({ name }) => name)

test('045 of the copies from before upgrades the newest three stay, each as the database was then; nothing else in the folder goes', async () => {
  const { dataDir, file, folder } = await open()
  expect(await listCopies(dataDir)).toEqual([])
  for (let at = 1; at <= 3; at++) {
    await copyBeforeMigration(file, dataDir, day(at))
    file.exec(`insert into items values (${at})`)
  }
  const others = ['shop-2026-01-01T00-00-00-000Z-by-hand.zip', 'before-migration-notes.txt', 'before-migration-1.db']
  for (const name of others) await writeFile(join(folder, name), 'hers')
  expect(await namesIn(dataDir)).toEqual([3, 2, 1].map((at) => nameOf(day(at))))
  await copyBeforeMigration(file, dataDir, day(4))
  expect(MOST_COPIES).toBe(3)
  expect(await namesIn(dataDir)).toEqual([4, 3, 2].map((at) => nameOf(day(at))))
  expect((await readdir(folder)).toSorted()).toEqual([...others, ...[2, 3, 4].map((at) => nameOf(day(at)))].toSorted())
  const rowsIn = (at: number) => {
    const copy = new DatabaseSync(join(folder, nameOf(day(at))), { readOnly: true })
    const { count } = copy.prepare('select count(*) as count from items').get() as { count: number }
    copy.close()
    return count
  }
  expect([2, 3, 4].map(rowsIn)).toEqual([2, 3, 4])
  expect((await stat(join(folder, nameOf(day(4))))).mode & 0o777).toBe(0o600)
})

test('045 a copy that could not be made is none and costs no older one; what a killed process left half goes with the next', async () => {
  const { dataDir, file, folder } = await open()
  for (let at = 1; at <= 3; at++) await copyBeforeMigration(file, dataDir, day(at))
  const half = `.${nameOf(day(4))}.part`
  await writeFile(join(folder, half), 'half')
  // In its way stands what cannot be replaced.
  await mkdir(join(folder, nameOf(day(5))))
  await expect(copyBeforeMigration(file, dataDir, day(5))).rejects.toThrow()
  expect(await namesIn(dataDir)).toEqual([3, 2, 1].map((at) => nameOf(day(at))))
  expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([])
})
